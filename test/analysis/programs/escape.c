/* A function without a model: what it reaches has escaped, what it does not has
 * not.  What the accesses of a line carry stands behind it. */
#include <stdlib.h>

extern void *mystery(void *);
struct box { int *inner; int number; };
int inner, unreached;
unsigned long hidden;
struct box box = {&inner, 1};
int *got; /* expect-at-least got: environment */

int main(void) {
    int sum = 0;
    got = mystery(&box);
    hidden = (unsigned long)&box;
    sum += box.number; /* bits: written */
    sum += *got;       /* bits: owned written handle */
    sum += inner;      /* bits: written */
    sum += unreached++; /* bits: none */
    sum += *(int *)(hidden + 4); /* bits: written */
    return sum;
}
