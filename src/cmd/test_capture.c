/* What did the functions on the stack begin with?  See test.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/test.h"
#include "cmd/variant_cache.h"
#include "format/variant.h"

/* The variant that was recorded with, and a shadow stack for the functions of the stack. */
static struct error *build_image(const struct replay_run *replay, const struct program *program,
                                 const struct test_stack *stack, const char *image) {
    static const struct {
        uint64_t feature;
        const char *name;
    } features[] = {{VARIANT_LOADS, "loads"},
                    {VARIANT_ATOMICS, "atomics"},
                    {VARIANT_TICKS, "ticks"},
                    {VARIANT_ACCESSES, "accesses"}};
    char *models CLEANUP_FREE = mem_printf("%s/%s", trace_path(replay->trace), TRACE_MODELS_NAME);
    char *recorded CLEANUP_FREE = replay_variant(replay);
    char *tool CLEANUP_FREE = NULL;
    uint64_t has = 0;
    struct error *err = recorded ? variant_cache_features(recorded, &has) : NULL;
    if (!err)
        err = io_find_installed("recut-program", &tool);
    if (err)
        return err;
    VEC(char *) argv = {0};
    const char *const head[] = {tool, "prepare", replay->program, models, image};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        VEC_PUSH(&argv, mem_strdup(head[i]));
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (has & features[i].feature)
            VEC_PUSH(&argv, mem_strdup(features[i].name));
    for (size_t i = 0; i < stack->frames.count; i++)
        VEC_PUSH(&argv,
                 mem_printf("shadow:%s", program->functions.data[stack->frames.data[i].id].name));
    VEC_PUSH(&argv, NULL);
    struct io_child child = {0};
    err = io_run(argv.data, false, &child);
    if (!err && child.exit_code)
        err = error_new(ERROR_FAILED, "cannot build a variant of %s", replay->program);
    io_child_deinit(&child);
    for (size_t i = 0; i < argv.count; i++)
        free(argv.data[i]);
    VEC_DEINIT(&argv);
    return err;
}

static struct error *replay_into(struct replay_run *replay, const char *path, struct capture *ret) {
    struct replay_report report = {0};
    int status;
    FILE *file = fopen(path, "w+");
    if (!file)
        return error_errno("cannot write %s", path);
    replay->capture_fd = fileno(file);
    struct error *err = replay_run(replay, &status, &report);
    if (!err && replay_report_left(&report, replay->trace))
        err = error_new(ERROR_FAILED, "the replay left the recording before its end");
    replay_report_deinit(&report);
    fclose(file);
    return err ? err : capture_read(path, ret);
}

/* "THREAD:ENTRY+ENTRY+..." */
static char *entries_text(const struct capture *shadow) {
    char *text = mem_printf("%" PRIu64 ":", shadow->shadow_thread);
    for (size_t i = 0; i < shadow->shadow.count; i++) {
        char *before CLEANUP_FREE = text;
        text = mem_printf("%s%s%" PRIu64, before, i ? "+" : "", shadow->shadow.data[i]->entry);
    }
    return text;
}

struct error *test_capture(struct replay_run *replay, const struct program *program,
                           const struct test_stack *stack, struct capture *ret) {
    char *directory CLEANUP_FREE = NULL;
    struct capture shadow = {0};
    struct error *err = io_make_temp_dir(&directory);
    if (err)
        return err;
    char *image CLEANUP_FREE = mem_printf("%s/image", directory);
    char *first CLEANUP_FREE = mem_printf("%s/shadow", directory);
    char *second CLEANUP_FREE = mem_printf("%s/memory", directory);
    cmd_progress("replaying: which functions were running ...");
    err = build_image(replay, program, stack, image);
    replay->variant = image;
    replay->quiet = true;
    if (!err)
        err = replay_into(replay, first, &shadow);
    if (!err && !shadow.shadow.count)
        err = error_new(ERROR_FAILED, "no function of the program was running");
    char *entries CLEANUP_FREE = err ? NULL : entries_text(&shadow);
    replay->entries = entries;
    cmd_progress("replaying: what they began with ...");
    if (!err)
        err = replay_into(replay, second, ret);
    cmd_progress(NULL);
    replay->entries = replay->variant = NULL;
    capture_deinit(&shadow);
    io_remove_tree(directory);
    return err;
}
