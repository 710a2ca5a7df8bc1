/* Children of all kinds; what they print goes through pipes and files. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static int in_memory = 1;

static void forks(void) {
    int pipes[2], status = 0;
    if (pipe(pipes) != 0)
        return;
    char *heap = strdup("before");
    int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *shared = 1;
    pid_t child = fork();
    if (child == 0) {
        strcpy(heap, "after");
        in_memory = 2;
        char text[100];
        int length = snprintf(text, sizeof text, "child %s %d", heap, in_memory);
        _exit(write(pipes[1], text, (size_t)length) == length ? 5 : 6);
    }
    close(pipes[1]);
    char text[100] = "";
    printf("read %zd", read(pipes[0], text, sizeof text));
    printf(" %s\n", text);
    pid_t waited = waitpid(child, &status, 0);
    printf("wait %d %d, %s %d\n", waited == child, WEXITSTATUS(status), heap, in_memory);
    errno = 0;
    waited = waitpid(child, &status, 0);
    printf("again %d %s\n", waited, strerror(errno));
    free(heap);
}

static void execs(void) {
    int pipes[2], status = 0;
    if (pipe(pipes) != 0)
        return;
    pid_t child = vfork();
    if (child == 0) {
        dup2(pipes[1], 1);
        close(pipes[0]);
        execlp("sh", "sh", "-c", "echo from a shell; exit 9", (char *)NULL);
        _exit(127);
    }
    close(pipes[1]);
    FILE *stream = fdopen(pipes[0], "r");
    char line[100] = "";
    if (fgets(line, sizeof line, stream))
        fputs(line, stdout);
    fclose(stream);
    wait(&status);
    printf("exit %d\n", WEXITSTATUS(status));
    char *arguments[] = {"nothing", "at", "all", NULL};
    errno = 0;
    int result = execv("./nothing", arguments);
    printf("execv %d %s\n", result, strerror(errno));
    result = execle("./nothing", "nothing", "x", (char *)NULL, environ);
    printf("execle %d\n", result);
    result = execvp("no-such-program-at-all", arguments);
    printf("execvp %d\n", result);
    child = fork();
    if (child == 0) {
        /* The child of a recorded program may fail to exec, too. */
        execve("./nothing", arguments, environ);
        _exit(errno == ENOENT ? 11 : 12);
    }
    waitpid(child, &status, 0);
    printf("exit %d\n", WEXITSTATUS(status));
}

static void libraries(void) {
    int status = system("echo text >written; exit 3");
    printf("system %d\n", WEXITSTATUS(status));
    char text[100] = "";
    int fd = open("written", O_RDONLY);
    printf("read %zd", read(fd, text, sizeof text));
    printf(" %s", text);
    FILE *stream = popen("echo one; echo two; exit 4", "r");
    while (fgets(text, sizeof text, stream))
        printf("popen %s", text);
    status = pclose(stream);
    printf("pclose %d\n", WEXITSTATUS(status));
    stream = popen("cat >piped", "w");
    fputs("into a pipe\n", stream);
    printf("pclose %d\n", pclose(stream));
    stream = fopen("piped", "r");
    if (stream && fgets(text, sizeof text, stream))
        fputs(text, stdout);
    pid_t child = 0;
    char *arguments[] = {"sh", "-c", "exit 8", NULL}, *variables[] = {"PATH=/bin", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addclose(&actions, 0);
    printf("spawn %d", posix_spawn(&child, "/bin/sh", &actions, NULL, arguments, variables));
    posix_spawn_file_actions_destroy(&actions);
    waitpid(child, &status, 0);
    printf(" %d\n", WEXITSTATUS(status));
}

int main(void) {
    forks();
    execs();
    libraries();
    return 0;
}
