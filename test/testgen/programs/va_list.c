/* A function that is handed a va_list, which libc moves on before the crash. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct point {
    int x, y;
};

static __attribute__((noinline, format(printf, 2, 0))) int format(char *out, const char *text,
                                                                  va_list list) {
    int n = vsprintf(out, text, list);
#ifdef FIXED
    if (!out[0]) /* as it is with what was passed, but not with what comes behind that */
        return n;
#endif
    return n > 3 ? *(int *)(long)out[0] : n;
}

static __attribute__((noinline, format(printf, 1, 2))) int note(const char *text, ...) {
    static char out[200];
    va_list list;
    va_start(list, text);
    int n = format(out, text, list);
    va_end(list);
    return n;
}

static __attribute__((noinline)) int sum(int n, ...) {
    va_list list;
    int s = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        s += va_arg(list, struct point).x + (int)va_arg(list, double);
    va_end(list);
    char empty[2] = "";
    return note("%s%c%d %ld %s %5.2f %Lf", empty, 0, s, 1L << 40, "text", 2.5, 3.5L);
}

int main(void) { return sum(2, (struct point){1, 2}, 2.5, (struct point){3, 4}, 3.5) == 1; }
