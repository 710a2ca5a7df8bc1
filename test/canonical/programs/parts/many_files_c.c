#include <stdarg.h>
#include <stdio.h>
static int counter = 1000;
long common_array[20];
static int helper(int x) { return counter += x; }
int c_work(int n) { int a[4] = {n, n, n, n}; return helper(a[3]); }
double c_real(double x) { return x * 2.5; }
void variadic_elsewhere(int n, ...) {
    va_list l;
    va_start(l, n);
    int s = 0;
    while (n--)
        s += va_arg(l, int);
    va_end(l);
    printf("%d\n", s);
}
