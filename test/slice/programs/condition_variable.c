/* main waits with a condition variable until the thread has filled the box: box, predicate and signal are in. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int ready;
static int box;
static int label;

static void *fill(void *argument) {
    int item = *(int *)argument + 3;                       /* keep */
    int text = *(int *)argument + 70;                      /* drop */
    pthread_mutex_lock(&lock);
    box = item;                                            /* keep */
    label = text;                                          /* drop */
    ready = 1;                                             /* keep */
    pthread_cond_signal(&filled);                          /* keep */
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t filler;
    int order = argc + 4;                                  /* keep */
    pthread_create(&filler, NULL, fill, &order);           /* keep */
    pthread_mutex_lock(&lock);
    while (!ready)                                         /* keep */
        pthread_cond_wait(&filled, &lock);                 /* keep */
    int taken = box;                                       /* keep */
    int read_label = label;                                /* drop */
    pthread_mutex_unlock(&lock);
    pthread_join(filler, NULL);
    printf("slice: %d\n", taken);                          /* slice: taken */
    printf("%d\n", read_label);                            /* drop */
    return 0;
}
