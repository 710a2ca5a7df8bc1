/* main writes the variable after it took the mutex and before it reads it: the other thread's write can not come between. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void *raise_level(void *argument) {
    int amount = *(int *)argument;                         /* drop */
    pthread_mutex_lock(&lock);
    level = amount;                                        /* drop */
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int amount = argc + 60;                                /* drop */
    int own = argc + 2;                                    /* keep */
    pthread_create(&thread, NULL, raise_level, &amount);   /* drop */
    pthread_mutex_lock(&lock);
    level = own;                                           /* keep */
    int seen = level;                                      /* keep */
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);                            /* drop */
    printf("slice: %d\n", seen);                           /* slice: seen */
    return 0;
}
