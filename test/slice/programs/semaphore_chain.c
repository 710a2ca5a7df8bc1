/* One thread waits for another, and main() for that one: what main() writes then comes too late for the first. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t first, second;
static int level;
static int copied;

static void *copy(void *unused) {
    (void)unused;
    copied = level;                                        /* keep */
    sem_post(&first);
    return NULL;
}

static void await(sem_t *semaphore) {
    sem_wait(semaphore);
}

static void *pass_on(void *unused) {
    (void)unused;
    sem_wait(&first);
    sem_post(&second);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t copier, passer;
    level = argc + 4;                                      /* keep */
    sem_init(&first, 0, 0);
    sem_init(&second, 0, 0);
    pthread_create(&copier, NULL, copy, NULL);             /* keep */
    pthread_create(&passer, NULL, pass_on, NULL);
    await(&second);
    level = argc + 9;                                      /* drop */
    pthread_join(copier, NULL);
    pthread_join(passer, NULL);
    printf("slice: %d\n", copied);                         /* slice: copied */
    return level;
}
