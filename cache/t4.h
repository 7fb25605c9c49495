/* t4.h - the words of T4, an exchange format for the results of autotuners. */
#ifndef FSATTN_T4_H
#define FSATTN_T4_H

#include "verdict.h"

/* X(word, verdict): `invalidity`. A verdict that T4 has no word for is written as the first word of LAUNCH_FAILED. */
#define FSATTN_T4_LIST(X)                                                                                    \
    X("correct", OK)                                                                                         \
    X("constraints", REJECTED)                                                                               \
    X("compile", BUILD_FAILED)                                                                               \
    X("runtime", LAUNCH_FAILED)                                                                              \
    X("timeout", TIMEOUT)                                                                                    \
    X("correctness", WRONG)

#endif
