/* Arguments behind `...`, in registers and on the stack, and lists of them that are handed on. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct pair {
    int a, b;
};

static __attribute__((noinline)) int sum_list(const char *kinds, va_list list) {
    int total = 0;
    for (; *kinds; kinds++) {
        if (*kinds == 'i')
            total += va_arg(list, int);
        if (*kinds == 'd')
            total += (int)va_arg(list, double);
        if (*kinds == 'p') {
            struct pair *pair = va_arg(list, struct pair *);
            total += pair->a - pair->b;
        }
        if (*kinds == 's') {
            const char *text = va_arg(list, char *);
#ifdef FIXED
            if (!text)
                continue;
#endif
            total += text[0] + (int)strlen(text);
        }
    }
    return total;
}

static __attribute__((noinline)) int sum(int *ret, const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    *ret = sum_list(kinds, list);
    va_end(list);
    return *ret;
}

static __attribute__((noinline)) int add(const char *name, int n) {
    struct pair pair = {n, 3};
    int result;
    return sum(&result, "iidsidddddddddpsis", n, 2, 3.5, name, 4, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0,
               9.25, &pair, "constant", 77, (char *)NULL);
}

int main(void) {
    printf("%d\n", add("hello", 9));
    return 0;
}
