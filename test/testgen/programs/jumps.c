/* Errors that are jumps: to a caller that has no part in the test, and within the function that is
 * tested. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct handler {
    jmp_buf where;
    struct handler *outer;
    const char *why;
};
static struct handler *innermost;

static __attribute__((noinline, noreturn)) void fail(const char *why) {
    innermost->why = why;
    longjmp(innermost->where, 1);
}

static __attribute__((noinline)) int parse(const char *text) {
    if (text && *text == '!')
        fail("not allowed");
#ifdef FIXED
    if (!text)
        fail("nothing there");
#endif
    return text[0] + text[1];
}

static __attribute__((noinline)) int attempt(const char *first, const char *second) {
    struct handler handler = {.outer = innermost};
    volatile int sum = 0;
    innermost = &handler;
    if (!setjmp(handler.where))
        sum = parse(first);
    else
        sum = (int)strlen(handler.why);
    innermost = handler.outer;
    return sum + parse(second);
}

int main(int argc, char **argv) {
    struct handler handler = {.outer = NULL};
    innermost = &handler;
    if (setjmp(handler.where)) {
        printf("%s\n", handler.why);
        fflush(stdout);
        _exit(2);
    }
    printf("%d\n", attempt("!", argv[argc]));
    return 0;
}
