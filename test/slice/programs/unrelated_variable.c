/* One thread writes two variables: what only leads to the other one is out. */
#include <pthread.h>
#include <stdio.h>

static int area;
static int rim;

static void *measure(void *argument) {
    int side = *(int *)argument;                           /* keep */
    int squared = side * side;                             /* keep */
    int around = side * 4;                                 /* drop */
    if (around > 100)                                      /* drop */
        around = around - 100;                             /* drop */
    rim = around;                                          /* drop */
    area = squared;                                        /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int side = argc + 4;                                   /* keep */
    pthread_create(&thread, NULL, measure, &side);         /* keep */
    pthread_join(thread, NULL);
    int doubled = area * 2;                                /* keep */
    int halved = rim / 2;                                  /* drop */
    printf("slice: %d\n", doubled);                        /* slice: doubled */
    printf("%d\n", halved);                                /* drop */
    return 0;
}
