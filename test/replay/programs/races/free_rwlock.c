/* Many read, one writes. */
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[16];

static void *reader(void *argument) {
    long sum = 0;
    for (int i = 0; i < 100; i++) {
        pthread_rwlock_rdlock(&lock);
        for (int k = 1; k < 16; k++)
            sum += table[k] != table[0];
        pthread_rwlock_unlock(&lock);
    }
    *(long *)argument = sum;
    return NULL;
}

static void *writer(void *argument) {
    for (int i = 0; i < 100; i++) {
        pthread_rwlock_wrlock(&lock);
        for (int k = 0; k < 16; k++)
            table[k] = i;
        pthread_rwlock_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t threads[4];
    long odd[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, reader, &odd[i]);
    pthread_create(&threads[3], NULL, writer, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%ld %ld %ld\n", odd[0], odd[1], odd[2]);
    return 0;
}
