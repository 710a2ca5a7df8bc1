/* A number that is copied lies in front of a pointer that is not: nobody sees who changes that. */
#include <stdlib.h>

int first __attribute__((aligned(8))) = 1;
int second = 2;
int *place = &first;
int **volatile hidden = &place;

static __attribute__((noinline)) void fail(void) {
#ifdef FIXED
    return;
#endif
    if (*place == 5)
        *(volatile int *)(long)(second - 3) = second;
}

static __attribute__((noinline)) int work(int *room) {
    int was = *place;
    second = 3;
    *hidden = room;
    **hidden = 5;
    fail();
    return was;
}

int main(void) {
    int *room = calloc(4, sizeof *room);
    return work(room) + work(room);
}
