/*
 * recut arm build PROG IMAGE CHOICES: builds the variant of a program that monitors it
 * (instrument/monitor.h).
 * recut arm crash CRASH PROG [IMAGE]: prints which functions were running, one on each line.
 * recut arm private PROG FILE NAMES: writes to FILE whether anything in the program is private, 1
 * or 0 (testgen/secrets.h). recut arm redact CRASH PROG NAMES [IMAGE]: takes what is private out of
 * a crash file that is not compressed.
 *
 * Called by `recut monitor`, not by users: it needs LLVM, the run itself does not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/test.h"
#include "instrument/monitor.h"
#include "models/models.h"
#include "program/embedded.h"
#include "testgen/capture.h"
#include "testgen/redact.h"

static struct error *build(char **argv) {
    struct embedded embedded = {0};
    struct model_table *models CLEANUP_FREE = NULL;
    struct error *err = embedded_open(argv[0], &embedded);
    if (!err)
        err = models_load(NULL, 0, &models);
    if (!err) {
        struct monitor_result result;
        struct monitor_options options = {argv[2], argv[0], &embedded, models, argv[1]};
        err = monitor_build(&options, &result);
    }
    embedded_deinit(&embedded);
    return err;
}

static struct error *list_running(char **argv) {
    struct capture capture = {0};
    struct program *program = NULL;
    struct test_stack stack = {0};
    struct unwind_files files = {.program = argv[1], .image = argv[2]};
    struct error *err = capture_read(argv[0], &capture);
    if (!err)
        err = program_open(argv[1], &program);
    if (!err && capture.crash)
        test_stack_of_crash(program, &files, &capture, &stack);
    for (size_t i = 0; i < stack.frames.count; i++)
        puts(program->functions.data[stack.frames.data[i].id].name);
    test_stack_deinit(&stack);
    program_free(program);
    capture_deinit(&capture);
    return err;
}

static struct error *tell_private(char **argv) {
    struct program *program = NULL;
    struct secrets secrets = {0};
    struct error *err = program_open(argv[0], &program);
    if (!err)
        err = secrets_find(program, argv[2], &secrets);
    if (!err)
        err = io_write_file(argv[1], secrets.is_any ? "1" : "0", 1);
    secrets_deinit(&secrets);
    program_free(program);
    return err;
}

static struct error *take_out(char **argv) {
    struct capture capture = {0};
    struct program *program = NULL;
    struct secrets secrets = {0};
    struct test_stack stack = {0};
    struct capture_call *calls = NULL;
    struct unwind_files files = {.program = argv[1], .image = argv[3]};
    struct error *err = capture_read(argv[0], &capture);
    if (!err)
        err = program_open(argv[1], &program);
    if (!err)
        err = secrets_find(program, argv[2], &secrets);
    if (!err && capture.crash)
        test_stack_of_crash(program, &files, &capture, &stack);
    if (!err) {
        /* Of a stack that nobody can read, there are variables. */
        struct error *none CLEANUP_ERROR = test_read_crash(program, &capture, &stack, &calls);
        test_redact(program, &secrets, &stack, argv[3] != NULL, NULL, &capture);
        err = redact_save(&capture, argv[0]);
    }
    free(calls);
    test_stack_deinit(&stack);
    secrets_deinit(&secrets);
    program_free(program);
    capture_deinit(&capture);
    return err;
}

int cmd_arm(int argc, char **argv) {
    static const struct {
        const char *name;
        int least, most; /* arguments */
        struct error *(*run)(char **argv);
    } jobs[] = {
        {"build", 3, 3, build},
        {"crash", 2, 3, list_running},
        {"private", 3, 3, tell_private},
        {"redact", 3, 4, take_out},
    };
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        if (argc < 2 || strcmp(argv[1], jobs[i].name) != 0 || argc - 2 < jobs[i].least ||
            argc - 2 > jobs[i].most)
            continue;
        struct error *err = jobs[i].run(argv + 2);
        return err ? cmd_fail(argv[0], err) : cmd_finish(argv[0]);
    }
    return cmd_usage(argv[0], "wanted are build, crash, private or redact, and what that takes");
}
