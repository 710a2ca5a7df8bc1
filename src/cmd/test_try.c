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
#include "format/testing.h"

struct error *test_build(const struct test_try *all) {
    char *tool CLEANUP_FREE = NULL;
    struct error *err = io_find_installed("../bin/recut", &tool);
    if (err)
        return err;
    char *recut CLEANUP_FREE = mem_printf("RECUT=%s", tool);
    char *argv[] = {(char *)"make",         (char *)"-s", (char *)"-k",  (char *)"-C",
                    (char *)all->directory, recut,        (char *)"all", NULL};
    struct io_child child = {0};
    err = io_run(argv, true, &child);
    if (!err && child.exit_code)
        err = error_new(ERROR_FAILED, "the tests do not build: %.*s", (int)strcspn(child.err, "\n"),
                        child.err);
    io_child_deinit(&child);
    return err;
}

/* What the runtime told of a crash; false if there was none. */
static bool read_crash(int fd, char **ret_bytes, struct trace_event *ret) {
    struct test_crash crash;
    *ret = (struct trace_event){.kind = EVENT_CRASH};
    if (pread(fd, &crash, sizeof crash, 0) != sizeof crash || crash.stack_size > (1 << 30) ||
        crash.mappings_size > (1 << 20))
        return false;
    size_t size = crash.stack_size + crash.mappings_size;
    *ret_bytes = mem_zalloc(size + 1, 1);
    if (pread(fd, *ret_bytes, size, sizeof crash) != (ssize_t)size)
        return false;
    ret->crash.state = crash.event;
    ret->crash.stack = (struct bytes){(const uint8_t *)*ret_bytes, crash.stack_size};
    ret->crash.mappings =
        (struct bytes){(const uint8_t *)*ret_bytes + crash.stack_size, crash.mappings_size};
    return true;
}

static bool is_same_place(const struct test_frame *left, const struct test_frame *right) {
    return left && right && left->line == right->line &&
           strcmp(left->function, right->function) == 0 && strcmp(left->file, right->file) == 0;
}

static void judge_crash(const struct test_try *all, struct test_candidate *candidate,
                        const struct trace_event *event) {
    struct source *source = NULL;
    struct test_stack stack = {0};
    struct error *err CLEANUP_ERROR = source_open(all->program_path, NULL, &source);
    if (!err)
        test_stack_find(all->program, source, NULL, event, &stack);
    const struct test_frame *place = test_stack_place(&stack);
    candidate->verdict =
        stack.signal == all->failure->signal && is_same_place(place, test_stack_place(all->failure))
            ? TEST_REPRODUCES
            : TEST_DIFFERS;
    if (candidate->verdict == TEST_DIFFERS)
        candidate->how = mem_printf("SIG%s in %s%s%s", sigabbrev_np(event->crash.state.signal),
                                    place ? place->function : "no function of the program",
                                    place ? " at " : "", "");
    if (candidate->verdict == TEST_DIFFERS && place) {
        free(candidate->how);
        candidate->how = mem_printf("SIG%s in %s at %s:%d", sigabbrev_np(event->crash.state.signal),
                                    place->function, source_base_name(place->file), place->line);
    }
    test_stack_deinit(&stack);
    source_close(source);
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
    char *argv[] = {(char *)"timeout",         (char *)"20", (char *)"env", test, report,
                    (char *)all->program_path, NULL};
    struct io_child child = {0};
    char *bytes CLEANUP_FREE = NULL;
    struct trace_event event;
    struct error *err = io_run(argv, true, &child);
    if (!err && read_crash(fd, &bytes, &event)) {
        judge_crash(all, candidate, &event);
    } else if (!err) {
        candidate->verdict = child.exit_code ? TEST_DIFFERS : TEST_PASSES;
        if (child.exit_code)
            candidate->how = child.exit_code == timed_out
                                 ? mem_strdup("it does not end")
                                 : mem_printf("exit status %d", child.exit_code);
    }
    io_child_deinit(&child);
    close(fd);
    return err;
}
