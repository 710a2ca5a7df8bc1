/* After the join main sees the thread's last write, not the one the thread itself had overwritten. */
#include <pthread.h>
#include <stdio.h>

static int total;

static void *compute(void *argument) {
    int base = *(int *)argument;                           /* keep */
    int draft = base + 90;                                 /* drop */
    int final = base * 7;                                  /* keep */
    total = draft;                                         /* drop */
    total = final;                                         /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int base = argc + 1;                                   /* keep */
    pthread_create(&thread, NULL, compute, &base);         /* keep */
    pthread_join(thread, NULL);
    int seen = total;                                      /* keep */
    printf("slice: %d\n", seen);                           /* slice: seen */
    return 0;
}
