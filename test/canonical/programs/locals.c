/* Locals whose address is taken: scalars, arrays, structs, unions, in loops,
 * in recursion, and passed down and up. */
#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct big { long a[40]; };
union word { unsigned long u; unsigned char c[8]; double d; };

static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }

static void fill(int *a, int n, int seed) {
    for (int i = 0; i < n; i++)
        a[i] = (seed = seed * 1103515245 + 12345) & 0xffff;
}

static void sort(int *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (a[j] < a[i])
                swap(&a[i], &a[j]);
}

static struct big make_big(int seed) {
    struct big b;
    for (int i = 0; i < 40; i++)
        b.a[i] = seed + i;
    return b;
}

static long sum_big(struct big b) {
    long s = 0;
    for (int i = 0; i < 40; i++)
        s += b.a[i];
    memset(&b, 0, sizeof b);
    return s;
}

static int depth(int n, int *up) {
    int here[4] = {n, *up, n + 1, n + 2};
    if (n == 0)
        return here[0] + here[1];
    int below = depth(n - 1, &here[2]);
    return below + here[3] - here[1];
}

static char *chain(char *into, const char *from) {
    char copy[32];
    snprintf(copy, sizeof copy, "<%s>", from);
    return strcpy(into, copy);
}

int main(void) {
    int a[50], x = 1, y = 2;
    swap(&x, &y);
    fill(a, 50, 7);
    sort(a, 50);
    printf("%d %d %d %d %d\n", x, y, a[0], a[25], a[49]);
    struct big b = make_big(3), c = make_big(4);
    printf("%ld %ld %ld\n", sum_big(b), sum_big(c), b.a[39]);
    struct point p[3] = {{1, 2}, {3, 4}, {5, 6}}, *q = p;
    for (struct point r = {7, 8}; q < p + 3; q++, r.x++)
        *q = (struct point){q->y + r.x, q->x + r.y};
    printf("%d %d %d\n", p[0].x, p[1].y, p[2].x);
    union word w = {.d = 1.5};
    printf("%#lx %d\n", w.u, w.c[7]);
    int up = 5;
    printf("%d\n", depth(200, &up));
    char s[64], t[64];
    printf("%s %s\n", chain(s, "one"), chain(t, chain(s, "two")));
    int *escaped[10];
    for (int i = 0; i < 10; i++) {
        int inner = i;
        escaped[i] = &inner;
        *escaped[i] += 1;
        x += inner;
    }
    printf("%d\n", x);
    return x & 0x7f;
}
