/*
 * recut arm build PROG IMAGE CHOICES: builds the variant of a program that monitors it
 * (instrument/monitor.h).
 * recut arm crash CRASH PROG [IMAGE]: prints which functions were running, one on each line.
 *
 * Called by `recut monitor`, not by users: it needs LLVM, the run itself does not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/test.h"
#include "instrument/monitor.h"
#include "models/models.h"
#include "program/embedded.h"
#include "testgen/capture.h"

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

int cmd_arm(int argc, char **argv) {
    bool builds = argc == 5 && strcmp(argv[1], "build") == 0;
    bool lists = (argc == 4 || argc == 5) && strcmp(argv[1], "crash") == 0;
    if (!builds && !lists)
        return cmd_usage(argv[0],
                         "wanted are build PROG IMAGE CHOICES, or crash CRASH PROG [IMAGE]");
    struct error *err = builds ? build(argv + 2) : list_running(argv + 2);
    return err ? cmd_fail(argv[0], err) : cmd_finish(argv[0]);
}
