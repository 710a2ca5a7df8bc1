/* A function that waits: what follows its call does so because somebody posted. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t filled;
static int cup, saucer;

static void await(void) {
    sem_wait(&filled);                           /* keep */
}

static void announce(void) {
    sem_post(&filled);                           /* keep */
}

static void *pour(void *from) {
    const int *jug = from;                       /* keep */
    usleep(1000);
    cup = *jug;                                  /* keep */
    saucer = *jug + 1;                           /* drop */
    announce();                                  /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int jug = argc + 4;                          /* keep */
    sem_init(&filled, 0, 0);                     /* keep */
    pthread_create(&thread, NULL, pour, &jug);   /* keep */
    await();                                     /* keep */
    printf("slice: %d\n", cup);                  /* slice: cup */
    printf("%d\n", saucer);                      /* drop */
    pthread_join(thread, NULL);                  /* drop */
    return 0;
}
