/* Functions that no cut separates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

static jmp_buf back;

__attribute__((noinline)) int deep(int x) {
    if (x > 3)
        longjmp(back, x);
    return x;
}
__attribute__((noinline)) int middle(int x) { return deep(x) + 1; }
__attribute__((noinline)) int guarded(int x) { return setjmp(back) ? -1 : middle(x); }

__attribute__((noinline)) int sum(int count, ...) {
    va_list list;
    int all = 0;
    va_start(list, count);
    while (count--)
        all += va_arg(list, int);
    va_end(list);
    return all;
}
__attribute__((noinline)) int caller(int x) { return sum(3, x, rand(), 2); }

__attribute__((noinline)) unsigned long now(void) {
    unsigned long low;
    __asm__ volatile("rdtsc" : "=a"(low) : : "rdx");
    return low;
}

int main(void) { return (guarded(rand() & 7) + caller(2) + (int)now()) & 1; }
