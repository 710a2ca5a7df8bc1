#include <stddef.h>

typedef struct {
    char *name;
    int other[3];
} thing;
static int counter = 10;

static __attribute__((noinline)) int helper(thing *t, int n) {
#ifdef FIXED
    if (!t->name)
        return 0;
#endif
    counter++;
    return t->name[n] + t->other[1];
}

int other(int n, void *p) {
    thing t = {NULL, {1, n, 3}};
    counter += n;
    return helper(&t, n) + (p != NULL) + counter;
}
