/* The environment's variables: found, set, replaced, removed, listed. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char mine[] = "MINE=first";

static void list(const char *when) {
    printf("%s:\n", when);
    for (char **at = environ; at && *at; at++)
        printf("  %s\n", *at);
}

static void show(const char *name) {
    const char *value = getenv(name);
    printf("%s is %s\n", name, value ? value : "not there");
}

int main(void) {
    list("at first");
    show("GIVEN");
    show("GIVE");
    show("");
    char *kept = getenv("GIVEN");
    printf("%d", setenv("GIVEN", "another value, longer", 0));
    printf("%d\n", setenv("GIVEN", "another value, longer", 1));
    printf("kept %s, now %s\n", kept, secure_getenv("GIVEN"));
    printf("%d", setenv("A=B", "x", 1));
    printf(" %s\n", strerror(errno));
    printf("%d\n", unsetenv(""));
    for (int i = 0; i < 20; i++) {
        char name[16], value[16];
        snprintf(name, sizeof name, "N%d", i);
        snprintf(value, sizeof value, "%d", i * i);
        setenv(name, value, 1);
    }
    putenv(mine);
    strcpy(mine + 5, "later");
    show("MINE");
    unsetenv("N7");
    putenv("N8");
    list("in between");
    fflush(stdout);
    int status = system("test \"$N9 $MINE ${N7-none}\" = '81 later none'");
    printf("status %d\n", status);
    if (fork() == 0) {
        setenv("CHILD", "1", 1);
        _exit(getenv("N5") && !getenv("N7") && getenv("CHILD") ? 7 : 8);
    }
    wait(&status);
    printf("child %d\n", WEXITSTATUS(status));
    clearenv();
    list("cleared");
    setenv("ONE", "1", 1);
    list("at last");
    return environ[0] && !environ[1] ? 5 : 6;
}
