/* A counter with its lock, taken or tried for. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *argument) {
    for (int i = 0; i < 200; i++) {
        if (i % 3 == 0)
            while (pthread_mutex_trylock(&lock) != 0)
                ;
        else
            pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static int look(void) {
    pthread_mutex_lock(&lock);
    int seen = counter;
    pthread_mutex_unlock(&lock);
    return seen;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    int seen = look();
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", counter, seen <= counter);
    return 0;
}
