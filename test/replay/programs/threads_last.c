/* The first thread ends by itself, and the last one ends the program: whichever that is, with all
 * that is done at the end. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_t first;
static const char *how;

static void say(const char *what) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("%s at %ld\n", what, now.tv_nsec);
}

static void at_end(void) { say("at the end"); }

static __attribute__((destructor)) void after_end(void) { say("destructor"); }

static void *work(void *argument) {
    if (strcmp(how, "other") == 0 && argument)
        pthread_join(first, NULL);
    else if (strcmp(how, "race") == 0)
        usleep(500);
    say("other thread");
    return argument;
}

int main(int arguments, char **argument) {
    pthread_t other[2];
    how = arguments > 1 ? argument[1] : "other";
    atexit(at_end);
    first = pthread_self();
    for (int i = 0; i < 2; i++)
        pthread_create(&other[i], NULL, work, i ? &first : NULL);
    if (strcmp(how, "first") == 0)
        for (int i = 0; i < 2; i++)
            pthread_join(other[i], NULL);
    say("first thread");
    pthread_exit(NULL);
}
