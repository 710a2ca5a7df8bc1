/* Does a test fail as the program did?  See test.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
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

/* The program is open: what the Makefile would ask for is there already. */
static struct error *describe(const struct test_try *all) {
    char *build CLEANUP_FREE = mem_printf("%s/build", all->directory);
    char *program CLEANUP_FREE = mem_printf("%s/program", build);
    char *names CLEANUP_FREE = mem_printf("%s/names", all->directory);
    char *text CLEANUP_FREE = mem_printf("%s\n", all->program_path);
    if (mkdir(build, 0777) != 0 && errno != EEXIST)
        return error_errno("cannot make %s", build);
    struct error *err = io_write_file(program, text, strlen(text));
    return err ? err : test_describe(all->program, names, build);
}

struct error *test_build(struct test_try *all) {
    char *tool CLEANUP_FREE = NULL;
    struct error *err = io_find_installed("../bin/recut", &tool);
    if (!err)
        err = describe(all);
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
                    (char *)"-u",
                    (char *)"MFLAGS",
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
            candidate->is_asked = false;
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

static struct error *judge_crash(struct test_try *all, struct test_candidate *candidate,
                                 const struct capture *capture) {
    struct unwind_files files = {.program = all->program_path};
    struct test_stack stack;
    struct error *err = all->source ? NULL : source_open(all->program_path, NULL, &all->source);
    if (err)
        return err;
    test_stack_in(all->program, all->source, &files, capture, UINT64_MAX, &stack);
    const struct test_frame *place = test_stack_place(&stack);
    candidate->ran_over = stack.is_full;
    candidate->failed_at = stack.left_out;
    for (size_t i = 0; i < stack.frames.count; i++)
        candidate->failed_at +=
            !stack.frames.data[i].is_inlined && !stack.frames.data[i].is_left_out;
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
    return NULL;
}

/* A test that runs, in a process of its own. */
struct running {
    struct test_candidate *candidate; /* NULL: none */
    pid_t process;
    int ends; /* can be read when it is over */
    int fd;   /* what it leaves */
};

enum { timed_out = 124 };

/* Seconds that a test may take.  Where memory is not as it was, many may run in circles: each of
 * these leaves the next less, but far more than any took that came to an end. */
static double patience(const struct test_try *all) {
    enum { most = 20, least = 2, times = 10 };
    double seconds = all->endless < 4 ? most >> all->endless : least;
    if (seconds < times * all->longest)
        seconds = times * all->longest;
    return seconds < most ? seconds : most;
}

static struct error *judge(struct test_try *all, const struct running *running, int exit_code) {
    struct test_candidate *candidate = running->candidate;
    struct capture capture = {0};
    char *path CLEANUP_FREE = mem_printf("/proc/self/fd/%d", running->fd);
    struct error *err = capture_map(path, &capture);
    all->endless += exit_code == timed_out;
    if (!err && capture.crash) {
        err = judge_crash(all, candidate, &capture);
    } else if (!err) {
        candidate->verdict = exit_code ? TEST_DIFFERS : TEST_PASSES;
        if (exit_code)
            candidate->how = exit_code == timed_out ? mem_strdup("it does not end")
                                                    : mem_printf("exit status %d", exit_code);
    }
    capture_deinit(&capture);
    return err;
}

/* For so long at most; what it prints is nobody's. */
static struct error *start(const struct test_try *all, struct running *running) {
    char *test CLEANUP_FREE =
        mem_printf("%s=%s/build/%s.so", TEST_ENV, all->directory, running->candidate->name);
    running->fd = memfd_create("recut-test", 0);
    if (running->fd < 0)
        return error_errno("cannot make a file");
    char *report CLEANUP_FREE = mem_printf("%s=%d", TEST_REPORT_ENV, running->fd);
    char *exits CLEANUP_FREE = mem_printf("%s=1", EXITS_ENV);
    const struct test_candidate *candidate = running->candidate;
    char *room CLEANUP_FREE = candidate->trial
                                  ? mem_printf("%s=%" PRIu64, TEST_ROOM_ENV, candidate->trial)
                                  : mem_strdup(TEST_ROOM_ENV "_IS=test");
    char *seconds CLEANUP_FREE = mem_printf("%.1f", patience(all));
    /* Where `make check` runs it. */
    char *argv[] = {(char *)"timeout",
                    seconds,
                    (char *)"env",
                    (char *)"-C",
                    (char *)all->directory,
                    test,
                    report,
                    exits,
                    room,
                    (char *)all->program_path,
                    NULL};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (int fd = 0; fd <= 2; fd++)
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    int failed = posix_spawnp(&running->process, argv[0], &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed) {
        close(running->fd);
        return error_new(ERROR_FAILED, "cannot run %s: %s", argv[0], strerror(failed));
    }
    running->ends = pidfd_open(running->process, 0);
    return NULL;
}

static struct error *finish(struct test_try *all, struct running *running) {
    int status = 0;
    struct rusage used = {0};
    while (wait4(running->process, &status, 0, &used) < 0 && errno == EINTR)
        ;
    int exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    double took = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                  (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    if (exit_code != timed_out && took > all->longest)
        all->longest = took;
    struct error *err = judge(all, running, exit_code);
    close(running->fd);
    if (running->ends >= 0)
        close(running->ends);
    running->candidate = NULL;
    return err;
}

enum { most_running = 16 };

/* One of them that is over; where the kernel does not tell, whichever comes first. */
static struct running *wait_for_one(struct running *running, size_t count) {
    struct pollfd polls[most_running];
    struct running *first = NULL;
    for (size_t i = 0; i < count; i++) {
        bool is_there = running[i].candidate != NULL;
        polls[i] = (struct pollfd){.fd = is_there ? running[i].ends : -1, .events = POLLIN};
        if (is_there && (!first || running[i].ends < 0))
            first = &running[i];
    }
    if (!first || first->ends < 0)
        return first;
    while (poll(polls, count, -1) < 0 && errno == EINTR)
        ;
    for (size_t i = 0; i < count; i++)
        if (polls[i].fd >= 0 && polls[i].revents)
            return &running[i];
    return first;
}

/* The next that is asked; the number of candidates if there is none. */
static size_t next_asked(const struct test_try *all, size_t from) {
    while (from < all->candidates.count && !all->candidates.data[from].is_asked)
        from++;
    return from;
}

/* As many at a time as there are processors. */
struct error *test_run(struct test_try *all) {
    struct running running[most_running] = {0};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t room = processors < 1              ? 1
                  : processors > most_running ? most_running
                                              : (size_t)processors;
    struct error *err = NULL;
    for (size_t next = next_asked(all, 0);;) {
        for (size_t k = 0; k < room && !err && next < all->candidates.count; k++) {
            if (running[k].candidate)
                continue;
            running[k].candidate = &all->candidates.data[next];
            next = next_asked(all, next + 1);
            cmd_progress("running %s ...", running[k].candidate->name);
            err = start(all, &running[k]);
            if (err)
                running[k].candidate = NULL;
        }
        struct running *over = wait_for_one(running, room);
        if (!over)
            break;
        struct error *wrong = finish(all, over);
        if (err)
            error_free(wrong);
        else
            err = wrong;
    }
    cmd_progress(NULL);
    return err;
}
