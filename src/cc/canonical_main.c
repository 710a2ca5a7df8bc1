/*
 * recut-canonical: the part of a link that needs LLVM; see canonical_tool.h.
 *
 *   recut-canonical build [OPTION]... -- BITCODE OBJECT EMBEDDED
 *   recut-canonical merge OBJECT BITCODE
 *
 * Called by recut-cc, not by people.  Prints the result on stdout, an error as
 * one line on stderr.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cc/canonical_tool.h"
#include "program/merge.h"

static struct error *usage(void) {
    return error_new(ERROR_USAGE, "recut-canonical is called by recut-cc");
}

static struct error *build(int argc, char **argv) {
    enum {
        opt_level = 'O',
        no_import_data = 'i',
        defines_malloc = 'm',
        native = 'n',
        called = 'c',
        wrapped = 'w',
    };
    static const struct option known[] = {
        {"opt-level", required_argument, NULL, opt_level},
        {"no-import-data", no_argument, NULL, no_import_data},
        {"defines-malloc", no_argument, NULL, defines_malloc},
        {"native", required_argument, NULL, native},
        {"called", required_argument, NULL, called},
        {"wrapped", required_argument, NULL, wrapped},
        {0},
    };
    struct canonical_options options = {.import_data = true, .opt_level = 2};
    VEC(const char *) names = {0};
    VEC(struct canonical_native) natives = {0};
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1)
        switch (option) {
        case opt_level:
            options.opt_level = (unsigned)atoi(optarg);
            break;
        case no_import_data:
            options.import_data = false;
            break;
        case defines_malloc:
            options.defines_malloc = true;
            break;
        case native:
            VEC_PUSH(&natives, (struct canonical_native){optarg, optarg});
            break;
        case called: /* the one before */
            if (natives.count)
                natives.data[natives.count - 1].name = optarg;
            break;
        case wrapped:
            VEC_PUSH(&names, optarg);
            break;
        default:
            return usage();
        }
    if (argc - optind != 3)
        return usage();
    VEC_PUSH(&names, NULL);
    options.wrapped = names.data;
    options.native = natives.data;
    options.native_count = natives.count;
    options.bitcode_path = argv[optind];
    options.object_path = argv[optind + 1];
    options.embedded_path = argv[optind + 2];
    struct canonical_result result;
    struct error *err = canonical_build(&options, &result);
    if (!err)
        printf(CANONICAL_RESULT_FORMAT, result.defines_malloc, result.functions, result.left_out,
               result.whole_reason);
    VEC_DEINIT(&names);
    VEC_DEINIT(&natives);
    return err;
}

int main(int argc, char **argv) {
    struct error *err;
    if (argc > 1 && strcmp(argv[1], "build") == 0)
        err = build(argc - 1, argv + 1);
    else if (argc == 4 && strcmp(argv[1], "merge") == 0)
        err = merge_modules(argv[2], argv[3]);
    else
        err = usage();
    if (!err)
        return 0;
    fprintf(stderr, "%s\n", err->message);
    int code = err->code;
    error_free(err);
    return code;
}
