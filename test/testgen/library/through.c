/* A recursion that comes through a function in the middle of the stack: it has no test, and calls
 * what has one. */
#include <stdio.h>

#include "shelf.h"

static __attribute__((noinline)) int down(struct shelf *shelf, int *sum, int depth);

static __attribute__((noinline)) int middle(struct shelf *shelf, int *sum, int depth) {
    return down(shelf, sum, depth - 1) + shelf->first->size;
}

static __attribute__((noinline)) int down(struct shelf *shelf, int *sum, int depth) {
    if (depth == 500)
        return middle(shelf, sum, depth) + 1;
#ifdef FIXED
    if (!sum)
        return 0;
#endif
    *sum += shelf->first->size;
    return down(shelf, depth > 1 ? sum : NULL, depth - 1) + 1;
}

int main(void) {
    struct shelf *shelf = shelf_new();
    int sum = 0;
    shelf_add(shelf, "lamp", 2);
    printf("%d\n", down(shelf, &sum, 1000));
    return 0;
}
