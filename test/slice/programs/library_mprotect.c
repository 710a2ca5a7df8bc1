/* What may be done to memory decides what is read there, where a handler takes the fault. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

static sigjmp_buf back;
static int noise;

static void on_fault(int number) {
    noise = number;                            /* drop */
    siglongjmp(back, 1);                       /* keep */
}

static int look(volatile int *at) {
    if (sigsetjmp(back, 1))                    /* keep */
        return -1;                             /* keep */
    return *at;                                /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    signal(SIGSEGV, on_fault);                 /* keep */
    int *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* keep */
    *page = argc + 41;                         /* keep */
    int before = look(page);                   /* keep */
    mprotect(page, 4096, PROT_NONE);           /* keep */
    int after = look(page);                    /* keep */
    int x = before * 10 + after;               /* keep */
    printf("%d\n", noise);                     /* drop */
    printf("slice: %d\n", x);                  /* slice: x */
    return 0;
}
