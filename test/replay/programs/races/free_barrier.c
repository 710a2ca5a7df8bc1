/* Phases: each thread writes its part, and reads its neighbour's in the next. */
#include <pthread.h>
#include <stdio.h>

enum { count = 3, phases = 10 };
static pthread_barrier_t barrier;
static int parts[2][count];

static void *work(void *argument) {
    int self = (int)(long)argument;
    for (int phase = 0; phase < phases; phase++) {
        parts[phase % 2][self] = phase ? parts[(phase + 1) % 2][(self + 1) % count] + 1 : self;
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[count];
    pthread_barrier_init(&barrier, NULL, count);
    for (long i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %d\n", parts[1][0], parts[1][1], parts[1][2]);
    return 0;
}
