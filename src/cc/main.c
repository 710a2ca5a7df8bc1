/*
 * recut-cc: a C compiler for unchanged builds.
 *
 * Objects are ordinary and carry bitcode as well; executables carry their
 * canonical program.  RECUT_CC_PLAIN=1 turns it into clang.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "cc/args.h"
#include "cc/command_line.h"
#include "cc/link.h"

static int fail(struct error *err) {
    fprintf(stderr, "recut-cc: %s\n", err->message);
    int code = err->code;
    error_free(err);
    return code;
}

static bool has_kind(const struct cc_args *args, enum arg_kind kind) {
    for (size_t i = 0; i < args->list.count; i++)
        if (args->list.data[i].kind == kind)
            return true;
    return false;
}

/* Sources that do not become bitcode are compiled apart, as clang does. */
static struct error *compile(const struct cc_args *args, int *ret_exit) {
    static const char *const bitcode[] = {"--start-no-unused-arguments", "-flto",
                                          "-ffat-lto-objects",           NO_INLINE_STREAMS,
                                          "--end-no-unused-arguments",   NULL};
    if (!has_kind(args, ARG_C))
        return clang_run_through(args, NULL, ret_exit);
    if (!has_kind(args, ARG_OTHER))
        return clang_run_through(args, bitcode, ret_exit);
    for (int other = 0; other < 2; other++) {
        struct cc_args part = *args;
        part.list.data = NULL;
        part.list.count = part.list.capacity = 0;
        for (size_t i = 0; i < args->list.count; i++)
            if (args->list.data[i].kind != (other ? ARG_C : ARG_OTHER))
                VEC_PUSH(&part.list, args->list.data[i]);
        struct error *err = clang_run_through(&part, other ? NULL : bitcode, ret_exit);
        VEC_DEINIT(&part.list);
        if (err || *ret_exit)
            return err;
    }
    return NULL;
}

/* <recut.h>, without an option that a user would see, or clang call unused. */
static void add_include_path(void) {
    static const char name[] = "C_INCLUDE_PATH";
    const char *before = getenv(name);
    char *header CLEANUP_FREE = NULL;
    struct error *err CLEANUP_ERROR = io_find_installed("include/recut.h", &header);
    if (err)
        return;
    *strrchr(header, '/') = '\0';
    char *path CLEANUP_FREE =
        before && *before ? mem_printf("%s:%s", before, header) : mem_strdup(header);
    setenv(name, path, true);
}

static int exec_plain(char **argv) {
    argv[0] = CLANG;
    execvp(argv[0], argv);
    return fail(error_new(ERROR_FAILED, "cannot run %s: %s; install the package clang-19", CLANG,
                          strerror(errno)));
}

int main(int argc, char **argv) {
    const char *plain = getenv("RECUT_CC_PLAIN");
    add_include_path();
    if (plain && *plain && strcmp(plain, "0") != 0)
        return exec_plain(argv);
    struct cc_args args;
    struct error *err = cc_args_parse(argc, argv, &args);
    if (err)
        return fail(err);
    int exit_code = 0;
    switch (args.mode) {
    case CC_PASS:
        return exec_plain(argv);
    case CC_COMPILE:
        err = compile(&args, &exit_code);
        break;
    case CC_LINK_PLAIN:
        err = clang_run_through(&args, NULL, &exit_code);
        break;
    case CC_LINK:
        err = cc_link(&args, &exit_code);
        break;
    }
    return err ? fail(err) : exit_code;
}
