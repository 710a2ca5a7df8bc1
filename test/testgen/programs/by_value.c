/* Structs that are passed and returned by value, small and large; floating point numbers. */
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int x, y;
};
struct range {
    double low, high;
};
struct matrix {
    double m[3][3];
};

__attribute__((noinline)) struct matrix scale(struct matrix a, struct pair by, struct range in,
                                              float factor, const int *volatile limit) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            a.m[i][k] *= factor * by.x;
#ifdef FIXED
    if (limit)
#endif
        if (a.m[0][0] > in.low && a.m[0][0] < in.high)
            a.m[1][1] = *limit;
    return a;
}

static __attribute__((noinline)) double trace(struct pair by) {
    struct matrix one = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    one = scale(one, by, (struct range){1.5, 7.25}, 1.5f, NULL);
    return one.m[0][0] + one.m[1][1];
}

int main(int argc, char **argv) {
    (void)argv;
    printf("%g\n", trace((struct pair){argc + 1, 4}));
    return 0;
}
