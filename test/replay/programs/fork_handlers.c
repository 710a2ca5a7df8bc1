/* Handlers of pthread_atfork(): in which order they run, what they see, and where what they print
 * goes. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int count;

static void say(const char *what) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("%d: %s %d at %ld\n", (int)getpid(), what, count++, now.tv_nsec);
    fflush(stdout);
    errno = ENOTTY; /* nobody's business */
}

static void prepare_1(void) { say("prepare 1"); }
static void prepare_2(void) { say("prepare 2"); }
static void parent_1(void) { say("parent 1"); }
static void parent_2(void) { say("parent 2"); }
static void child_1(void) { say("child 1"); }
static void child_3(void) { say("child 3"); }

static void fork_by(pid_t (*function)(void), const char *name) {
    errno = EDOM;
    pid_t child = function();
    int status = 0;
    if (child == 0) {
        say(errno == EDOM ? name : "errno");
        exit(7);
    }
    say(errno == EDOM ? name : "errno");
    waitpid(child, &status, 0);
    printf("%d: child %d ended: %x\n", (int)getpid(), (int)child, (unsigned)status);
    fflush(stdout);
}

int main(int arguments, char **argument) {
    pthread_atfork(prepare_1, parent_1, child_1);
    pthread_atfork(prepare_2, parent_2, NULL);
    fork_by(fork, "fork");
    pthread_atfork(NULL, NULL, child_3);
    fork_by(fork, "fork");
    fork_by(_Fork, "_Fork");
    if (arguments > 1 && strcmp(argument[1], "daemon") == 0 && daemon(1, 1) == 0)
        say("daemon");
    return 0;
}
