/* Must fail under ThreadSanitizer: two threads write one variable. */
#include <pthread.h>

static int shared;

static void *work(void *unused) {
    (void)unused;
    for (int i = 0; i < 1000; i++) {
        shared++;
    }
    return (void *)0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, (void *)0, work, (void *)0);
    work((void *)0);
    pthread_join(thread, (void *)0);
    return 0;
}
