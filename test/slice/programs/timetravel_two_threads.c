/* Two threads beside main: the taker reads d before it writes c, so what it writes can not come back through the carrier. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int c;
static int d;
static int result;

static void *taker(void *argument) {
    pthread_mutex_lock(&lock);
    int taken = d;                                         /* keep */
    pthread_mutex_unlock(&lock);
    result = taken + 10;                                   /* keep */
    int late = *(int *)argument;                           /* drop */
    pthread_mutex_lock(&lock);
    c = late;                                              /* drop */
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *carrier(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    int carried = c;                                       /* keep */
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    d = carried;                                           /* keep */
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t taking, carrying;
    int late_value = argc + 7;                             /* drop */
    c = argc;                                              /* keep */
    d = argc;                                              /* keep */
    pthread_create(&taking, NULL, taker, &late_value);     /* keep */
    pthread_create(&carrying, NULL, carrier, NULL);        /* keep */
    pthread_join(taking, NULL);
    pthread_join(carrying, NULL);
    printf("slice: %d\n", result);                         /* slice: result */
    return 0;
}
