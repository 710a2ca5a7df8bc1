/* Functions whose implementation is chosen when the program is loaded, with
 * and without locals in the resolver; target_clones; called by pointer. */
#include <stdio.h>
#include <string.h>

static int implementation_a(int x) { char a[20]; memset(a, x, 20); return a[19] + 1; }
static int implementation_b(int x) { return x + 2; }
typedef int function(int);

static int pick(void) {
    volatile int table[4] = {1, 0, 1, 0};
    return table[2];
}
static function *resolve(void) { return pick() ? implementation_a : implementation_b; }
int chosen(int) __attribute__((ifunc("resolve")));
static function *resolve_static(void) { return implementation_b; }
static int chosen_static(int) __attribute__((ifunc("resolve_static")));

__attribute__((target_clones("avx2", "default"))) int cloned(int n) {
    int s = 0;
    int a[64];
    for (int i = 0; i < 64; i++)
        a[i] = i * n;
    for (int i = 0; i < 64; i++)
        s += a[i];
    return s;
}

static function *const table[] = {chosen, chosen_static};

int main(void) {
    function *volatile p = chosen;
    printf("%d %d %d\n", chosen(5), chosen_static(5), p(6));
    printf("%d %d\n", table[0](1), table[1](1));
    printf("%d\n", cloned(3));
    return 0;
}
