/* Calling recut-canonical; see canonical_tool.h. */
#include "cc/canonical_tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/mem.h"

struct words {
    const char **data;
    size_t count, capacity;
};

/* Runs the tool with these arguments; its error line becomes ours. */
static struct error *run_tool(struct words *words, char **ret_out) {
    char *tool CLEANUP_FREE = NULL;
    struct error *err = io_find_installed("recut-canonical", &tool);
    if (err)
        return err;
    words->data[0] = tool;
    VEC_PUSH(words, NULL);
    struct io_child child;
    err = io_run((char *const *)words->data, true, &child);
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
        return error_new(ERROR_BUG, "recut-canonical answered in a way that recut-cc does not know");
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
    struct words words = {0};
    VEC_PUSH(&words, NULL); /* the tool's own path */
    VEC_PUSH(&words, "build");
    VEC_PUSH(&words, "--opt-level");
    VEC_PUSH(&words, opt_level);
    if (!options->import_data)
        VEC_PUSH(&words, "--no-import-data");
    if (options->defines_malloc)
        VEC_PUSH(&words, "--defines-malloc");
    for (size_t i = 0; i < options->native_count; i++) {
        VEC_PUSH(&words, "--native");
        VEC_PUSH(&words, options->native[i].object_path);
        VEC_PUSH(&words, "--called");
        VEC_PUSH(&words, options->native[i].name);
    }
    for (const char *const *name = options->wrapped; name && *name; name++) {
        VEC_PUSH(&words, "--wrapped");
        VEC_PUSH(&words, *name);
    }
    VEC_PUSH(&words, "--");
    VEC_PUSH(&words, options->bitcode_path);
    VEC_PUSH(&words, options->object_path);
    VEC_PUSH(&words, options->embedded_path);
    char *answer CLEANUP_FREE = NULL;
    struct error *err = run_tool(&words, &answer);
    VEC_DEINIT(&words);
    return err ? err : parse_result(answer, ret);
}

struct error *canonical_tool_merge(const char *object_path, const char *bitcode_path) {
    struct words words = {0};
    VEC_PUSH(&words, NULL);
    VEC_PUSH(&words, "merge");
    VEC_PUSH(&words, object_path);
    VEC_PUSH(&words, bitcode_path);
    struct error *err = run_tool(&words, NULL);
    VEC_DEINIT(&words);
    return err;
}
