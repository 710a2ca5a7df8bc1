/* Two mutexes protect two counters: the counter nobody asks for is out with its steps. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t red_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t blue_lock = PTHREAD_MUTEX_INITIALIZER;
static int red, blue;
static int red_step, blue_step;

static void *count(void *unused) {
    (void)unused;
    pthread_mutex_lock(&red_lock);
    red = red + red_step;                                  /* keep */
    pthread_mutex_unlock(&red_lock);
    pthread_mutex_lock(&blue_lock);
    blue = blue + blue_step;                               /* drop */
    pthread_mutex_unlock(&blue_lock);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t first, second;
    red_step = argc + 1;                                   /* keep */
    blue_step = argc + 2;                                  /* drop */
    red = argc + 10;                                       /* keep */
    blue = argc + 20;                                      /* drop */
    pthread_create(&first, NULL, count, NULL);             /* keep */
    pthread_create(&second, NULL, count, NULL);            /* keep */
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("slice: %d\n", red);                            /* slice: red */
    printf("%d\n", blue);                                  /* drop */
    return 0;
}
