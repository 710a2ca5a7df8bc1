/*
 * An executable is linked twice.
 *
 *   pass 1   clang and lld with --lto-emit-llvm, on the user's own command line:
 *            compiles sources, resolves symbols, and writes the bitcode of
 *            exactly what is linked, archive members included
 *   rewrite  src/program/canonical makes it canonical and generates one object
 *   pass 2   the same command line with that object in place of everything that
 *            was bitcode, and recut's runtime
 *
 * Whatever goes wrong, the user's build does not fail for it: the program is
 * then linked as clang would, from the machine code that the objects also
 * hold, and a warning says why it is not canonical.  If that link fails too,
 * its messages are the ones to show.
 */
#include "cc/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "cc/canonical_tool.h"
#include "cc/command_line.h"
#include "cc/link_pass.h"
#include "program/objects.h"

struct natives {
    struct canonical_native *data;
    size_t count, capacity;
};

/* Native code of the program's own: what recut-canonical must look at. */
static void list_native(const struct link *link, struct natives *ret) {
    for (size_t i = 0; i < link->args->list.count; i++) {
        const struct arg *arg = &link->args->list.data[i];
        const char *object = arg->kind == ARG_FILE ? arg->text : link->others.data[i];
        if (object)
            VEC_PUSH(ret, (struct canonical_native){object, arg->text});
    }
}

static bool is_bitcode_file(const char *path) {
    enum object_kind kind;
    struct error *err CLEANUP_ERROR = object_classify(path, &kind);
    return !err && kind == OBJECT_BITCODE;
}

static struct error *build_canonical(struct link *link, bool import_data,
                                     struct io_child *ret_child) {
    struct natives natives = {0};
    list_native(link, &natives);
    struct canonical_options options = {
        .bitcode_path = link->bitcode,
        .object_path = link->object,
        .embedded_path = link->embedded,
        .opt_level = link->args->opt_level,
        .import_data = import_data,
        .native = natives.data,
        .native_count = natives.count,
        .wrapped = link->args->wrapped.data,
        .defines_malloc = link_defines_malloc(link),
    };
    struct error *err = canonical_tool_build(&options, &link->canonical);
    VEC_DEINIT(&natives);
    return err ? err : link_final(link, ret_child);
}

static const char *output_name(const struct cc_args *args) {
    return args->output ? args->output : "a.out";
}

/* NULL when the executable was linked with its canonical program. */
static struct error *link_canonical(struct link *link) {
    struct io_child first = {0}, last = {0};
    struct error *err = link_compile_others(link);
    if (!err)
        err = link_gather(link, NULL, &first);
    if (!err && first.exit_code != 0 && strstr(first.err, "unable to execute command")) {
        /* lld of LLVM 19 crashes over constants that name an ifunc, while it
         * looks for what is unused. */
        io_child_deinit(&first);
        err = link_gather(link, "-Wl,-mllvm,-compute-dead=false", &first);
    }
    if (!err && first.exit_code != 0)
        err = link_tool_failed("the objects cannot be merged", &first);
    if (!err && !is_bitcode_file(link->bitcode))
        err = error_new(ERROR_FAILED, "no object in it carries bitcode");
    if (!err) {
        link->trace = first.out;
        err = build_canonical(link, true, &last);
        if (!err && last.exit_code != 0) {
            /* A library may not let its variables be placed in the executable. */
            io_child_deinit(&last);
            err = build_canonical(link, false, &last);
        }
        if (!err && last.exit_code != 0)
            err = link_tool_failed("the canonical program cannot be linked", &last);
        if (!err) {
            /* lld dies of a full disk and leaves what it had; we do not. */
            err = io_copy_program(link->executable, output_name(link->args));
            link->unwritable = err != NULL;
        }
    }
    if (!err) {
        fputs(link->messages ? link->messages : "", stderr);
        fputs(first.err, stderr);
        fputs(last.out, stdout);
        fputs(last.err, stderr);
    }
    io_child_deinit(&first);
    io_child_deinit(&last);
    return err;
}

static void pass_on(const struct io_child *child) {
    fputs(child->out, stdout);
    fputs(child->err, stderr);
}

/* As clang would.  GNU's archives index objects with bitcode by what a plugin
 * finds in them; where it finds nothing, lld, which reads the members
 * themselves, still links.  If both fail, the messages are the usual ones. */
static struct error *link_plain(const struct cc_args *args, int *ret_exit) {
    static const char *const lld[] = {"-fuse-ld=lld", NULL};
    struct io_child usual = {0}, other = {0};
    struct error *err = clang_run(args, NULL, true, &usual);
    if (!err && usual.exit_code != 0)
        err = clang_run(args, lld, true, &other);
    if (!err) {
        bool use_other = usual.exit_code != 0 && other.exit_code == 0;
        pass_on(use_other ? &other : &usual);
        *ret_exit = use_other ? 0 : usual.exit_code;
    }
    io_child_deinit(&usual);
    io_child_deinit(&other);
    return err;
}

struct error *cc_link(const struct cc_args *args, int *ret_exit) {
    struct link link = {.args = args};
    struct error *err = NULL;
    if (args->no_start_files)
        err = error_new(ERROR_FAILED, "it is linked without the C library's start files");
    if (!err)
        err = io_make_temp_dir(&link.directory);
    if (!err) {
        link.bitcode = mem_printf("%s/merged.bc", link.directory);
        link.object = mem_printf("%s/canonical.o", link.directory);
        link.embedded = mem_printf("%s/program.o", link.directory);
        link.executable = mem_printf("%s/executable", link.directory);
        err = link_canonical(&link);
        if (getenv("RECUT_CC_KEEP"))
            fprintf(stderr, "recut-cc: kept %s\n", link.directory);
        else
            io_remove_tree(link.directory);
        for (size_t i = 0; i < link.others.count; i++)
            free(link.others.data[i]);
        VEC_DEINIT(&link.others);
        free(link.messages);
        free(link.bitcode);
        free(link.object);
        free(link.embedded);
        free(link.executable);
        free(link.directory);
    }
    const char *name = output_name(args);
    if (!err) {
        *ret_exit = 0;
        if (link.canonical.whole_reason[0])
            fprintf(stderr, "recut-cc: warning: %s: locals stay on the machine stack: %s\n", name,
                    link.canonical.whole_reason);
        return NULL;
    }
    if (link.unwritable)
        return err;
    struct error *plain = link_plain(args, ret_exit);
    if (!plain && *ret_exit == 0)
        fprintf(stderr, "recut-cc: warning: %s: linked without its canonical program: %.*s\n", name,
                (int)strcspn(err->message, "\n"), err->message);
    error_free(err);
    return plain;
}
