/* Who waits for a thread that runs until it is cancelled needs who cancels it. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ready;
static int beats;

static void *pulse(void *count) {
    int *to = count;
    *to = 2;                                        /* keep */
    sem_post(&ready);                               /* keep */
    for (;;) {                                      
        beats++;                                    /* drop */
        pthread_testcancel();
    }
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    int number = argc;
    int other = argc + 1;                           /* drop */
    pthread_t thread;
    sem_init(&ready, 0, 0);                         /* keep */
    pthread_create(&thread, NULL, pulse, &number);  /* keep */
    sem_wait(&ready);                               /* keep */
    pthread_cancel(thread);                         /* keep */
    pthread_join(thread, NULL);                     /* keep */
    other += beats > 0;                             /* drop */
    printf("slice: %d\n", number);                  /* slice: number */
    printf("%d\n", other);                          /* drop */
    return 0;
}
