/* A value that is overwritten before the mutex is given back is not seen by another holder of the mutex. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *argument) {
    int amount = *(int *)argument;                         /* keep */
    int draft = amount - 70;                               /* drop */
    int final = amount + 10;                               /* keep */
    pthread_mutex_lock(&lock);
    balance = draft;                                       /* drop */
    balance = final;                                       /* keep */
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int amount = argc + 3;                                 /* keep */
    balance = argc + 13;                                   /* keep */
    pthread_create(&thread, NULL, deposit, &amount);       /* keep */
    pthread_mutex_lock(&lock);
    int seen = balance;                                    /* keep */
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("slice: %d\n", seen);                           /* slice: seen */
    return 0;
}
