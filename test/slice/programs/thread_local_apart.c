/* Each thread has variables of its own: what the other thread writes to its copies does not reach main's. */
#include <pthread.h>
#include <stdio.h>

static _Thread_local int depth;
static __thread int width;

static void *other(void *argument) {
    int value = *(int *)argument;                          /* drop */
    depth = value + 40;                                    /* drop */
    width = value + 50;                                    /* drop */
    printf("%d\n", depth + width);                         /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int value = argc + 60;                                 /* drop */
    int deep = argc + 2;                                   /* keep */
    int wide = argc + 3;                                   /* keep */
    depth = deep;                                          /* keep */
    width = wide;                                          /* keep */
    pthread_create(&thread, NULL, other, &value);          /* drop */
    pthread_join(thread, NULL);                            /* drop */
    int area = depth * width;                              /* keep */
    printf("slice: %d\n", area);                           /* slice: area */
    return 0;
}
