/* fork, vfork, exec, posix_spawn, system, popen; locals and heap survive in
 * both; a thread forks; handlers of pthread_atfork run. */
/* flags: -pthread */
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static int prepared, in_parent, in_child;
static void prepare(void) { char a[50]; memset(a, 1, 50); prepared += a[9]; }
static void parent(void) { in_parent++; }
static void child(void) { in_child++; }

static int wait_for(pid_t pid) {
    int status = -1;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int deep_child(int n) {
    char a[200];
    memset(a, n, sizeof a);
    return n ? deep_child(n - 1) + (a[199] == n) : 0;
}

static int vfork_and_exec(const char *command, int depth) {
    char text[100];
    snprintf(text, sizeof text, "%s", command);
    if (depth)
        return vfork_and_exec(command, depth - 1);
    pid_t pid = vfork();
    if (pid == 0) {
        char *argv[] = {"sh", "-c", text, NULL};
        execve("/bin/sh", argv, environ);
        _exit(127);
    }
    return wait_for(pid);
}

static void *forks(void *argument) {
    char local[100] = "thread";
    pid_t pid = fork();
    if (pid == 0) {
        char *heap = strdup(local);
        pthread_t t;
        (void)t;
        _exit(strcmp(heap, "thread") == 0 && deep_child(50) == 50 ? 21 : 22);
    }
    *(int *)argument = wait_for(pid);
    return NULL;
}

static void *in_child_thread(void *argument) { char a[100]; memset(a, 4, 100); *(int *)argument = a[99]; return NULL; }

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "again"))
        return printf("again %s\n", argv[2]), 9;
    pthread_atfork(prepare, parent, child);
    char *heap = strdup("before");
    int local[50] = {[49] = 5};
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        local[49]++;
        strcat(heap = realloc(heap, 100), " child");
        pthread_t t;
        int got = 0;
        pthread_create(&t, NULL, in_child_thread, &got);
        pthread_join(t, NULL);
        _exit(local[49] == 6 && !strcmp(heap, "before child") && in_child == 1 && got == 4 ? deep_child(100) : 1);
    }
    printf("%d %d %s %d %d\n", wait_for(pid), local[49], heap, prepared, in_parent);
    for (int i = 0; i < 50; i++)
        if (vfork_and_exec("exit 3", i % 5) != 3)
            return 1;
    printf("vfork\n");
    fflush(stdout);
    char *arguments[] = {argv[0], "again", "spawned", NULL};
    if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, arguments, environ))
        return 2;
    printf("%d\n", wait_for(pid));
    fflush(stdout);
    printf("%d\n", WEXITSTATUS(system("echo from the shell; exit 4")));
    FILE *pipe = popen("cat /proc/self/comm; echo out", "r");
    char line[100];
    while (fgets(line, sizeof line, pipe))
        fputs(line, stdout);
    printf("%d\n", pclose(pipe));
    pthread_t t;
    int result = 0;
    pthread_create(&t, NULL, forks, &result);
    pthread_join(t, NULL);
    printf("%d\n", result);
    for (int i = 0; i < 5; i++) { /* a chain of forks */
        pid = fork();
        if (pid != 0) {
            int status = wait_for(pid);
            if (i > 0)
                _exit(status);
            printf("%d\n", status);
            break;
        }
        if (i == 4)
            _exit(local[49] + deep_child(20));
    }
    fflush(stdout);
    execl("/proc/self/exe", "self", "again", "executed", (char *)NULL);
    return 3;
}
