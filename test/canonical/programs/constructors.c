/* Constructors and destructors with and without priorities, atexit, on_exit,
 * at_quick_exit; locals and heap in each of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char log_text[200];
static char *kept;
static void note(const char *what) {
    char line[40];
    snprintf(line, sizeof line, "%s;", what);
    strcat(log_text, line);
}

__attribute__((constructor(200))) static void second(void) { note("c200"); }
__attribute__((constructor(101))) static void first(void) { note("c101"); kept = strdup("kept"); }
__attribute__((constructor)) static void last(void) { note("c"); }
__attribute__((constructor)) static void with_arguments(int argc, char **argv, char **envp) {
    char copy[64];
    snprintf(copy, sizeof copy, "a%d%d%d", argc, argv[argc] == NULL, envp != NULL);
    note(copy);
}
__attribute__((destructor(101))) static void d_last(void) {
    char text[100];
    snprintf(text, sizeof text, "d101 %s %s\n", kept, log_text);
    fputs(text, stdout);
    fflush(stdout);
}
__attribute__((destructor)) static void d_first(void) { puts("d"); }
static void at_exit_1(void) { char a[50]; memset(a, 1, 50); printf("atexit 1 %d\n", a[49]); }
static void at_exit_2(void) { puts("atexit 2"); atexit(at_exit_1); }
static void with_status(int status, void *argument) { printf("on_exit %d %s\n", status, (char *)argument); }

int main(void) {
    puts(log_text);
    atexit(at_exit_1);
    atexit(at_exit_2);
    on_exit(with_status, strdup("argument"));
    exit(17);
}
