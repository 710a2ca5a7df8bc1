/* What main writes after the join of the thread is too late for the thread's read. */
#include <pthread.h>
#include <stdio.h>

static int shared;
static int copied;

static void *copy(void *unused) {
    (void)unused;
    int seen = shared;                                     /* keep */
    copied = seen + 1;                                     /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int early = argc + 2;                                  /* keep */
    int late = argc + 50;                                  /* drop */
    shared = early;                                        /* keep */
    pthread_create(&thread, NULL, copy, NULL);             /* keep */
    pthread_join(thread, NULL);
    shared = late;                                         /* drop */
    printf("slice: %d\n", copied);                         /* slice: copied */
    printf("%d\n", shared);                                /* drop */
    return 0;
}
