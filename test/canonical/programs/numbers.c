/* Wide and odd arithmetic: atomics, __int128, long double, _Complex, vectors
 * and AVX, half and bit-precise integers, 64-byte aligned locals. */
#include <complex.h>
#include <immintrin.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float v8f __attribute__((vector_size(32)));
typedef double v8d __attribute__((vector_size(64)));

#define NOINLINE __attribute__((noinline))

NOINLINE static __int128 multiply(__int128 a, __int128 b) { volatile __int128 t = a; return t * b; }
NOINLINE static long double hypot3(long double a, long double b) { long double t[2] = {a * a, b * b}; return t[0] + t[1]; }
NOINLINE static double complex rotate(double complex z) { double complex t[2] = {z, z * I}; return t[1] + conj(t[0]); }
NOINLINE static v4 shuffle(v4 v) { v4 t = __builtin_shufflevector(v, v, 3, 2, 1, 0); v4 *p = &t; (*p)[1] += 10; return *p; }
NOINLINE static v8f add8(v8f a, v8f b) { v8f t[2] = {a, b}; return t[0] + t[1]; }
NOINLINE static v8d add64(v8d a) { v8d t = a; double *p = (double *)&t; p[7] = 100; return t + a; }

__attribute__((target("avx2"))) NOINLINE static int avx(void) {
    _Alignas(32) int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8];
    __m256i v = _mm256_load_si256((const __m256i *)a);
    _mm256_store_si256((__m256i *)b, _mm256_add_epi32(v, v));
    int s = 0;
    for (int i = 0; i < 8; i++)
        s += b[i];
    return s;
}

NOINLINE static int aligned_locals(int n) {
    _Alignas(64) char a[3];
    _Alignas(256) char b;
    char c;
    _Alignas(1024) int d[5];
    a[0] = b = c = (char)n;
    d[4] = n;
    return ((uintptr_t)a % 64 == 0) + ((uintptr_t)&b % 256 == 0) + ((uintptr_t)d % 1024 == 0) + (a[0] == c) + d[4] * 10 + (n ? aligned_locals(n - 1) : 0);
}

struct pair { atomic_int a; _Atomic(long) b; };
NOINLINE static long atomics(void) {
    struct pair p = {1, 2};
    _Atomic unsigned char bytes[10] = {0};
    long expected = 2;
    atomic_fetch_add(&p.a, 5);
    atomic_compare_exchange_strong(&p.b, &expected, 50);
    atomic_fetch_or(&bytes[3], 0x41);
    atomic_flag f = ATOMIC_FLAG_INIT;
    int first = atomic_flag_test_and_set(&f), second = atomic_flag_test_and_set(&f);
    __sync_fetch_and_add(&expected, 3);
    return p.a + p.b + bytes[3] + first * 1000 + second * 10000 + expected;
}

NOINLINE static int bit_precise(int n) {
    _BitInt(93) x = n;
    for (int i = 0; i < 60; i++)
        x = x * 3 + 1;
    unsigned _BitInt(7) y = (unsigned _BitInt(7))(n * 77);
    return (int)(x >> 60) + (int)y;
}

int main(void) {
    __int128 big = multiply((__int128)1 << 70, 12345);
    printf("%016llx%016llx\n", (unsigned long long)(big >> 64), (unsigned long long)big);
    printf("%Lg\n", hypot3(3.0L, 4.0L));
    double complex z = rotate(1.5 + 2.5 * I);
    printf("%g %g %g\n", creal(z), cimag(z), creal(z * z / (1 + I)));
    v4 v = shuffle((v4){1, 2, 3, 4});
    printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]);
    v8f f = add8((v8f){1, 2, 3, 4, 5, 6, 7, 8}, (v8f){8, 7, 6, 5, 4, 3, 2, 1});
    printf("%g %g\n", (double)f[0], (double)f[7]);
    v8d d = add64((v8d){1, 2, 3, 4, 5, 6, 7, 8});
    printf("%g %g\n", d[0], d[7]);
    printf("%d\n", __builtin_cpu_supports("avx2") ? avx() : 72);
    printf("%d\n", aligned_locals(3));
    printf("%ld\n", atomics());
    printf("%d\n", bit_precise(5));
    _Float16 h = 1.5f16, hs[3] = {h, h * 2, 4};
    printf("%g\n", (double)(hs[0] + hs[1] + hs[2]));
    return 0;
}
