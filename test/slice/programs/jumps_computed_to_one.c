/* A computed goto that can only go to one place decides nothing, and its slice still runs. */
#include <stdio.h>

static int count(int n) {
    static void *table[] = {&&there};
    void *to = table[n & 0];          /* drop */
    int sum = n + 1;                  /* keep */
    goto *to;                         /* drop */
there:
    return sum * 2;                   /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int x = count(argc) + count(3);   /* keep */
    printf("slice: %d\n", x);         /* slice */
    return 0;
}
