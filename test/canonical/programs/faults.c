/* SIGSEGV handlers of the program's own: on a null pointer, on a page it
 * protected and opens in the handler, repeated, reset after one use, masked,
 * with jumps out; then death by a fault that nobody handles. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf env;
static char *page;
static volatile int opened;
static void jump_out(int number) { siglongjmp(env, number); }
static void open_page(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    char local[100];
    memset(local, 1, sizeof local);
    if ((char *)info->si_addr < page || (char *)info->si_addr >= page + 4096)
        _exit(9);
    opened += local[99];
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static int child(void (*body)(void)) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        body();
        _exit(0);
    }
    int status;
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

static volatile int *volatile null;
static void fault(void) { *null = 1; }
static void fault_once_handled(void) {
    struct sigaction action = {.sa_handler = jump_out, .sa_flags = SA_RESETHAND | SA_NODEFER};
    sigaction(SIGSEGV, &action, NULL);
    if (sigsetjmp(env, 1) == 0)
        *null = 1;
    struct sigaction seen;
    sigaction(SIGSEGV, NULL, &seen);
    if (seen.sa_handler != SIG_DFL)
        _exit(7);
    *null = 2;
}
static void sent(void) { kill(getpid(), SIGSEGV); }
static void ignored(void) {
    signal(SIGSEGV, SIG_IGN);
    kill(getpid(), SIGSEGV);
    _exit(5);
}
static void ignored_fault(void) {
    signal(SIGSEGV, SIG_IGN);
    *null = 1;
    _exit(5);
}
static void aborts(void) { abort(); }

int main(void) {
    struct sigaction action = {.sa_handler = jump_out};
    sigaction(SIGSEGV, &action, NULL);
    volatile int caught = 0;
    for (volatile int i = 0; i < 500; i++)
        if (sigsetjmp(env, 1) == 0)
            *null = i;
        else
            caught++;
    printf("%d\n", caught);
    struct sigaction seen;
    sigaction(SIGSEGV, NULL, &seen);
    printf("%d\n", seen.sa_handler == jump_out);

    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    action = (struct sigaction){.sa_sigaction = open_page, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    for (int i = 0; i < 100; i++) {
        page[i] = (char)i;
        mprotect(page, 4096, PROT_NONE);
    }
    printf("%d\n", opened);
    signal(SIGSEGV, SIG_DFL);
    printf("%d\n", child(fault));
    printf("%d\n", child(fault_once_handled));
    printf("%d\n", child(sent));
    printf("%d\n", child(ignored));
    printf("%d\n", child(ignored_fault));
    printf("%d\n", child(aborts));
    return 0;
}
