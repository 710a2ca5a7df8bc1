/* Three threads pass a value on, each after a semaphore of the one before. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t first_done, second_done;
static int x, y, z;
static int aside;

static void *first(void *argument) {
    x = *(int *)argument + 1;                              /* keep */
    sem_post(&first_done);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    sem_wait(&first_done);
    y = x * 3;                                             /* keep */
    aside = x + 40;                                        /* drop */
    sem_post(&second_done);
    return NULL;
}

static void *third(void *unused) {
    (void)unused;
    sem_wait(&second_done);
    z = y + 5;                                             /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t threads[3];
    int start = argc + 1;                                  /* keep */
    sem_init(&first_done, 0, 0);
    sem_init(&second_done, 0, 0);
    pthread_create(&threads[0], NULL, first, &start);      /* keep */
    pthread_create(&threads[1], NULL, second, NULL);       /* keep */
    pthread_create(&threads[2], NULL, third, NULL);        /* keep */
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("slice: %d\n", z);                              /* slice: z */
    printf("%d\n", aside);                                 /* drop */
    return 0;
}
