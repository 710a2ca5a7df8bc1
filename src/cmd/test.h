/*
 * The steps of `recut test`: frames of a crash (test_frames.c), memory when each began
 * (test_capture.c), tests that are written and tried (test_describe.c, test_try.c), the one to
 * begin with (test_best.c).
 */
#ifndef RECUT_CMD_TEST_H
#define RECUT_CMD_TEST_H

#include "cmd/replay_run.h"
#include "program/program.h"
#include "testgen/capture.h"
#include "testgen/secrets.h"
#include "trace/source.h"
#include "trace/unwind.h"

/* A place on the stack of a crash, innermost first. */
struct test_frame {
    char *function; /* of the source; an inlined one, if `is_inlined` */
    char *file;
    int line;
    bool is_inlined;
    bool is_left_out; /* there are many of this function */
    function_id id;   /* the one that has the code */
    uint64_t slot;    /* where its return address is, 0 if that is not known */
    uint64_t address; /* where it was: of the crash, or a return address */
    uint64_t depth;   /* it is the call of this number, counted from the outermost on, 1 */
};

struct test_stack {
    int signal;    /* 0: no crash */
    char *failure; /* what was said of it then; NULL otherwise */
    bool is_full;  /* that is why it crashed */
    uint64_t sp;   /* then */
    VEC(struct test_frame) frames;
    uint64_t left_out; /* that have no test since there are very many */
};

/* The frame, as captures want it. */
struct capture_place test_frame_place(const struct test_frame *frame);

/* The stack of an event of kind EVENT_CRASH, or of one made up like it. */
void test_stack_find(const struct program *program, struct source *source,
                     const struct unwind_files *files, const struct trace_event *event,
                     struct test_stack *ret);
/* The same for what was captured of a crash. */
void test_stack_of_crash(const struct program *program, const struct unwind_files *files,
                         const struct capture *capture, struct test_stack *ret);
/* The same, but of one that went deeper than that: as it was with so many calls. */
void test_stack_at_depth(const struct program *program, const struct unwind_files *files,
                         const struct capture *capture, uint64_t depth, struct test_stack *ret);
/* The same with the lines of a source that is open: those of the files. */
void test_stack_in(const struct program *program, struct source *source,
                   const struct unwind_files *files, const struct capture *capture, uint64_t depth,
                   struct test_stack *ret);
void test_stack_deinit(struct test_stack *stack);
/* "SIGSEGV", or what was said of a failure that is no crash.  The caller frees. */
char *test_stack_what(const struct test_stack *stack);
/* Where it happened: the innermost place in the program; NULL if there is none. */
const struct test_frame *test_stack_place(const struct test_stack *stack);
/* The next frame of a call of this function, from this one on; the number of frames if there is
 * none. */
size_t test_stack_next(const struct test_stack *stack, size_t from, function_id function);
/* The call that a frame came from, or one that passes arguments of the same types; NO_ID if the
 * line that its caller is in does not tell. */
instruction_id test_stack_call(const struct program *program, const struct test_stack *stack,
                               size_t frame);

/* Replays a trace that did not end by a crash: what failed in it, if something did.  `ret_event` is
 * zero otherwise. */
struct error *test_find_told(struct replay_run *replay, const struct program *program,
                             struct crash_event *ret_event, struct test_stack *ret);

/* Replays the trace twice: to see which frames are there when it fails, and to keep memory at
 * the beginning of each. */
struct error *test_capture(struct replay_run *replay, const struct program *program,
                           const struct test_stack *stack, struct capture *ret);

/* What a monitored run left: the frames that have a record, each with memory as it was at the
 * crash.  `ret_calls` keeps what they point to, and is freed by the caller. */
struct error *test_read_crash(const struct program *program, struct capture *capture,
                              const struct test_stack *stack, struct capture_call **ret_calls);

/* Takes out what is private, if anything is, also from what was said of a failure and, if it is not
 * NULL, the command line; the states of a crash file are to be read again
 * afterwards.  Of what nobody monitored, memory is left out. */
void test_redact(const struct program *program, const struct secrets *secrets,
                 const struct test_stack *stack, bool was_monitored, char *command,
                 struct capture *capture);

enum test_verdict { TEST_REPRODUCES, TEST_DIFFERS, TEST_PASSES, TEST_MISSING };

struct test_candidate {
    const struct capture_state *state; /* NULL: nothing was captured */
    function_id function;
    char *name;
    instruction_id call; /* that made this one; NO_ID: not known */
    size_t frame;        /* its number on the stack */
    uint64_t room;       /* of the machine stack, if the test is to have no more; 0: all */
    uint64_t trial;      /* another one, for the next run; 0: none */
    bool is_asked;       /* to run */
    enum test_verdict verdict;
    char *how;          /* it differs, or why there is none; NULL otherwise */
    bool ran_over;      /* it used its stack up */
    uint64_t failed_at; /* so many frames below the test it failed */
};

struct test_try {
    const char *program_path, *directory;
    const struct program *program;
    const struct test_stack *failure;
    VEC(struct test_candidate) candidates;
    struct source *source; /* of the program; opened by the first test that crashes */
    unsigned endless;      /* tests that were ended, so far */
    double longest;        /* seconds of a processor that one took which ended by itself */
};

/* Types, functions and variables of the program that the list `names` wants, as header and linker
 * script (testgen/names.h). */
struct error *test_describe(const struct program *program, const char *names,
                            const char *directory);

/* Builds the tests of the directory, but those that cannot be built; runs those that were. */
struct error *test_build(struct test_try *all);
struct error *test_run(struct test_try *all);

/* Where a stack ran over: what the function had of it, as far as that is known. */
uint64_t test_room(const struct test_stack *stack, const struct test_candidate *candidate);
/* Looks for what it takes to fail as the program did, for tests that were run and did not. */
struct error *test_fit_rooms(struct test_try *all);

/* The one that is nearest to the cause, as far as can be told, and why; NULL if none reproduces.
 * The caller frees the reason. */
struct test_candidate *test_best(const struct test_try *all, const struct crash_event *event,
                                 char **ret_why);

#endif
