/* Threads created in a loop run beside themselves: the write at the end of one is seen by the read at the start of another. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int shared;
static atomic_int copied;
static atomic_int finished;

static void *work(void *argument) {
    int factor = *(int *)argument;                         /* keep */
    int before = shared;                                   /* keep */
    copied = before;                                       /* keep */
    int next = factor * 5;                                 /* keep */
    shared = next;                                         /* keep */
    finished = factor + 1;                                 /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t threads[2];
    int factor = argc;                                     /* keep */
    int count = argc + 1;                                  /* keep */
    shared = argc + 4;                                     /* keep */
    for (int i = 0; i < count; i++)                        /* keep */
        pthread_create(&threads[i], NULL, work, &factor);  /* keep */
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    printf("slice: %d\n", copied);                         /* slice: copied */
    printf("%d\n", finished);                              /* drop */
    return 0;
}
