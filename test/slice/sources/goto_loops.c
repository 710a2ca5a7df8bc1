/* Loops that are made of goto are left as before, though nothing of them is wanted. */
#include <stdio.h>
static int noise;
static int loop(int n) {
    int kept = n + 1, i = n;
again:
    if (i < 1)
        goto out;
    i--;
    noise += i;
    if (noise > 1000)
        return -1;
    goto again;
out:
    return kept;
}
int main(int argc, char **argv) {
    (void)argv;
    int i = argc + 10;
    int x = loop(argc + 3);
    printf("slice: %d\n", x); /* slice */
L:
    if (i < 1)
        goto done;
    i--;
    noise += i;
    goto L;
done:
    return noise & 0;
}
