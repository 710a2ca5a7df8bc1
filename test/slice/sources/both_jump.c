/* Both ways of an if jump away: what follows is reached by a label alone. */
#include <stdio.h>
static int noise;
static void work(int n, int *p) {
    if (n == 3)
        goto middle;
    if (n & 1) {
        noise++;
        goto end;
    } else {
        noise--;
        goto end;
    }
middle:
    *p += 10;
end:
    noise += 2;
}
int main(int argc, char **argv) {
    int x = argc;
    for (int i = 0; i < 6; i++)
        work(i, &x);
    (void)argv;
    printf("slice: %d\n", x); /* slice */
    printf("%d\n", noise);
    return 0;
}
