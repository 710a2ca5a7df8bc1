/* Does a test fail as the program did?  See test.h. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/test.h"
#include "format/capture.h"
#include "format/testing.h"

/* What the compiler said, in its own words. */
static char *complaint(const struct test_try *all, const struct test_candidate *candidate) {
    char *path CLEANUP_FREE = mem_printf("%s/build/%s.log", all->directory, candidate->name);
    char *text CLEANUP_FREE = NULL;
    size_t size;
    struct error *err CLEANUP_ERROR = io_read_file(path, &text, &size);
    const char *at = err ? NULL : strstr(text, "error: ");
    at = at ? at + strlen("error: ") : "";
    return mem_printf("it does not build: %.*s", (int)strcspn(at, "\n"), at);
}

static bool is_built(const struct test_try *all, const struct test_candidate *candidate) {
    char *path CLEANUP_FREE = mem_printf("%s/build/%s.so", all->directory, candidate->name);
    return access(path, R_OK) == 0;
}

struct error *test_build(struct test_try *all) {
    char *tool CLEANUP_FREE = NULL;
    struct error *err = io_find_installed("../bin/recut", &tool);
    if (err)
        return err;
    char *recut CLEANUP_FREE = mem_printf("RECUT=%s", tool);
    char *jobs CLEANUP_FREE = mem_printf("-j%ld", sysconf(_SC_NPROCESSORS_ONLN));
    /* Variables of a make that runs us are not meant for the tests. */
    char *argv[] = {(char *)"env",
                    (char *)"-u",
                    (char *)"MAKEFLAGS",
                    (char *)"-u",
                    (char *)"MAKEOVERRIDES",
                    (char *)"make",
                    (char *)"-s",
                    (char *)"-k",
                    jobs,
                    (char *)"-C",
                    (char *)all->directory,
                    recut,
                    (char *)"all",
                    NULL};
    struct io_child child = {0};
    err = io_run(argv, true, &child);
    size_t built = 0;
    for (size_t i = 0; !err && i < all->candidates.count; i++) {
        struct test_candidate *candidate = &all->candidates.data[i];
        built += is_built(all, candidate);
        if (candidate->verdict != TEST_MISSING && !is_built(all, candidate)) {
            candidate->verdict = TEST_MISSING;
            candidate->how = complaint(all, candidate);
        }
    }
    if (!err && child.exit_code && !built)
        err = error_new(ERROR_FAILED, "the tests do not build: %.*s", (int)strcspn(child.err, "\n"),
                        child.err);
    io_child_deinit(&child);
    return err;
}

/* A variant may name its files by other paths. */
static bool is_same_place(const struct test_frame *left, const struct test_frame *right) {
    return left && right && left->line == right->line &&
           strcmp(left->function, right->function) == 0 &&
           strcmp(source_base_name(left->file), source_base_name(right->file)) == 0;
}

static size_t count_calls(const struct test_stack *stack, function_id function) {
    size_t count = 0;
    for (size_t i = 0; i < stack->frames.count; i++)
        count += stack->frames.data[i].id == function;
    return count;
}

/* Are there several calls of what the other stack has most of?  In which of the functions of a
 * recursion the stack ends is chance. */
static bool is_full_of(const struct test_stack *stack, const struct test_stack *other) {
    function_id most = NO_ID;
    size_t most_calls = 1;
    for (size_t i = 0; i < other->frames.count; i++) {
        size_t calls = count_calls(other, other->frames.data[i].id);
        if (calls > most_calls) {
            most = other->frames.data[i].id;
            most_calls = calls;
        }
    }
    return most != NO_ID && count_calls(stack, most) > 1;
}

static bool is_same_failure(const struct test_stack *left, const struct test_stack *right) {
    if (left->signal != right->signal)
        return false;
    if (left->is_full && right->is_full && is_full_of(left, right) && is_full_of(right, left))
        return true;
    return is_same_place(test_stack_place(left), test_stack_place(right));
}

static void judge_crash(const struct test_try *all, struct test_candidate *candidate,
                        const struct capture *capture) {
    struct unwind_files files = {.program = all->program_path};
    struct test_stack stack;
    test_stack_of_crash(all->program, &files, capture, &stack);
    const struct test_frame *place = test_stack_place(&stack);
    char *what CLEANUP_FREE = test_stack_what(&stack);
    if (is_same_failure(&stack, all->failure)) {
        candidate->verdict = TEST_REPRODUCES;
    } else {
        candidate->verdict = TEST_DIFFERS;
        candidate->how = place ? mem_printf("%s in %s at %s:%d", what, place->function,
                                            source_base_name(place->file), place->line)
                               : mem_printf("%s in no function of the program", what);
    }
    test_stack_deinit(&stack);
}

/* In a process of its own, for so long at most. */
struct error *test_run(const struct test_try *all, struct test_candidate *candidate) {
    enum { timed_out = 124 };
    int fd = memfd_create("recut-test", 0);
    if (fd < 0)
        return error_errno("cannot make a file");
    char *test CLEANUP_FREE =
        mem_printf("%s=%s/build/%s.so", TEST_ENV, all->directory, candidate->name);
    char *report CLEANUP_FREE = mem_printf("%s=%d", TEST_REPORT_ENV, fd);
    char *exits CLEANUP_FREE = mem_printf("%s=1", EXITS_ENV);
    /* Where `make check` runs it. */
    char *argv[] = {(char *)"timeout",         (char *)"20", (char *)"env", (char *)"-C",
                    (char *)all->directory,    test,         report,        exits,
                    (char *)all->program_path, NULL};
    struct io_child child = {0};
    struct capture capture = {0};
    struct error *err = io_run(argv, true, &child);
    char *path CLEANUP_FREE = mem_printf("/proc/self/fd/%d", fd);
    if (!err)
        err = capture_read(path, &capture);
    if (!err && capture.crash) {
        judge_crash(all, candidate, &capture);
    } else if (!err) {
        candidate->verdict = child.exit_code ? TEST_DIFFERS : TEST_PASSES;
        if (child.exit_code)
            candidate->how = child.exit_code == timed_out
                                 ? mem_strdup("it does not end")
                                 : mem_printf("exit status %d", child.exit_code);
    }
    capture_deinit(&capture);
    io_child_deinit(&child);
    close(fd);
    return err;
}
