/* main writes while a thread runs that reads and prints: the write is in, a write after the join is out. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int speed;

static void *watch(void *argument) {
    int factor = *(int *)argument;                         /* keep */
    int seen = speed * factor;                             /* keep */
    printf("slice: %d\n", seen);                           /* slice: seen */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t watcher;
    int factor = argc + 2;                                 /* keep */
    int faster = argc * 6;                                 /* keep */
    int stopped = argc - 1;                                /* drop */
    speed = argc + 5;                                      /* keep */
    pthread_create(&watcher, NULL, watch, &factor);        /* keep */
    speed = faster;                                        /* keep */
    pthread_join(watcher, NULL);
    speed = stopped;                                       /* drop */
    printf("%d\n", speed);                                 /* drop */
    return 0;
}
