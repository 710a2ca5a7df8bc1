/* ucontext: generators, many of them, nested, uc_link, arguments, stacks that
 * are used again, setcontext to a context of getcontext, jumps inside. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { stack_size = 64 * 1024 };

struct generator {
    ucontext_t self, caller;
    char *stack;
    int value, done;
};

static void yield(struct generator *g, int value) {
    char local[64];
    memset(local, value, sizeof local);
    g->value = value;
    swapcontext(&g->self, &g->caller);
    for (int i = 0; i < 64; i++)
        if (local[i] != (char)value)
            printf("overwritten\n"), abort();
}

static void count(unsigned low, unsigned high, int from, int to) {
    struct generator *g = (void *)((uintptr_t)low | (uintptr_t)high << 32);
    int squares[to - from + 1];
    for (int i = from; i < to; i++) {
        squares[i - from] = i * i;
        yield(g, squares[i - from]);
    }
    g->done = 1;
}

static void start(struct generator *g, int from, int to) {
    getcontext(&g->self);
    if (!g->stack)
        g->stack = malloc(stack_size);
    g->self.uc_stack.ss_sp = g->stack;
    g->self.uc_stack.ss_size = stack_size;
    g->self.uc_link = &g->caller;
    g->done = 0;
    makecontext(&g->self, (void (*)(void))count, 4, (unsigned)(uintptr_t)g,
                (unsigned)((uintptr_t)g >> 32), from, to);
}

static int next(struct generator *g) {
    swapcontext(&g->caller, &g->self);
    return !g->done;
}

static void tree(int depth, struct generator *g) {
    char mark[32];
    snprintf(mark, sizeof mark, "%d", depth);
    if (depth == 0)
        return;
    tree(depth - 1, g);
    yield(g, atoi(mark));
    tree(depth - 1, g);
}

static struct generator *walking;
static void walk(void) {
    tree(6, walking);
    walking->done = 1;
}

static struct generator outer_g, inner_g;
static void outer(void) {
    int local[10] = {0};
    start(&inner_g, 1, 4);
    while (next(&inner_g)) {
        local[1] += inner_g.value;
        yield(&outer_g, local[1]);
    }
    outer_g.done = 1;
}

static void simple(struct generator *g, void (*entry)(void)) {
    getcontext(&g->self);
    g->stack = malloc(stack_size);
    g->self.uc_stack.ss_sp = g->stack;
    g->self.uc_stack.ss_size = stack_size;
    g->self.uc_link = &g->caller;
    makecontext(&g->self, entry, 0);
}

static void six(int a, int b, int c, int d, int e, int f, int g, int h) {
    int all[] = {a, b, c, d, e, f, g, h}, s = 0;
    for (int i = 0; i < 8; i++)
        s = s * 10 + all[i];
    printf("args %d\n", s);
}

static ucontext_t back;
static int hops;
static void hop(void) {
    char pad[100];
    memset(pad, 1, sizeof pad);
    hops += pad[50];
    setcontext(&back);
}

static jmp_buf env;
static void jumper(int n) {
    char pad[80];
    memset(pad, n, sizeof pad);
    if (n == 0)
        longjmp(env, 5);
    jumper(n - 1);
}
static void jumps(void) {
    for (volatile int i = 0; i < 1000; i++)
        if (setjmp(env) == 0)
            jumper(20);
    int n = 7;
    char vla[n * 100];
    memset(vla, 3, sizeof vla);
    printf("jumped %d\n", vla[699]);
}

int main(void) {
    struct generator g = {0};
    start(&g, 2, 6);
    while (next(&g))
        printf("%d ", g.value);
    printf("\n");

    enum { many = 300 };
    static struct generator all[many];
    long sum = 0;
    for (int i = 0; i < many; i++)
        start(&all[i], i, i + 5);
    for (int round = 0; round < 5; round++)
        for (int i = many; i--;)
            if (next(&all[i]))
                sum += all[i].value;
    printf("%ld\n", sum);
    for (int i = 0; i < many; i++)
        free(all[i].stack);

    struct generator w = {0};
    walking = &w;
    simple(&w, walk);
    sum = 0;
    while (next(&w))
        sum = sum * 3 % 1000003 + w.value;
    printf("%ld\n", sum);

    simple(&outer_g, outer);
    while (next(&outer_g))
        printf("%d ", outer_g.value);
    printf("\n");

    sum = 0;
    for (int i = 0; i < 2000; i++) { /* one stack, used again and again */
        start(&g, 1, 3);
        next(&g);
        sum += g.value;
    }
    printf("%ld\n", sum);

    struct generator a = {0};
    simple(&a, (void (*)(void))six);
    makecontext(&a.self, (void (*)(void))six, 8, 1, 2, 3, 4, 5, 6, 7, 8);
    next(&a);

    static char hop_stack[stack_size];
    volatile int times = 0;
    char local[50];
    memset(local, 9, sizeof local);
    getcontext(&back);
    if (times++ < 1000) {
        ucontext_t other;
        getcontext(&other);
        other.uc_stack.ss_sp = hop_stack;
        other.uc_stack.ss_size = sizeof hop_stack;
        other.uc_link = NULL;
        makecontext(&other, hop, 0);
        setcontext(&other);
    }
    int n = hops;
    char vla[n];
    memset(vla, 1, (size_t)n);
    printf("%d %d %d\n", hops, local[49], vla[n - 1]);

    struct generator j = {0};
    simple(&j, jumps);
    next(&j);
    return 0;
}
