/* Handed to a thread when it is made, and back when it ends; slots are used again. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int shared;

static int deep(int *numbers, int depth) {
    int here[16];
    for (int i = 0; i < 16; i++)
        here[i] = numbers[i % 4] + depth;
    return depth ? deep(here, depth - 1) : here[3];
}

static void *work(void *argument) {
    int *numbers = argument, *result = malloc(sizeof *result);
    shared += numbers[0];
    *result = deep(numbers, 5);
    return result;
}

int main(void) {
    long sum = 0;
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        int numbers[4] = {i, i + 1, i + 2, i + 3};
        void *result;
        shared = i;
        pthread_create(&thread, NULL, work, numbers);
        pthread_join(thread, &result);
        sum += *(int *)result + shared;
        free(result);
    }
    printf("%ld\n", sum);
    return 0;
}
