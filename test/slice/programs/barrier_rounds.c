/* Three phases with a barrier between them: what the thread does in one is before the next of main(). */
/* options: --no-cache */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t phase;
static int level;
static int copied;

static void *copy(void *unused) {
    (void)unused;
    pthread_barrier_wait(&phase);
    copied = level;                                        /* keep */
    pthread_barrier_wait(&phase);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t copier;
    level = argc + 3;                                      /* keep */
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&copier, NULL, copy, NULL);             /* keep */
    pthread_barrier_wait(&phase);
    level = argc + 4;                                      /* keep */
    pthread_barrier_wait(&phase);
    level = argc + 5;                                      /* drop */
    pthread_join(copier, NULL);
    printf("slice: %d\n", copied);                         /* slice: copied */
    return level;
}
