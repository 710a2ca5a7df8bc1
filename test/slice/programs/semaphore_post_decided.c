/* Whether main() goes on is decided by what decides about the post. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ready;
static int limit;
static int other;

static void *decide(void *argument) {
    int n = *(int *)argument;                              /* keep */
    other = n + 1;                                         /* drop */
    if (n < limit)                                         /* keep */
        sem_post(&ready);                                  /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int n = argc + 1;                                      /* keep */
    limit = argc + 5;                                      /* keep */
    sem_init(&ready, 0, 0);                                /* keep */
    pthread_create(&thread, NULL, decide, &n);             /* keep */
    sem_wait(&ready);                                      /* keep */
    printf("slice: %d\n", argc);                           /* slice */
    pthread_join(thread, NULL);
    printf("%d\n", other);                                 /* drop */
    return 0;
}
