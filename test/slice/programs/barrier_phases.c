/* Each thread writes its part before the barrier, and one adds up both parts after it. */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t phase;
static int left;
static int right;
static int total;
static int difference;

static void *left_worker(void *argument) {
    left = *(int *)argument + 1;                           /* keep */
    pthread_barrier_wait(&phase);
    total = left + right;                                  /* keep */
    return NULL;
}

static void *right_worker(void *argument) {
    right = *(int *)argument * 3;                          /* keep */
    pthread_barrier_wait(&phase);
    difference = left - right;                             /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t left_thread, right_thread;
    int seed = argc + 1;                                   /* keep */
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&left_thread, NULL, left_worker, &seed);   /* keep */
    pthread_create(&right_thread, NULL, right_worker, &seed); /* keep */
    pthread_join(left_thread, NULL);
    pthread_join(right_thread, NULL);
    printf("slice: %d\n", total);                          /* slice: total */
    printf("%d\n", difference);                            /* drop */
    return 0;
}
