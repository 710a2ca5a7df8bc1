/* One waits for a flag of the other's, which is volatile and no more. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile int stop;

static void *work(void *argument) {
    int turns = 0;
    while (!stop && turns < 1000) { /* race */
        turns++;
        usleep(100);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    usleep(2000);
    stop = 1; /* race */
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
