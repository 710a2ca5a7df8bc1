/* Variable arguments: every kind of value, more than registers hold, copied,
 * passed down, walked twice, structs, long double, and from K&R callers. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

struct small { int a, b; };
struct mixed { long l; double d; };
struct large { char c[40]; int n; };

static double vsum(const char *kinds, va_list args) {
    double s = 0;
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': s += va_arg(args, int); break;
        case 'l': s += (double)va_arg(args, long); break;
        case 'd': s += va_arg(args, double); break;
        case 'D': s += (double)va_arg(args, long double); break;
        case 'p': s += *va_arg(args, int *); break;
        case 's': s += va_arg(args, struct small).b; break;
        case 'm': s += va_arg(args, struct mixed).d; break;
        case 'L': s += va_arg(args, struct large).n; break;
        case 'x': s += (double)va_arg(args, __int128); break;
        }
    return s;
}

static double sum(const char *kinds, ...) {
    va_list args, again;
    va_start(args, kinds);
    va_copy(again, args);
    double first = vsum(kinds, args), second = vsum(kinds, again);
    va_end(args);
    va_end(again);
    return first == second ? first : -1;
}

static int by_pointer(int n, va_list *args) {
    int s = 0;
    while (n--)
        s += va_arg(*args, int);
    return s;
}

static int halves(int n, ...) {
    va_list args;
    va_start(args, n);
    int a = by_pointer(n / 2, &args), b = by_pointer(n - n / 2, &args);
    va_end(args);
    return a * 1000 + b;
}

static int vformat(char *into, size_t size, const char *format, va_list args) {
    va_list copy;
    va_copy(copy, args);
    int need = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    char buffer[need + 1];
    vsnprintf(buffer, sizeof buffer, format, args);
    return snprintf(into, size, "[%s]", buffer);
}

static int format(char *into, size_t size, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int n = vformat(into, size, fmt, args);
    va_end(args);
    return n;
}

static int recursive(int depth, ...) {
    va_list args;
    va_start(args, depth);
    int a = va_arg(args, int), below = depth ? recursive(depth - 1, a + 1, a) : 0, b = va_arg(args, int);
    va_end(args);
    return depth ? below + a : a + b;
}

int main(void) {
    int i = 7;
    struct small s = {1, 2};
    struct mixed m = {3, 4.5};
    struct large l = {"text", 6};
    printf("%g\n", sum("ildDpsmLx", 1, 2L, 3.5, 4.25L, &i, s, m, l, (__int128)8));
    printf("%g\n", sum("dddddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.));
    printf("%g\n", sum("iiiiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    printf("%g\n", sum("LsLsmDLi", l, s, l, s, m, 1.0L, l, 5));
    printf("%d %d\n", halves(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), halves(1, 5));
    char text[100];
    int n = format(text, sizeof text, "%d %s %c %5.2f %Lg %zu %ls %%", 5, "five", '5', 5.0, 5.5L, (size_t)5, L"w");
    printf("%d %s\n", n, text);
    printf("%d\n", recursive(30, 1, 1));
    char in[20];
    int a, b;
    sscanf("12 word 34", "%d %19s %d", &a, in, &b);
    printf("%d %s %d\n", a, in, b);
    return 0;
}
