/* Indirect calls, callbacks, memory named by its caller, variadic arguments. */
#include <stdarg.h>
#include <stdlib.h>

int a, b, c, d;
int *from_handler;   /* expect from_handler: a */
int *from_table;     /* expect from_table: b c */
int *from_variadic;  /* expect from_variadic: d */
int *from_identity1; /* expect from_identity1: a */
int *from_identity2; /* expect from_identity2: b */
void **cell1;
void **cell2;
int *from_cell1; /* expect from_cell1: c */
int *from_cell2; /* expect from_cell2: d */

static int *one(void) { return &a; }
static int *two(int n) { return n ? &b : &c; }
static int *(*handler)(void) = one;
static int *(*const table[])(int) = {two, two};

__attribute__((noinline)) static void *identity(void *p) { return p; }
__attribute__((noinline)) static void *xmalloc(size_t n) {
    void *p = malloc(n);
    if (!p)
        abort();
    return p;
}
__attribute__((noinline)) static void **new_cell(void *value) {
    void **cell = xmalloc(sizeof *cell);
    (void)value;
    return cell;
}
__attribute__((noinline)) static int *last(int n, ...) {
    va_list list;
    va_start(list, n);
    int *p = NULL;
    while (n--)
        p = va_arg(list, int *);
    va_end(list);
    return p;
}

int main(int argc, char **argv) {
    (void)argv;
    from_handler = handler();
    from_table = table[argc & 1](argc);
    from_variadic = last(2, &d, &d);
    from_identity1 = identity(&a);
    from_identity2 = identity(&b);
    cell1 = new_cell(&c);
    cell2 = new_cell(&d);
    *cell1 = &c;
    *cell2 = &d;
    from_cell1 = *cell1;
    from_cell2 = *cell2;
    return 0;
}
