/* Section 5.2 and figure 15 of ReCrash: init() left a bad state and has returned.  A test of run(), which
 * calls it, leads to the bug. */
#include <stdio.h>
#include <stdlib.h>

struct command {
    const char **urls;
    int count;
};

static __attribute__((noinline)) const char *get_url(struct command *command, int index) {
    const char *url = command->urls[index];
    return url[0] ? url : NULL;
}

static __attribute__((noinline)) void init(struct command *command, int count, char **arguments) {
    command->urls = calloc((size_t)count + 1, sizeof *command->urls);
    for (int i = 0; i < count; i++)
        command->urls[command->count++] = arguments[i];
#ifdef FIXED
    if (!command->count)
        command->urls[command->count++] = "file:///";
#endif
}

static __attribute__((noinline)) int run(struct command *command, int count, char **arguments) {
    init(command, count, arguments);
    const char *url = get_url(command, 0);
    printf("%s\n", url ? url : "none");
    return 0;
}

int main(int argc, char **argv) {
    struct command command = {0};
    return run(&command, argc - 1, argv + 1);
}
