/* Command lines for clang; see command_line.h. */
#include "cc/command_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void command_line_add(struct command_line *line, const char *word) {
    VEC_PUSH(line, mem_strdup(word));
}

void command_line_deinit(struct command_line *line) {
    for (size_t i = 0; i < line->count; i++)
        free(line->data[i]);
    VEC_DEINIT(line);
}

void command_line_add_arg(struct command_line *line, const struct arg *arg) {
    command_line_add(line, arg->text);
    if (arg->value)
        command_line_add(line, arg->value);
}

void command_line_add_input(struct command_line *line, const struct arg *arg,
                            const char **language) {
    if (arg->language != *language) {
        command_line_add(line, "-x");
        command_line_add(line, arg->language ? arg->language : "none");
        *language = arg->language;
    }
    command_line_add(line, arg->text);
}

struct error *command_line_run(struct command_line *line, bool capture, struct io_child *ret) {
    VEC_PUSH(line, NULL);
    struct error *err = io_run(line->data, capture, ret);
    line->count--;
    return err;
}

/* Languages are given with each input, and the bitcode is embedded our way. */
static bool is_replaced(const char *option) {
    static const char *const prefixes[] = {"-x", "-flto", "-fembed-bitcode"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(option, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

struct error *clang_run(const struct cc_args *args, const char *const *extra, bool capture,
                        struct io_child *ret) {
    struct command_line line = {0};
    command_line_add(&line, CLANG);
    const char *language = NULL;
    for (size_t i = 0; i < args->list.count; i++) {
        const struct arg *arg = &args->list.data[i];
        if (arg->kind == ARG_C || arg->kind == ARG_OTHER || arg->kind == ARG_FILE)
            command_line_add_input(&line, arg, &language);
        else if (!is_replaced(arg->text))
            command_line_add_arg(&line, arg);
    }
    for (; extra && *extra; extra++)
        command_line_add(&line, *extra);
    struct error *err = command_line_run(&line, capture, ret);
    command_line_deinit(&line);
    return err;
}

struct error *clang_run_through(const struct cc_args *args, const char *const *extra,
                                int *ret_exit) {
    struct io_child child;
    struct error *err = clang_run(args, extra, false, &child);
    if (!err)
        *ret_exit = child.exit_code;
    return err;
}
