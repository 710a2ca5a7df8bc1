/* A thread crashes while the others are at work. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long trail;
static const char *how = "";
static int *volatile nowhere;

static void fail(void) {
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "free") == 0)
        free((char *)malloc(10) + 16);
    *nowhere = 1;
}

static void *run(void *argument) {
    unsigned long me = (unsigned long)argument;
    for (unsigned i = 0;; i++) {
        pthread_mutex_lock(&lock);
        trail = trail * 31 + me + i;
        if (trail % 4096 == 77 && i > 20) {
            printf("trail %lx in %lu\n", trail, me);
            fflush(stdout);
            fail();
        }
        pthread_mutex_unlock(&lock);
        if (i % 100 == 0)
            usleep(10);
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc > 1)
        how = argv[1];
    pthread_t all[3];
    for (unsigned long i = 0; i < 3; i++)
        pthread_create(&all[i], NULL, run, (void *)(i + 1));
    for (unsigned i = 0; i < 3; i++)
        pthread_join(all[i], NULL);
    return 0;
}
