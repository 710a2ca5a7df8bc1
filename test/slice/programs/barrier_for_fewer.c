/* A barrier for two of four threads: main() may have met one of the others. */
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

static void *meet(void *unused) {
    pthread_barrier_wait(&phase);
    return unused;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t copier, second, third;
    level = argc + 4;                                      /* keep */
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&copier, NULL, copy, NULL);             /* keep */
    pthread_create(&second, NULL, meet, NULL);
    pthread_create(&third, NULL, meet, NULL);
    pthread_barrier_wait(&phase);
    level = argc * 5;                                      /* keep */
    pthread_join(copier, NULL);
    printf("slice: %d\n", copied);                         /* slice: copied */
    return level;
}
