/* Children that share their parent's memory, made on either side of a cut, and used on both. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int calls;

__attribute__((noinline)) int part(int value) { return value * 3 + calls; }

__attribute__((noinline)) void leave(const char *text) {
    execl("/bin/sh", "sh", "-c", text, NULL);
    _exit(part(7));
}

static int status_of(pid_t child) {
    int status = 0;
    return waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : -1;
}

__attribute__((noinline)) int part_child(int how) {
    char text[40];
    snprintf(text, sizeof text, "exit %d", part(how));
    pid_t child = how & 1 ? vfork() : _Fork();
    if (child == 0)
        leave(text);
    return status_of(child);
}

__attribute__((noinline)) int environment_child(int how) {
    char text[40];
    pid_t child = how & 1 ? vfork() : _Fork();
    if (child == 0) {
        snprintf(text, sizeof text, "exit %d", part(how));
        leave(text);
    }
    return status_of(child);
}

int main(void) {
    for (int how = 0; how < 6; how++) {
        int first = part_child(how), second = environment_child(how);
        printf("%d %d %d\n", first, second, ++calls);
    }
    return part(1) & 63;
}
