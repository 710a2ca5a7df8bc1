/* Old definitions, labels as values, attributes, types and statements in expressions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int noise, started;
static int old(a, b)
    int a;
    int b;
{
    noise++;
    return a + b;
}
static int labels(int n) {
    static void *const table[] = {&&zero, &&one, &&two};
    int r = 0;
    goto *table[n % 3];
zero: r += 1; noise++;
one: r += 2;
two: r += 4;
    return r;
}
static void done(int *p) { noise += *p; }
static int cleanup(int n) {
    __attribute__((cleanup(done))) int guard = n;
    int twice = guard * 2;
    noise++;
    return twice;
}
static int vla(int n) {
    int a[n], unused[n];
    memset(a, 0, sizeof a);
    memset(unused, 0, sizeof unused);
    for (int i = 0; i < n; i++) a[i] = i, unused[i] = a[i];
    return a[n - 1];
}
static int expression(int n) {
    int r = ({ int t = n; if (t > 100) return 7; t * 3; });
    ({ if (n == 1000) return 8; noise++; });
    return r;
}
static int types(int n) {
    struct local { int a; char b; } v = {n, 2};
    enum { ONE = 1, TWO };
    typedef struct local alias;
    extern int printf(const char *, ...);
    extern int elsewhere;
    static int counter = 3;
    alias w = v;
    noise += v.b;
    counter += ONE;
    return w.a + counter + TWO + elsewhere;
}
int elsewhere = 5;
static int conditional(int n) {
    int r = n;
#ifdef NEVER
    if (n)
#else
    if (n > 3)
#endif
        noise++;
#if 1
    else
        noise--;
#endif
    if (r > 0) {
#ifdef NEVER
        r++;
    } else {
#else
        r += 2;
#endif
    }
    return r;
}
static struct pair { int x, y; } both(int n) {
    struct pair p = {n, n + 1};
    if (n < 0) return (struct pair){0, 0};
    noise++;
    return p;
}
static const char *name(int n) {
    switch (n) {
    case 1: { noise++; return "one"; }
    case 2: { if (noise) return "two"; else return "zwei"; }
    case 3 ... 9: noise--; break;
    default: noise += 2;
    }
    return "many";
}
static __attribute__((noinline)) int unused(int n) { return n; }
__attribute__((constructor)) static void early(void) { started = 1; }
__attribute__((noinline)) static int prefixed(int n) { noise++; return n + 1; }
static inline __attribute__((always_inline)) int inlined(int n) { noise++; return n + 2; }
int main(int argc, char **argv) {
    int x = old(argc, 2);
    x += labels(argc + 1);
    x += cleanup(x) + vla(4);
    x += expression(argc) + types(3) + conditional(argc);
    x += both(argc).y;
    struct pair q = both(2);
    x += (int)strlen(name(5)) + (int)strlen(name(argc)) + prefixed(1) + inlined(2);
    x = x > 3 ? x + 1 : (noise++, 4);
    noise += q.x;
    if (x == -1) abort(); else if (x == -2) { exit(3); }
    printf("slice: %d\n", x); /* slice */
    printf("%d\n", noise);
    return noise;
}
