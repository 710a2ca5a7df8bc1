/* What one writes into a pipe, another reads: what was done before it is there. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2], value;

static void *produce(void *argument) {
    value = 17;
    return write(ends[1], "x", 1) == 1 ? argument : NULL;
}

int main(void) {
    pthread_t thread;
    char byte;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&thread, NULL, produce, NULL);
    int seen = read(ends[0], &byte, 1) == 1 ? value : 0;
    pthread_join(thread, NULL);
    printf("%d\n", seen);
    return 0;
}
