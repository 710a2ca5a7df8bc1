/* Thread-locals, locals and neighbours in one word are each one thread's own. */
#include <pthread.h>
#include <stdio.h>

static _Thread_local int mine[4];
static char bytes[8];

static int sum(const int *numbers) {
    int result = 0;
    for (int i = 0; i < 4; i++)
        result += numbers[i];
    return result;
}

static void *work(void *argument) {
    int self = (int)(long)argument, own[4];
    for (int i = 0; i < 100; i++) {
        mine[i % 4] += self;
        own[i % 4] = i;
        bytes[self]++;
    }
    return (void *)(long)(sum(mine) + sum(own));
}

int main(void) {
    pthread_t threads[8];
    long all = 0;
    for (long i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 8; i++) {
        void *result;
        pthread_join(threads[i], &result);
        all += (long)result;
    }
    printf("%ld %d\n", all, bytes[7]);
    return 0;
}
