/* The writer takes the lock, the reader does not. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *writer(void *argument) {
    pthread_mutex_lock(&lock);
    balance = 10; /* race */
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *reader(void *argument) {
    *(int *)argument = balance; /* race */
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int seen = 0;
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, &seen);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", seen == 0 || seen == 10);
    return 0;
}
