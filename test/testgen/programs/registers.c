/* Parameters of all kinds, more than there are registers: structs, vectors, complex and wide numbers. */
#include <complex.h>
#include <stdio.h>

typedef float four __attribute__((vector_size(16)));
struct big {
    long a[5];
    char *text;
};
struct mixed {
    double x;
    int y;
};
struct pair {
    float a, b;
};
struct triple {
    float a, b, c;
};
struct longs {
    long a, b;
};
union value {
    int i;
    double d;
};
struct tagged {
    int kind;
    union value value;
};

__attribute__((noinline)) int add(struct big big, long double wide, four v, float _Complex c,
                                  double _Complex dc, __int128 huge, struct mixed mixed, struct pair pair,
                                  struct triple triple, union value value, struct tagged tagged,
                                  struct longs longs, _Bool yes, unsigned char character, short number) {
    double sum = (double)big.a[3] + (double)wide + v[2] + crealf(c) + cimag(dc) + (double)huge + mixed.x +
                 mixed.y + pair.b + triple.c + value.i + tagged.value.d + (double)longs.b + yes + character +
                 number;
#ifndef FIXED
    if (sum > 0)
        return big.text[0];
#endif
    return (int)sum;
}

__attribute__((noinline)) struct big make(struct big big, int n) {
    four v = {1, 2, 3, 4};
    big.a[3] = n;
    big.a[0] = add(big, 2.5L, v, 1.0f + 2.0f * I, 3.0 + 4.5 * I, (__int128)1 << 3, (struct mixed){5, 6},
                   (struct pair){7, 8}, (struct triple){1, 2, 9}, (union value){.i = 12},
                   (struct tagged){1, {.d = 13.5}}, (struct longs){80, 81}, 1, 'A', -1);
    return big;
}

int main(void) {
    struct big big = make((struct big){{1, 2, 3, 4, 5}, NULL}, 17);
    printf("%ld\n", big.a[0]);
    return 0;
}
