/* main writes the variable inside the mutex only under a condition, so its read may still see the other thread's write. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void *raise_level(void *argument) {
    int amount = *(int *)argument;                         /* keep */
    pthread_mutex_lock(&lock);
    level = amount;                                        /* keep */
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int amount = argc * 6;                                 /* keep */
    int own = argc + 2;                                    /* keep */
    level = argc + 5;                                      /* keep */
    pthread_create(&thread, NULL, raise_level, &amount);   /* keep */
    pthread_mutex_lock(&lock);
    if (argc > 3)                                          /* keep */
        level = own;                                       /* keep */
    int seen = level;                                      /* keep */
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("slice: %d\n", seen);                           /* slice: seen */
    return 0;
}
