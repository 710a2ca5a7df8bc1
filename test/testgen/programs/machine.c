/* Functions in tables, wide text, atomics, bit fields, a stream of libc's; then a handler of SIGFPE that
 * ends the program. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

struct machine;
struct operation {
    const char *name;
    int (*run)(struct machine *, int);
};
struct machine {
    const struct operation *operations;
    int sp, stack[8];
    atomic_int hits;
    _Atomic long total;
    wchar_t title[16], *alias;
    FILE *out;
    unsigned flags : 5, mode : 3;
    signed small : 4;
};

static __attribute__((noinline)) int push(struct machine *m, int n) { return m->stack[m->sp++] = n; }

static __attribute__((noinline)) int divide(struct machine *m, int n) {
    int a = m->stack[--m->sp], b = m->stack[--m->sp];
#ifdef FIXED
    if (!b)
        return 0;
#endif
    fprintf(m->out, "%ls, %ls: %d\n", m->title, m->alias, m->small);
    return push(m, a / b) + n;
}

static const struct operation operations[] = {{"push", push}, {"divide", divide}, {NULL, NULL}};

static __attribute__((noinline)) int execute(struct machine *m, const char *name, int n) {
    for (const struct operation *one = m->operations; one->name; one++)
        if (strcmp(one->name, name) == 0) {
            atomic_fetch_add(&m->hits, 1);
            m->total += n;
            return one->run(m, n);
        }
    return -1;
}

static void on_fault(int number) {
    static const char said[] = "internal error\n";
    if (number && write(2, said, sizeof said - 1) > 0)
        _exit(70);
}

int main(void) {
    struct machine *m = calloc(1, sizeof *m);
    signal(SIGFPE, on_fault);
    *m = (struct machine){.operations = operations, .out = stderr, .flags = 9, .mode = 5, .small = -3};
    wcscpy(m->title, L"Gr\u00f6\u00dfe");
    m->alias = wcsdup(L"wide \"text\"");
    execute(m, "push", 0);
    execute(m, "push", 7);
    printf("%d\n", execute(m, "divide", 2));
    return 0;
}
