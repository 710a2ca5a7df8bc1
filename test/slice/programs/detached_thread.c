/* A detached thread hands its result over and is never joined. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t finished;
static int result;
static int trace;

static void *compute(void *argument) {
    int base = *(int *)argument;                           /* keep */
    trace = base + 1;                                      /* drop */
    result = base * 8;                                     /* keep */
    sem_post(&finished);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int base = argc + 2;                                   /* keep */
    sem_init(&finished, 0, 0);
    pthread_create(&thread, NULL, compute, &base);         /* keep */
    pthread_detach(thread);
    sem_wait(&finished);
    int got = result;                                      /* keep */
    printf("slice: %d\n", got);                            /* slice: got */
    printf("%d\n", trace);                                 /* drop */
    return 0;
}
