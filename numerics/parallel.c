#include "parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { thread_limit = 64 };

typedef struct loop {
    atomic_llong next;
    int64_t items;
    void (*work)(void *context, int64_t item);
    void *context;
} loop;

static void *run(void *data) {
    loop *l = data;
    for (;;) {
        int64_t item = atomic_fetch_add(&l->next, 1);
        if (item >= l->items) {
            return NULL;
        }
        l->work(l->context, item);
    }
}

static int usable_cores(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

void fsattn_parallel_for(int threads, int64_t items, void (*work)(void *context, int64_t item), void *context) {
    loop l = {.items = items, .work = work, .context = context};
    pthread_t started[thread_limit];
    int wanted = threads > 0 ? threads : usable_cores(), count = 0;
    wanted = wanted > thread_limit ? thread_limit : wanted;
    wanted = wanted > items ? (int)items : wanted;
    while (count < wanted - 1 && pthread_create(&started[count], NULL, run, &l) == 0) {
        count++;
    }
    run(&l);
    while (count > 0) {
        pthread_join(started[--count], NULL);
    }
}
