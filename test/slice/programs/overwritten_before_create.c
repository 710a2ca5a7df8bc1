/* What main overwrites before it creates the thread is never seen by the thread. */
#include <pthread.h>
#include <stdio.h>

static int shared;

static void *show(void *unused) {
    (void)unused;
    int seen = shared;                                     /* keep */
    printf("slice: %d\n", seen);                           /* slice: seen */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int wasted = argc + 30;                                /* drop */
    int used = argc + 4;                                   /* keep */
    shared = wasted;                                       /* drop */
    shared = used;                                         /* keep */
    pthread_create(&thread, NULL, show, NULL);             /* keep */
    pthread_join(thread, NULL);
    return 0;
}
