/* Forward: what main writes goes into the thread by data and by a condition, and back to main after the join. */
/* options: --forward */
#include <pthread.h>
#include <stdio.h>

static int shared, untouched;
static int result, quiet, guarded;

static void *work(void *unused) {
    (void)unused;
    int seen = shared;                                     /* keep */
    result = seen * 2;                                     /* keep */
    quiet = untouched;                                     /* drop */
    if (seen > 2)                                          /* keep */
        guarded = untouched;                               /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int source = argc + 2;                                 /* slice */
    int other = argc + 3;                                  /* drop */
    shared = source;                                       /* keep */
    untouched = other;                                     /* drop */
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    int last = result + 1;                                 /* keep */
    printf("slice: %d\n", last);                           /* keep */
    printf("%d\n", guarded);                               /* keep */
    printf("%d\n", quiet);                                 /* drop */
    return 0;
}
