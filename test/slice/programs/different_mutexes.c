/* Writer and reader hold different mutexes, so the reader may see the value that the writer overwrites in its block. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;
static atomic_int level;
static int writes;

static void *writer(void *argument) {
    int amount = *(int *)argument;                         /* keep */
    int draft = amount + 1;                                /* keep */
    int final = amount * 2 - 1;                            /* keep */
    pthread_mutex_lock(&writing);
    level = draft;                                         /* keep */
    level = final;                                         /* keep */
    writes = amount;                                       /* drop */
    pthread_mutex_unlock(&writing);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int amount = argc + 1;                                 /* keep */
    level = argc + 2;                                      /* keep */
    pthread_create(&thread, NULL, writer, &amount);        /* keep */
    pthread_mutex_lock(&reading);
    int seen = level;                                      /* keep */
    pthread_mutex_unlock(&reading);
    pthread_join(thread, NULL);
    printf("slice: %d\n", seen);                           /* slice: seen */
    printf("%d\n", writes);                                /* drop */
    return 0;
}
