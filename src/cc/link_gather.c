/*
 * Pass 1 of a link: the bitcode of exactly what is linked, in one file.
 *
 * clang and lld do it on the user's own command line.  What they cannot take is
 * prepared first: sources that are not C become objects, which both passes use,
 * and objects in which `ld -r` left several modules become one module.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cc/canonical_tool.h"
#include "cc/command_line.h"
#include "cc/link_pass.h"
#include "program/objects.h"

/* The first line of what a tool printed, for a one-line reason. */
struct error *link_tool_failed(const char *what, const struct io_child *child) {
    const char *text = child->err ? child->err : "";
    const char *error = strstr(text, "error: ");
    if (error)
        text = error + 7;
    return error_new(ERROR_FAILED, "%s: %.*s", what, (int)strcspn(text, "\n"), text);
}

static struct error *compile_other(struct link *link, const struct arg *source,
                                   const char *object) {
    struct command_line line = {0};
    command_line_add(&line, CLANG);
    command_line_add(&line, "--start-no-unused-arguments");
    for (size_t i = 0; i < link->args->list.count; i++)
        if (link->args->list.data[i].kind == ARG_OPTION)
            command_line_add_arg(&line, &link->args->list.data[i]);
    command_line_add(&line, "--end-no-unused-arguments");
    const char *language = NULL;
    command_line_add(&line, "-c");
    command_line_add_input(&line, source, &language);
    command_line_add(&line, "-o");
    command_line_add(&line, object);
    struct io_child child = {0};
    struct error *err = command_line_run(&line, true, &child);
    if (!err && child.exit_code != 0)
        err = link_tool_failed(source->text, &child);
    if (!err) {
        char *before = link->messages;
        link->messages = mem_printf("%s%s", before ? before : "", child.err);
        free(before);
    }
    io_child_deinit(&child);
    command_line_deinit(&line);
    return err;
}

/* Sources without bitcode become objects first, for both passes. */
struct error *link_compile_others(struct link *link) {
    for (size_t i = 0; i < link->args->list.count; i++) {
        const struct arg *arg = &link->args->list.data[i];
        char *object = NULL;
        if (arg->kind == ARG_OTHER) {
            object = mem_printf("%s/other-%zu.o", link->directory, i);
            struct error *err = compile_other(link, arg, object);
            if (err)
                return err;
        }
        VEC_PUSH(&link->others, object);
    }
    return NULL;
}

/* Objects that hold several modules are merged first: lld wants one. */
static struct error *add_object(struct link *link, struct command_line *line, const char *path) {
    enum object_kind kind = OBJECT_OTHER;
    struct error *err CLEANUP_ERROR = object_classify(path, &kind);
    if (err || kind != OBJECT_SEVERAL) {
        command_line_add(line, path); /* a file that is missing is the linker's to report */
        return NULL;
    }
    char *merged CLEANUP_FREE = mem_printf("%s/several-%zu.bc", link->directory, line->count);
    struct error *failed = canonical_tool_merge(path, merged);
    if (!failed)
        command_line_add(line, merged);
    return failed;
}

static struct error *add_file(struct link *link, struct command_line *line, const char *path) {
    enum object_kind kind = OBJECT_OTHER;
    struct error *unreadable CLEANUP_ERROR = object_classify(path, &kind);
    char **files = NULL;
    size_t count = 0;
    struct error *err = NULL;
    if (kind == OBJECT_ARCHIVE)
        err = archive_expand_several(path, link->directory, &files, &count);
    if (count == 0 && !err)
        return add_object(link, line, path);
    command_line_add(line, "-Wl,--start-lib");
    for (size_t i = 0; i < count; i++) {
        if (!err)
            err = add_object(link, line, files[i]);
        free(files[i]);
    }
    command_line_add(line, "-Wl,--end-lib");
    free(files);
    return err;
}

struct error *link_gather(struct link *link, const char *extra, struct io_child *ret) {
    static const char *const options[] = {
        "-flto",       "-ffat-lto-objects",         "-fuse-ld=lld",
        "-no-pie",     "-Wl,--lto-emit-llvm",       "-Wl,--lto-O0",
        "-Wl,--trace", "-Wl,--trace-symbol=malloc", NO_INLINE_STREAMS,
        NULL};
    struct command_line line = {0};
    struct error *err = NULL;
    const char *language = NULL;
    command_line_add(&line, CLANG);
    for (size_t i = 0; i < link->args->list.count && !err; i++) {
        const struct arg *arg = &link->args->list.data[i];
        if (language && (arg->kind == ARG_OTHER || arg->kind == ARG_FILE)) {
            language = NULL;
            command_line_add(&line, "-x");
            command_line_add(&line, "none");
        }
        switch (arg->kind) {
        case ARG_OPTION:
        case ARG_LIBRARY:
            command_line_add_arg(&line, arg);
            break;
        case ARG_C:
            command_line_add_input(&line, arg, &language);
            break;
        case ARG_OTHER:
            command_line_add(&line, link->others.data[i]);
            break;
        case ARG_FILE:
            err = add_file(link, &line, arg->text);
            break;
        case ARG_OUTPUT:
        case ARG_ONCE:
        case ARG_DROP:
            break;
        }
    }
    command_line_add(&line, "--start-no-unused-arguments");
    if (link->args->is_static)
        command_line_add(&line, "-static");
    for (const char *const *option = options; *option; option++)
        command_line_add(&line, *option);
    if (extra)
        command_line_add(&line, extra);
    command_line_add(&line, "--end-no-unused-arguments");
    /* clang names dependency files and the like after the executable. */
    command_line_add(&line, "-o");
    command_line_add(&line, link->args->output ? link->args->output : "a.out");
    command_line_add(&line, "-Xlinker");
    command_line_add(&line, "-o");
    command_line_add(&line, "-Xlinker");
    command_line_add(&line, link->bitcode);
    if (!err)
        err = command_line_run(&line, true, ret);
    command_line_deinit(&line);
    return err;
}
