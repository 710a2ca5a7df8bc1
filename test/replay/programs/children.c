/* A tree of processes, each of which says what it does, with its own number in front. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void say(const char *format, ...) {
    struct timespec now;
    va_list arguments;
    char text[200];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    clock_gettime(CLOCK_REALTIME, &now);
    printf("%d: %s at %ld\n", (int)getpid(), text, now.tv_nsec);
    fflush(stdout);
}

static void wait_for(pid_t child) {
    int status = 0;
    pid_t found = waitpid(child, &status, 0);
    say("child %d ended: %x", (int)found, (unsigned)status);
}

static char *kept; /* what a parent leaves its children */

static void tree(int depth) {
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        if (child == 0) {
            char *mine = malloc(64);
            snprintf(mine, 64, "%s.%d", kept, i);
            kept = mine;
            say("%s, %p", kept, (void *)kept);
            if (depth)
                tree(depth - 1);
            if (strcmp(kept, "root.1.0") == 0)
                abort();
            if (strcmp(kept, "root.0.1") == 0)
                raise(SIGTERM);
            exit(10 + i);
        }
        wait_for(child);
    }
}

/* A child talks to its parent. */
static void talk(void) {
    int ends[2];
    if (pipe(ends) != 0)
        exit(1);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 3; i++) {
            char line[32];
            int length = snprintf(line, sizeof line, "%d from %d\n", i, (int)getpid());
            if (write(ends[1], line, (size_t)length) != length)
                _exit(1);
            say("sent %d", i);
        }
        _exit(5);
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    char line[32];
    while (fgets(line, sizeof line, from))
        say("got %s", strtok(line, "\n"));
    fclose(from);
    wait_for(child);
}

/* A child of a program with threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long count, stop;

static void *work(void *argument) {
    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
        pthread_mutex_lock(&lock);
        count = count * 3 + 1;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void threads(void) {
    pthread_t all[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&all[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        pid_t child = fork();
        if (child == 0) {
            say("with %lx", count);
            exit(3);
        }
        pthread_mutex_unlock(&lock);
        wait_for(child);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < 2; i++)
        pthread_join(all[i], NULL);
}

/* Children that become other programs: this one, and one that is not recorded. */
static void become(const char *self) {
    pid_t child = fork();
    if (child == 0) {
        execl(self, "another", "talk", (char *)NULL);
        _exit(99);
    }
    wait_for(child);
    child = fork();
    if (child == 0) {
        execlp("sh", "sh", "-c", "exit 4", (char *)NULL);
        _exit(98);
    }
    wait_for(child);
}

/* Programs that libc starts, and that a shell starts for it. */
static void start(const char *self) {
    extern char **environ;
    char command[1000];
    char *const spawned[] = {(char *)"spawned", (char *)"talk", NULL};
    char *const bare[] = {(char *)"bare", (char *)"3", NULL}, *const no_environment[] = {NULL};
    pid_t child;
    if (posix_spawn(&child, self, NULL, NULL, spawned, environ) == 0)
        wait_for(child);
    if (posix_spawnp(&child, self, NULL, NULL, bare, no_environment) == 0)
        wait_for(child);
    snprintf(command, sizeof command, "'%s' 4; '%s' 5 | cat; exec '%s' 6", self, self, self);
    say("system: %x", (unsigned)system(command));
    snprintf(command, sizeof command, "'%s' 7", self);
    FILE *to = popen(command, "w");
    say("pclose: %x", (unsigned)(to ? pclose(to) : -1));
    child = fork();
    if (child == 0) {
        snprintf(command, sizeof command, "'%s' 8; exec '%s' 9", self, self);
        execlp("sh", "sh", "-c", command, (char *)NULL);
        _exit(98);
    }
    wait_for(child);
}

int main(int arguments, char **argument) {
    if (arguments == 2 && atoi(argument[1])) {
        say("ends: %x%s", (unsigned)atoi(argument[1]) << 8,
            getenv("RECUT_PARENT") ? ", invited" : "");
        return atoi(argument[1]);
    }
    kept = strdup("root");
    for (int i = 1; i < arguments; i++)
        if (strcmp(argument[i], "tree") == 0)
            tree(1);
        else if (strcmp(argument[i], "talk") == 0)
            talk();
        else if (strcmp(argument[i], "become") == 0)
            become(argument[0]);
        else if (strcmp(argument[i], "start") == 0)
            start(argument[0]);
        else
            threads();
    say("done");
    return 0;
}
