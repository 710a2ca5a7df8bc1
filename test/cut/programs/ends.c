/* A program that is environment to its module, and ends as the first argument says. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int mod_work(int how, char *text), mod_log(char *to, const char *from);
void mod_end(void), mod_handler(int);
volatile int flag;

static void on_alarm(int number) { flag = number; }

int env_get(int how) {
    struct timespec now;
    if (how == 8) {
        volatile char *p = (char *)(long)(how - 8);
        return *p;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int)now.tv_nsec / 8 + how;
}

void env_exit(int status) { exit(status); }

int main(int argc, char **argv) {
    int how = argc > 1 ? atoi(argv[1]) : 0, status;
    char text[100] = "text", logged[100];
    atexit(mod_end);
    if (how == 11) {
        signal(SIGALRM, on_alarm);
        ualarm(20000, 0);
    }
    if (how == 12) {
        signal(SIGUSR1, mod_handler);
        raise(SIGUSR1);
    }
    if (how == 13) { /* a child is not recorded */
        if (fork() == 0) {
            mod_work(0, text);
            _exit(3);
        }
        wait(&status);
        printf("child %d\n", WEXITSTATUS(status));
    }
    if (how == 14) {
        mod_work(0, text);
        _exit(5);
    }
    printf("%d\n", mod_work(how, text));
    mod_log(logged, text);
    puts(logged);
    return 2;
}
