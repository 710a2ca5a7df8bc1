/* What is written behind a barrier comes too late for what was read in front of it. */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t phase;
static int level;
static int copied;

static void *copy(void *unused) {
    (void)unused;
    copied = level;                                        /* keep */
    pthread_barrier_wait(&phase);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t copier, another;
    level = argc + 4;                                      /* keep */
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&copier, NULL, copy, NULL);             /* keep */
    pthread_barrier_wait(&phase);
    level = argc + 9;                                      /* drop */
    pthread_join(copier, NULL);
    printf("slice: %d\n", copied);                         /* slice: copied */
    return level;
}
