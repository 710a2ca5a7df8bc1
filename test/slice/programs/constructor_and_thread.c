/* The same in a program with threads, which have an order. */
#include <pthread.h>
#include <stdio.h>

static int first, second, copied;

static __attribute__((constructor)) void begin(void) {
    first = 3;                                             /* keep */
    second = 4;                                            /* drop */
}

static void *copy(void *unused) {
    copied = first + 1;                                    /* keep */
    return unused;
}

int main(int argc, char **argv) {
    pthread_t thread;
    pthread_create(&thread, NULL, copy, NULL);             /* keep */
    pthread_join(thread, NULL);
    printf("slice: %d\n", copied);                         /* slice: copied */
    printf("%d %d %s\n", argc, second, argv[0]);           /* drop */
    return 0;
}
