/* Signals that the program finds ignored or blocked. */
#include <signal.h>
#include <stdio.h>

int main(void) {
    static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                                  SIGPIPE, SIGUSR1, SIGCHLD, SIGTSTP};
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old;
        sigaction(numbers[i], NULL, &old);
        printf("%d: %s, %s\n", numbers[i], old.sa_handler == SIG_IGN ? "ignored" : "not ignored",
               sigismember(&mask, numbers[i]) ? "blocked" : "not blocked");
    }
    return 0;
}
