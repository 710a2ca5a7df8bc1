/* What a pragma belongs to must not change. */
#include <stdio.h>

static int noise;

static int sum(int n) {
    int r = 0;
#pragma clang loop unroll(disable)
    for (int i = 0; i < n; i++)
        noise += i;
    r += n;
#pragma clang loop unroll(disable)
    for (int i = 0; i < n; i++)
        r += i;
    return r;
}

int main(int argc, char **argv) {
    (void)argv;
    printf("slice: %d\n", sum(argc + 3)); /* slice */
    printf("%d\n", noise);
    return 0;
}
