/* A function that takes a lock only sometimes: nothing is hidden behind it. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void take(pthread_mutex_t *of, int really) {
    if (really)
        pthread_mutex_lock(of);
}

static void give(pthread_mutex_t *of, int really) {
    if (really)
        pthread_mutex_unlock(of);
}

static void *work(void *argument) {
    int *in = argument;             /* keep */
    int passing = *in + 1;          /* keep */
    int lasting = *in + 2;          /* keep */
    take(&lock, *in > 1);
    value = passing;                /* keep */
    value = lasting;                /* keep */
    give(&lock, *in > 1);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    pthread_create(&thread, NULL, work, &argc); /* keep */
    take(&lock, argc > 1);
    int x = value;                  /* keep */
    give(&lock, argc > 1);
    pthread_join(thread, NULL);
    printf("slice: %d\n", x >= 0);  /* slice: x */
    return 0;
}
