/* Many callers share one pool: every item is done exactly once, scratch is nobody else's, and every call ends.
 * Exit 0 passes; run under TSan and ASan too. */
#include "pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { callers = 16, calls = 50, item_limit = 300 };

typedef struct call {
    _Atomic int done[item_limit];
    int64_t scratch_ints;
} call;

static fsattn_pool *pool;
static _Atomic int failures;

static void item(void *context, int64_t index, void *scratch) {
    call *self = context;
    int *own = scratch;
    for (int64_t i = 0; i < self->scratch_ints; i++) {
        own[i] = (int)(index + i);
    }
    for (int64_t i = 0; i < self->scratch_ints; i++) {
        failures += own[i] != (int)(index + i);
    }
    failures += (uintptr_t)scratch % 64 != 0 || (self->scratch_ints > 0) != (scratch != NULL);
    self->done[index]++;
}

static void *caller(void *argument) {
    int seed = (int)(intptr_t)argument;
    call *self = malloc(sizeof *self);
    for (int c = 0; c < calls; c++) {
        int64_t items = (seed * 31 + c * 7) % item_limit;
        for (int i = 0; i < item_limit; i++) {
            self->done[i] = 0;
        }
        self->scratch_ints = (seed + c) % 5 ? 64 * (1 + (seed + c) % 7) : 0;
        if (fsattn_pool_run(pool, item, self, items, (size_t)self->scratch_ints * sizeof(int), NULL) != FSATTN_OK) {
            failures++;
        }
        for (int64_t i = 0; i < item_limit; i++) {
            failures += self->done[i] != (i < items);
        }
    }
    free(self);
    return NULL;
}

int main(void) {
    fsattn_err err;
    for (int threads = 1; threads <= 4; threads += 3) {
        pthread_t handles[callers];
        if (fsattn_pool_create(threads, &pool, &err) != FSATTN_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        for (int i = 0; i < callers; i++) {
            if (pthread_create(&handles[i], NULL, caller, (void *)(intptr_t)i)) {
                return 1;
            }
        }
        for (int i = 0; i < callers; i++) {
            pthread_join(handles[i], NULL);
        }
        fsattn_pool_destroy(pool);
    }
    if (fsattn_pool_create(0, &pool, &err) != FSATTN_INVALID) {
        failures++;
    }
    printf("%d failures\n", (int)failures);
    return failures != 0;
}
