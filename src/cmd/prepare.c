/*
 * recut prepare PROG MODELS IMAGE loads|atomics: builds the logging variant of a program,
 * whole or with nothing but atomic operations.
 *
 * Called by `recut record`, not by users: it needs LLVM and the analyses, and
 * is needed once for each build of a program.  Leaves IMAGE, or IMAGE.none if
 * the program does not look at memory of its environment.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "instrument/logging.h"

static struct error *has_atomics(const char *program, bool *ret) {
    char *names CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = embedded_environment(program, &names, &size);
    *ret = false;
    for (size_t at = 0; !err && at < size; at += strlen(names + at) + 1)
        *ret |= strcmp(names + at, NAMES_ATOMICS) == 0;
    return err;
}

static struct error *prepare(const char *program, const char *models_path, const char *image,
                             bool loads) {
    struct embedded embedded = {0};
    char *models CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = io_read_file(models_path, &models, &size);
    const char *wrong = err ? NULL : model_table_check(models, size);
    if (wrong)
        err = error_new(ERROR_INPUT, "%s: %s", models_path, wrong);
    if (!err)
        err = embedded_open(program, &embedded);
    struct logging_result result = {0};
    char *none CLEANUP_FREE = mem_printf("%s.none", image);
    struct logging_options options = {.program_path = program,
                                      .embedded = &embedded,
                                      .models = (const struct model_table *)models,
                                      .image_path = image,
                                      .loads = loads};
    if (!err)
        err = has_atomics(program, &options.atomics);
    if (!err)
        err = logging_build(&options, &result);
    if (!err && result.refused)
        fprintf(stderr, "recut: %u function%s cannot be recorded in full: %s\n", result.refused,
                result.refused == 1 ? "" : "s", result.refusal);
    if (!err && !result.functions)
        err = io_write_file(none, "", 0);
    free(result.refusal);
    embedded_deinit(&embedded);
    return err;
}

int cmd_prepare(int argc, char **argv) {
    if (argc != 5)
        return cmd_usage(argv[0], "wanted are a program, models, an image, and what to log");
    struct error *err = prepare(argv[1], argv[2], argv[3], strcmp(argv[4], "loads") == 0);
    return err ? cmd_fail(argv[0], err) : 0;
}
