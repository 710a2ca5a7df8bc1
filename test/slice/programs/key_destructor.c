/* What a thread keeps by a key is given to the key's function when the thread ends. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t key;
static int released;
static int length;

static void give_back(void *kept) {
    released = *(int *)kept;                               /* keep */
    free(kept);
}

static void *work(void *argument) {
    int *own = malloc(sizeof *own);                        /* keep */
    *own = *(int *)argument + 3;                           /* keep */
    length = *(int *)argument + 4;                         /* drop */
    pthread_setspecific(key, own);                         /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t worker;
    int start = argc + 1;                                  /* keep */
    pthread_key_create(&key, give_back);                   /* keep */
    pthread_create(&worker, NULL, work, &start);           /* keep */
    pthread_join(worker, NULL);
    printf("slice: %d\n", released);                       /* slice: released */
    printf("%d\n", length);                                /* drop */
    return 0;
}
