/* Structs by value of every class of the ABI: in registers, on the stack
 * (byval), returned in memory (sret), over-aligned, with bit-fields and
 * flexible arrays, through function pointers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct s1 { char c; };
struct s3 { char c[3]; };
struct s8 { int a, b; };
struct s12 { float x, y, z; };
struct s16 { long a; double d; };
struct s17 { char c[17]; };
struct s100 { int a[25]; };
struct s4k { char c[4096]; };
struct aligned { int a; } __attribute__((aligned(64)));
struct aligned32 { long a[3]; } __attribute__((aligned(32)));
struct packed { char c; long l; short s; } __attribute__((packed));
struct bits { unsigned a : 3, b : 5, c : 11; signed d : 7; uint64_t e : 41; };
struct flexible { int n; char text[]; };
struct nested { struct s100 inner; struct { int p, q; }; struct aligned last; };

#define NOINLINE __attribute__((noinline))

NOINLINE static long f1(struct s1 a, struct s3 b, struct s8 c, struct s12 d, struct s16 e) {
    return a.c + b.c[2] + c.a * c.b + (long)(d.x + d.y + d.z) + e.a + (long)e.d;
}
NOINLINE static int f2(int i, struct s17 a, struct s100 b, int j, struct s4k c, struct packed p) {
    a.c[3] += 1;
    b.a[7] += a.c[3];
    c.c[4095] += 2;
    return i + b.a[7] + j + c.c[4095] + (int)p.l + p.s;
}
NOINLINE static struct s100 r100(struct s100 in, int by) {
    for (int i = 0; i < 25; i++)
        in.a[i] += by;
    return in;
}
NOINLINE static struct s16 r16(struct s8 in) { return (struct s16){in.a, in.b / 2.0}; }
NOINLINE static struct aligned ra(struct aligned in, struct aligned32 more) {
    in.a += (int)more.a[2] + (((uintptr_t)&in % 64) != 0) + (((uintptr_t)&more % 32) != 0);
    return in;
}
NOINLINE static struct nested rn(struct nested in) {
    in.q += in.inner.a[24];
    in.last.a = (uintptr_t)&in.last % 64 == 0;
    return in;
}
NOINLINE static struct bits rb(struct bits b) {
    b.a += 1, b.d -= 3, b.e <<= 1;
    return b;
}

static long call(long (*f)(struct s100, struct s100 *), struct s100 a) { return f(a, &a); }
static long diff(struct s100 a, struct s100 *b) { b->a[0]++; return a.a[0] - b->a[0]; }

int main(void) {
    struct s1 a = {'a'};
    struct s3 b = {"bc"};
    struct s8 c = {3, 4};
    struct s12 d = {1.5f, 2.5f, 3.5f};
    struct s16 e = {100, 2.25};
    printf("%ld\n", f1(a, b, c, d, e));
    struct s17 s17 = {"seventeen"};
    struct s100 s100 = {{1, 2, 3, 4, 5, 6, 7, 8}};
    static struct s4k s4k;
    s4k.c[4095] = 9;
    struct packed p = {1, 20, 300};
    printf("%d %d %d %d\n", f2(1, s17, s100, 2, s4k, p), s17.c[3], s100.a[7], s4k.c[4095]);
    struct s100 r = r100(r100(s100, 1), 2);
    printf("%d %d\n", r.a[0], r.a[24]);
    struct s16 s = r16((struct s8){5, 7});
    printf("%ld %g\n", s.a, s.d);
    struct aligned al = {7};
    struct aligned32 m = {{1, 2, 3}};
    printf("%d\n", ra(al, m).a);
    struct nested n = {.inner = r, .p = 1, .q = 2};
    n = rn(n);
    printf("%d %d\n", n.q, n.last.a);
    struct bits bits = rb((struct bits){7, 9, 1000, -5, 1ull << 39});
    printf("%u %u %u %d %llu\n", bits.a, bits.b, bits.c, bits.d, (unsigned long long)bits.e);
    struct flexible *f = malloc(sizeof *f + 6);
    f->n = 6;
    memcpy(f->text, "flex!", 6);
    printf("%d %s %zu\n", f->n, f->text, sizeof *f);
    free(f);
    printf("%ld\n", call(diff, s100));
    struct { int a; struct s8 b[3]; } anon = {1, {{2, 3}, {4, 5}, {6, 7}}}, copy = anon;
    copy.b[1].a = 9;
    printf("%d %d\n", anon.b[1].a, copy.b[1].a);
    return 0;
}
