/* Processes that become other programs, this one in other roles; each line has its process. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *text) {
    printf("%d: %s\n", (int)getpid(), text);
    fflush(stdout);
}

static void become(const char *self, const char *role) {
    execl(self, self, role, (char *)NULL);
    _exit(99);
}

static int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* A child that makes one of its own, and then becomes another program twice. */
static int family(const char *self) {
    pid_t child = fork();
    if (child == 0) {
        say("child");
        pid_t grandchild = fork();
        if (grandchild == 0) {
            say("grandchild");
            become(self, "last");
        }
        printf("%d: grandchild %d\n", (int)getpid(), wait_for(grandchild));
        fflush(stdout);
        become(self, "chain");
    }
    printf("%d: child %d\n", (int)getpid(), wait_for(child));
    return 5;
}

static void *work(void *argument) {
    say(argument);
    return NULL;
}

static int threads(void) {
    pthread_t all[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&all[i], NULL, work, (void *)"thread");
    for (int i = 0; i < 3; i++)
        pthread_join(all[i], NULL);
    return 4;
}

int main(int arguments, char **argument) {
    const char *self = argument[0], *role = arguments > 1 ? argument[1] : "family";
    say(role);
    if (strcmp(role, "chain") == 0)
        become(self, "middle");
    if (strcmp(role, "middle") == 0)
        become(self, "last");
    if (strcmp(role, "chain-crash") == 0)
        become(self, "crash");
    if (strcmp(role, "crash") == 0)
        abort();
    if (strcmp(role, "threads") == 0)
        return threads();
    return strcmp(role, "last") == 0 ? 7 : family(self);
}
