/* Parameters of every kind: structs by value with all that they can hold, unions, long double,
 * complex numbers, pointers to arrays, arrays whose length is a parameter. */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum color { RED, GREEN = 5, BLUE = 1000 };
enum flags { FLAG_A = 1, FLAG_B = 2, FLAG_C = 4 };
typedef int (*binary)(int, int);
struct bits {
    signed a : 3;
    unsigned b : 5;
    bool c : 1;
    enum color color : 12;
    unsigned long long wide : 40;
};
struct inner {
    struct {
        int x, y;
    };
    union {
        float f;
        int i;
    };
    enum flags flags;
};
struct large {
    char name[40];
    struct inner in[2];
    struct bits bits;
    long double wide;
    const volatile int fixed;
    double _Complex z;
    wchar_t text[4];
    _Bool yes;
    signed char least;
    uint8_t raw[6];
    struct large *next;
    binary op;
};
struct small {
    short a;
    char b;
};
struct two {
    double x;
    long n;
};
union number {
    int i;
    float f;
    struct small *small;
};

static int add(int a, int b) { return a + b; }
static __attribute__((noinline)) int subtract(int a, int b) { return a - b; }

__attribute__((noinline)) int inner(struct large large, struct small small, struct two two,
                                    union number number, long double wide, double _Complex z,
                                    float f, bool yes, enum color color, const volatile int *fixed,
                                    binary op, binary ops[2], int grid[][3], char (*lines)[2][8],
                                    int n, int square[n][n]) {
    int sum = op(large.in[0].x, small.a) + ops[1](3, 4) + grid[1][2] + square[n - 1][n - 1] +
              (int)two.x + (int)two.n + (int)creal(z) + (int)wide + (int)f + yes + (int)color +
              *fixed + lines[1][1][0];
#ifdef FIXED
    if (!number.small)
        return sum;
#endif
    return number.small->a + large.next->in[1].x + sum;
}

__attribute__((noinline)) struct large outer(int n, const struct large *from, const char *what) {
    struct large copy = *from;
    int square[n][n];
    memset(square, 0, sizeof square);
    square[n - 1][n - 1] = n;
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    char lines[2][2][8] = {{"echo", "hi"}, {"quit", "!"}};
    binary ops[2] = {add, subtract};
    volatile int fixed = (int)strlen(what);
    union number number = {.small = NULL};
    copy.in[0].x =
        inner(copy, (struct small){1, 'q'}, (struct two){2.5, 77}, number, 3.25L, 1.5 + 2 * I, 0.1f,
              true, BLUE, &fixed, from->op, ops, grid, lines, n, square);
    return copy;
}

int main(int argc, char **argv) {
    (void)argv;
    struct large first = {
        .name = "a \"quoted\" \\ name\n\x01\xff",
        .in = {{{1, 2}, {.f = 1e-30f}, FLAG_A | FLAG_C}, {{3, 4}, {.i = -1}, FLAG_B}},
        .bits = {-3, 30, true, BLUE, 0xfedcba9876ULL},
        .wide = 1.0L / 3,
        .fixed = 9,
        .z = 1.0 / 3 * I,
        .text = L"\u00e4b",
        .yes = true,
        .least = -128,
        .raw = {1, 2, 3, 4, 5, 255},
        .op = subtract};
    struct large result = outer(argc + 2, &first, "what?\?=");
    return result.in[0].x == 0;
}
