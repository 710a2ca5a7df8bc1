/* Threads of the C standard library: thrd_create, thrd_join with its result, and a mtx_t around both writes. */
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static int total;
static int calls;

static int add(void *argument) {
    int amount = *(int *)argument;                         /* keep */
    mtx_lock(&lock);
    total = total + amount;                                /* keep */
    calls = calls + 1;                                     /* drop */
    mtx_unlock(&lock);
    return amount * 2;                                     /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    thrd_t thread;
    int doubled;
    int amount = argc + 2;                                 /* keep */
    total = argc;                                          /* keep */
    calls = argc;                                          /* drop */
    mtx_init(&lock, mtx_plain);
    thrd_create(&thread, add, &amount);                    /* keep */
    mtx_lock(&lock);
    total = total + 5;                                     /* keep */
    mtx_unlock(&lock);
    thrd_join(thread, &doubled);                           /* keep */
    int sum = total + doubled;                             /* keep */
    printf("slice: %d\n", sum);                            /* slice: sum */
    printf("%d\n", calls);                                 /* drop */
    return 0;
}
