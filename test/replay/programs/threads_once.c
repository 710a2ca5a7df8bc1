/* What a once function writes is seen by all who come after it: as often as it takes for
 * one of them to come at the very moment it is done. */
#include <pthread.h>
#include <stdio.h>

enum { workers = 3, controls = 4000 };

static pthread_once_t once[controls];
static unsigned long value[controls];
static _Thread_local unsigned at;

static void initialise(void) { value[at] = at + 1; }

static void *work(void *argument) {
    unsigned long *sum = argument;
    for (at = 0; at < controls; at++) {
        pthread_once(&once[at], initialise);
        *sum = *sum * 31 + value[at];
    }
    return NULL;
}

int main(void) {
    static const pthread_once_t fresh = PTHREAD_ONCE_INIT;
    for (unsigned i = 0; i < controls; i++)
        once[i] = fresh;
    pthread_t all[workers];
    unsigned long sums[workers] = {0};
    for (unsigned i = 0; i < workers; i++)
        if (pthread_create(&all[i], NULL, work, &sums[i]) != 0)
            return 1;
    for (unsigned i = 0; i < workers; i++) {
        pthread_join(all[i], NULL);
        printf("%u: %lx\n", i, sums[i]);
    }
    return 0;
}
