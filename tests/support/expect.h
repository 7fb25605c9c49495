/* expect.h - EXPECT for the programs in tests/programs: says what does not hold and counts it; the program ends with
 * `return failures != 0`. Any number of threads. */
#ifndef FSATTN_TEST_EXPECT_H
#define FSATTN_TEST_EXPECT_H

#include <stdio.h>

static _Atomic int failures;

#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                  \
            failures++;                                                                                      \
        }                                                                                                    \
    } while (0)

#endif
