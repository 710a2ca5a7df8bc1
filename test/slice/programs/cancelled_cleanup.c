/* What pthread_cleanup_push() was given runs when its thread is cancelled. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ready;
static int other;

static void tidy(void *tray) {
    *(int *)tray = 3;                               /* keep */
}

static void spill(void *tray) {
    *(int *)tray = 9;                               /* drop */
}

static void *serve(void *tray) {
    pthread_cleanup_push(spill, &other);
    other = 1;                                      /* drop */
    pthread_cleanup_pop(0);                         /* drop */
    pthread_cleanup_push(tidy, tray);               /* keep */
    sem_post(&ready);                               /* keep */
    for (;;)
        pthread_testcancel();                       /* keep */
    pthread_cleanup_pop(0);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    int cups = argc;
    pthread_t thread;
    sem_init(&ready, 0, 0);                         /* keep */
    pthread_create(&thread, NULL, serve, &cups);    /* keep */
    sem_wait(&ready);                               /* keep */
    pthread_cancel(thread);                         /* keep */
    pthread_join(thread, NULL);                     /* keep */
    printf("slice: %d\n", cups);                    /* slice: cups */
    printf("%d\n", other);                          /* drop */
    return 0;
}
