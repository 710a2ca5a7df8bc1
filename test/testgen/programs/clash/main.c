/* Types, functions and variables of one name in two files, and a function of the old style. */
#include <stdio.h>

typedef struct {
    int a;
    struct {
        int x, y;
    };
    union {
        int i;
        float f;
    } u;
} thing;
int other(int n, void *p);
static int counter;

static __attribute__((noinline)) int helper(thing *t, int n) {
    counter += n;
    return other(t->a + t->x + n, t->u.i ? t : NULL);
}

__attribute__((noinline)) int old_style(a, text) int a;
char *text;
{
    thing t = {a, {2, 3}, {5}};
    return helper(&t, text[0]);
}

int main(void) {
    printf("%d %d\n", old_style(4, "A"), counter);
    return 0;
}
