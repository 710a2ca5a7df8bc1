/* An address in two halves, as makecontext() wants it, is one again when they are put together. */
#include <stdint.h>
#include <stdio.h>
#include <ucontext.h>

static ucontext_t here, there;
static char stack[65536];
static int count;

static void visit(unsigned low, unsigned high) {
    int *to = (int *)((uintptr_t)high << 32 | low);     /* keep */
    *to += 5;                                           /* keep */
    count++;                                            /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int guest = argc;                                   /* keep */
    int other = argc + 1;                               /* drop */
    uintptr_t address = (uintptr_t)&guest;              /* keep */
    getcontext(&there);                                 /* keep */
    there.uc_stack.ss_sp = stack;                       /* keep */
    there.uc_stack.ss_size = sizeof stack;              /* keep */
    there.uc_link = &here;                              /* keep */
    makecontext(&there, (void (*)(void))visit, 2, (unsigned)address, (unsigned)(address >> 32)); /* keep */
    swapcontext(&here, &there);
    other += count;                                     /* drop */
    printf("slice: %d\n", guest);                       /* slice: guest */
    printf("%d\n", other);                              /* drop */
    return 0;
}
