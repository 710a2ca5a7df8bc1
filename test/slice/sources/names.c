/* Names in types, in builtins and in initialisers; an alias of what is needed. */
#include <stdio.h>
static int n, noise;
void real(void) { n = 5; noise++; }
void other(void) __attribute__((alias("real")));
static int f(int a, ...) { __builtin_va_list ap; __builtin_va_start(ap, a); int r = __builtin_va_arg(ap, int); __builtin_va_end(ap); return r; }
int main(int argc, char **argv) {
    int base = argc, unrelated = 3;
    long wide = 4;
    typeof(base) copy = 7;
    __typeof__(wide) w2 = 8;
    int pick = _Generic(wide, long: copy, default: unrelated);
    other();
    int arr[] = {[2] = pick, [0] = 1};
    struct { int a; } s = {.a = arr[2]}, *ps = &s;
    int k = f(2, ps->a) + (int)sizeof(w2) + (int)(unsigned char)argc;
    for (int i = 0, j = 3; i < j; i++, j--) { k += i; noise += j; }
    int m; m = ({ __auto_type q = k; q + 1; });
    k = m ?: 4;
    printf("slice: %d %d\n", k, n); /* slice */
    return noise;
}
