/* Inside one thread a function is called twice: only the call whose result is asked for counts. */
#include <pthread.h>
#include <stdio.h>

static int wanted;
static int unwanted;

static int id(int v) {
    return v;                                              /* keep */
}

static void *work(void *argument) {
    int base = *(int *)argument;                           /* keep */
    int a = base + 1;                                      /* keep */
    int b = base + 2;                                      /* drop */
    int x = id(a);                                         /* keep */
    int y = id(b);                                         /* drop */
    wanted = x;                                            /* keep */
    unwanted = y;                                          /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t worker;
    int base = argc + 5;                                   /* keep */
    pthread_create(&worker, NULL, work, &base);            /* keep */
    pthread_join(worker, NULL);
    printf("slice: %d\n", wanted);                         /* slice: wanted */
    printf("%d\n", unwanted);                              /* drop */
    return 0;
}
