/* The thread stores a pointer under a key, and a function it calls fetches it again. */
#include <pthread.h>
#include <stdio.h>

static pthread_key_t key;
static int result;
static int length;

static int fetch(void) {
    int *stored = pthread_getspecific(key);                /* keep */
    return *stored;                                        /* keep */
}

static void *work(void *argument) {
    int own = *(int *)argument + 3;                        /* keep */
    int spare = *(int *)argument + 4;                      /* drop */
    pthread_setspecific(key, &own);                        /* keep */
    length = spare;                                        /* drop */
    result = fetch() + 1;                                  /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t worker;
    int start = argc + 1;                                  /* keep */
    pthread_key_create(&key, NULL);                        /* keep */
    pthread_create(&worker, NULL, work, &start);           /* keep */
    pthread_join(worker, NULL);
    printf("slice: %d\n", result);                         /* slice: result */
    printf("%d\n", length);                                /* drop */
    return 0;
}
