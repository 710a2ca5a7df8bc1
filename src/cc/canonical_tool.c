/* Calling recut-canonical; see canonical_tool.h. */
#include "cc/canonical_tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/mem.h"
#include "cc/command_line.h"

static struct error *begin(const char *what, struct command_line *line) {
    char *tool CLEANUP_FREE = NULL;
    struct error *err = io_find_installed("recut-canonical", &tool);
    if (err)
        return err;
    command_line_add(line, tool);
    command_line_add(line, what);
    return NULL;
}

/* Runs the tool; its error line becomes ours. */
static struct error *run_tool(struct command_line *line, char **ret_out) {
    struct io_child child;
    struct error *err = command_line_run(line, true, &child);
    if (err)
        return err;
    if (child.exit_code == 0 && ret_out) {
        *ret_out = child.out;
        child.out = NULL;
    } else if (child.exit_code > 128) {
        err = error_new(ERROR_BUG, "recut-canonical died by signal %d", child.exit_code - 128);
    } else if (child.exit_code != 0) {
        child.err[strcspn(child.err, "\n")] = '\0';
        err = error_new((enum error_code)child.exit_code, "%s", child.err);
    }
    io_child_deinit(&child);
    return err;
}

static struct error *parse_result(const char *text, struct canonical_result *ret) {
    struct canonical_result result = {0};
    int defines_malloc, used = 0;
    if (sscanf(text, "defines-malloc %d functions %zu left-out %zu reason%n", &defines_malloc,
               &result.functions, &result.left_out, &used) != 3 ||
        !used)
        return error_new(ERROR_BUG,
                         "recut-canonical answered in a way that recut-cc does not know");
    result.defines_malloc = defines_malloc;
    text += used + (text[used] == ' ');
    snprintf(result.whole_reason, sizeof result.whole_reason, "%.*s", (int)strcspn(text, "\n"),
             text);
    *ret = result;
    return NULL;
}

struct error *canonical_tool_build(const struct canonical_options *options,
                                   struct canonical_result *ret) {
    char opt_level[16];
    snprintf(opt_level, sizeof opt_level, "%u", options->opt_level);
    struct command_line line = {0};
    struct error *err = begin("build", &line);
    if (err)
        return err;
    command_line_add(&line, "--opt-level");
    command_line_add(&line, opt_level);
    if (!options->import_data)
        command_line_add(&line, "--no-import-data");
    if (options->defines_malloc)
        command_line_add(&line, "--defines-malloc");
    for (size_t i = 0; i < options->native_count; i++) {
        command_line_add(&line, "--native");
        command_line_add(&line, options->native[i].object_path);
        command_line_add(&line, "--called");
        command_line_add(&line, options->native[i].name);
    }
    for (const char *const *name = options->wrapped; name && *name; name++) {
        command_line_add(&line, "--wrapped");
        command_line_add(&line, *name);
    }
    command_line_add(&line, "--");
    command_line_add(&line, options->bitcode_path);
    command_line_add(&line, options->object_path);
    command_line_add(&line, options->embedded_path);
    char *answer CLEANUP_FREE = NULL;
    err = run_tool(&line, &answer);
    command_line_deinit(&line);
    return err ? err : parse_result(answer, ret);
}

struct error *canonical_tool_merge(const char *object_path, const char *bitcode_path) {
    struct command_line line = {0};
    struct error *err = begin("merge", &line);
    if (err)
        return err;
    command_line_add(&line, object_path);
    command_line_add(&line, bitcode_path);
    err = run_tool(&line, NULL);
    command_line_deinit(&line);
    return err;
}
