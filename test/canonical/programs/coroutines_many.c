/* Ten thousand coroutines alive at once, and as many one after another, each
 * on a stack of its own that is given back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { many = 10000, stack_size = 16 * 1024 };

static ucontext_t main_context, *contexts;
static int current;
static long sum;

static void body(void) {
    int me = current;
    char local[100];
    memset(local, me, sizeof local);
    swapcontext(&contexts[me], &main_context);
    sum += local[99] == (char)me;
}

int main(void) {
    contexts = calloc(many, sizeof *contexts);
    char *stacks = mmap(NULL, (size_t)many * stack_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int round = 0; round < 2; round++) {
        for (current = 0; current < many; current++) {
            ucontext_t *c = &contexts[current];
            getcontext(c);
            c->uc_stack.ss_sp = stacks + (size_t)current * stack_size;
            c->uc_stack.ss_size = stack_size;
            c->uc_link = &main_context;
            makecontext(c, body, 0);
            swapcontext(&main_context, c);
        }
        for (current = 0; current < many; current++)
            swapcontext(&main_context, &contexts[current]);
    }
    printf("%ld\n", sum);
    return 0;
}
