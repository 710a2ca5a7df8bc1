/*
 * Command lines for clang, put together word by word and run.
 */
#ifndef RECUT_CC_COMMAND_LINE_H
#define RECUT_CC_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/io.h"
#include "cc/args.h"

#define CLANG "clang-19"

/* glibc's getc_unlocked() and its relatives look into the FILE from inside the
 * program.  Without this header of its inline functions they are calls, as the
 * recorder wants all uses of a stream to be. */
#define NO_INLINE_STREAMS "-D_BITS_STDIO_H=1"

struct command_line {
    char **data;
    size_t count, capacity;
};

void command_line_add(struct command_line *line, const char *word);
void command_line_deinit(struct command_line *line);

/* An option, with its value if that is a word of its own. */
void command_line_add_arg(struct command_line *line, const struct arg *arg);
/* An input, after its language if that is another than the last one's. */
void command_line_add_input(struct command_line *line, const struct arg *arg,
                            const char **language);

struct error *command_line_run(struct command_line *line, bool capture, struct io_child *ret);

/* clang with the user's own arguments, and `extra` behind them. */
struct error *clang_run(const struct cc_args *args, const char *const *extra, bool capture,
                        struct io_child *ret);
/* The same with its output passed through; gives the exit code. */
struct error *clang_run_through(const struct cc_args *args, const char *const *extra,
                                int *ret_exit);

#endif
