/*
 * recut prepare PROG MODELS IMAGE [loads] [atomics] [ticks|accesses] [races]
 *               [shadow:FUNCTION]... [over:OTHER]: builds the logging variant of a program, with
 * what is named (instrument/logging.h); OTHER is an image that has all but the shadow stack.
 *
 * recut prepare PROG MODELS IMAGE cut:FILE [hashes]: the variant of a cut (instrument/cut.h).
 *
 * Called by `recut record` and `recut races`, not by users: it needs LLVM and the analyses, and
 * is needed once for each build of a program.  Leaves IMAGE, or IMAGE.none if
 * the program does not look at memory of its environment.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/prepare.h"
#include "instrument/cut.h"

struct error *prepare_logging(const char *program, const char *models_path, const char *image,
                              struct logging_options options) {
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
    options.program_path = program;
    options.embedded = &embedded;
    options.models = (const struct model_table *)models;
    options.image_path = image;
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

/* The variant of a cut. */
static struct error *prepare_cut(char **argv, const char *cut_path, bool hashes) {
    struct embedded embedded = {0};
    struct program *program = NULL;
    struct cut cut = {0};
    char *models CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = io_read_file(argv[2], &models, &size);
    const char *wrong = err ? NULL : model_table_check(models, size);
    if (wrong)
        err = error_new(ERROR_INPUT, "%s: %s", argv[2], wrong);
    if (!err)
        err = embedded_open(argv[1], &embedded);
    if (!err)
        err = program_open(argv[1], &program);
    if (!err)
        err = cut_read(cut_path, program, &cut);
    struct cut_variant_options options = {
        .program = program,
        .cut = &cut,
        .embedded = &embedded,
        .models = (const struct model_table *)models,
        .image_path = argv[3],
        .hashes = hashes,
    };
    if (!err)
        err = cut_variant_build(&options);
    cut_deinit(&cut);
    if (program)
        program_free(program);
    embedded_deinit(&embedded);
    return err;
}

int cmd_prepare(int argc, char **argv) {
    if (argc < 5)
        return cmd_usage(argv[0], "wanted are a program, models, an image, and what to log");
    struct logging_options options = {0};
    const char **shadow CLEANUP_FREE = mem_zalloc((size_t)argc, sizeof *shadow);
    size_t shadows = 0;
    const char *cut = NULL;
    bool hashes = false;
    for (int i = 4; i < argc; i++) {
        cut = strncmp(argv[i], "cut:", 4) == 0 ? argv[i] + 4 : cut;
        hashes |= strcmp(argv[i], "hashes") == 0;
        options.loads |= strcmp(argv[i], "loads") == 0;
        options.atomics |= strcmp(argv[i], "atomics") == 0;
        options.dense |= strcmp(argv[i], "accesses") == 0;
        options.ticks |= options.dense || strcmp(argv[i], "ticks") == 0;
        options.races |= strcmp(argv[i], "races") == 0;
        options.over = strncmp(argv[i], "over:", 5) == 0 ? argv[i] + 5 : options.over;
        if (strncmp(argv[i], "shadow:", 7) == 0)
            shadow[shadows++] = argv[i] + 7;
    }
    options.shadow = shadows ? shadow : NULL;
    struct error *err =
        cut ? prepare_cut(argv, cut, hashes) : prepare_logging(argv[1], argv[2], argv[3], options);
    return err ? cmd_fail(argv[0], err) : 0;
}
