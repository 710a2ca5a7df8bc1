/*
 * recut test: unit tests from a crash (ReCrash, section 2.3).
 */
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/monitor_image.h"
#include "cmd/test.h"
#include "models/models.h"
#include "program/embedded.h"
#include "testgen/redact.h"
#include "testgen/review.h"
#include "testgen/test.h"

static const char usage[] =
    "usage: recut test [OPTION]... [TRACE|CRASH]\n"
    "\n"
    "Writes unit tests that fail as the program did: one for each function that was\n"
    "running when it crashed. A test puts back the memory that the function began with and\n"
    "calls it. Each is run; those that crash with the same signal in the same line are kept.\n"
    "TRACE is a directory, a packed trace or a name that `recut ls` shows; the last recording\n"
    "without one. CRASH is a file that `recut monitor` left.\n"
    "\n"
    "  -o, --output DIR     where the tests go (default: tests)\n"
    "      --id TEXT        version of the program, for the comment of each test\n"
    "      --program PROG   the executable that left CRASH, if it is not where it was\n"
    "      --framework F    cmocka or check: tests that it runs (default: plain C)\n"
    "      --redact NAME    keep this variable, parameter or TYPE.FIELD out of the tests; a glob\n"
    "                       names several (can be repeated)\n"
    "      --review         write no tests; print all that was captured, and so all that they\n"
    "                       and CRASH could tell others\n"
    "      --exit           if it did not crash: exit() with a status other than 0 is a failure\n"
    "      --keep-all       tests that do not fail as the program did stay there, too\n"
    "  -h, --help           this text\n"
    "\n"
    "`make -C DIR check` runs them: they fail now, and pass when the program has been mended\n"
    "and built again.\n";

struct test_command {
    struct replay_run replay;
    const char *directory, *id;
    const struct test_framework *framework;
    const char *program_path;
    char *redact; /* words, testgen/secrets.h; NULL: nothing but what the program says */
    bool reviews;
    char *hidden;   /* names of what is private in what was captured; NULL if nothing is */
    bool keeps_all; /* also tests that do not reproduce */
    char *recut;    /* path of this tool */
    const uint8_t *build_id;
    char *command;              /* line */
    char *image;                /* a monitored run: the variant */
    struct capture_call *calls; /* a monitored run */
    struct program *program;
    struct image image_data;
    struct capture capture;
    struct test_stack stack;
    struct test_try all;
    struct names names;
    VEC(const char *) outside; /* functions */
    struct crash_event event;
    struct bytes mappings;             /* of a recording, when it crashed */
    const struct test_candidate *best; /* NULL if none reproduces */
    char *why;                         /* it is */
};

/* --- what happened ------------------------------------------------------------------------ */

/* It did not crash, and perhaps said that it failed, or died in a handler; or its stack is larger
 * than what a log has of it. */
static struct error *find_told(struct test_command *test) {
    const char *path = trace_path(test->replay.trace);
    struct error *err = test_find_told(&test->replay, test->program, &test->event, &test->stack);
    if (!err && !test->stack.failure && !test->event.signal)
        err = error_new(ERROR_FAILED, "%s: the program neither crashed nor said that it failed%s",
                        path, test->replay.exits_fail ? "" : " (--exit: exit() can say it)");
    if (!err && !test->stack.frames.count)
        err = error_new(ERROR_FAILED, "%s: no function of the program is on the stack", path);
    return err;
}

static struct error *find_failure(struct test_command *test) {
    struct trace_summary summary;
    struct source *source = NULL;
    const struct trace *trace = test->replay.trace;
    struct error *err = trace_summarise(trace, &summary);
    bool is_elsewhere = summary.end != TRACE_CRASHED || summary.crash.stack_overflow ||
                        summary.crash.is_second; /* the first is in no log */
    if (!err && is_elsewhere)
        return find_told(test);
    if (!err)
        err = source_open(test->replay.program, trace_info(trace)->build_id, &source);
    if (err)
        return err;
    source_use_variant(source, trace_path(trace));
    struct trace_event event = {.kind = EVENT_CRASH};
    event.crash.state = test->event = summary.crash;
    event.crash.stack = summary.stack;
    event.crash.mappings = test->mappings = summary.mappings;
    struct unwind_files files = {test->replay.program, trace_path(trace), NULL, NULL};
    test_stack_find(test->program, source, &files, &event, &test->stack);
    source_close(source);
    return test->stack.frames.count
               ? NULL
               : error_new(ERROR_FAILED, "%s: no function of the program is on the stack",
                           trace_path(trace));
}

/* --- tests -------------------------------------------------------------------------------- */

static char *comment_of(const struct test_command *test, const struct test_candidate *candidate) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    char *what CLEANUP_FREE = test_stack_what(&test->stack);
    fprintf(out, "%s() as it was called when %s %s %s.\n\n",
            test->program->functions.data[candidate->function].source_name,
            source_base_name(test->program_path), test->stack.failure ? "failed:" : "crashed with",
            what);
    bool was_left_out = false;
    for (size_t i = 0; i < test->stack.frames.count; i++) {
        const struct test_frame *frame = &test->stack.frames.data[i];
        if (!frame->is_left_out)
            fprintf(out, "  #%-2zu %s at %s:%d\n", i, frame->function,
                    source_base_name(frame->file), frame->line);
        else if (!was_left_out)
            fprintf(out, "  ... and so on\n");
        was_left_out = frame->is_left_out;
    }
    fprintf(out, "\ncommand:%s\nbuild:   ", test->command);
    for (int i = 0; i < BUILD_ID_SIZE; i++)
        fprintf(out, "%02x", test->build_id[i]);
    if (test->id)
        fprintf(out, "\nversion: %s", test->id);
    if (test->hidden)
        fprintf(out, "\nredacted, and zero here: %s", test->hidden);
    fprintf(out, "\n");
    fclose(out);
    for (char *at = text; (at = strstr(at, "*/"));)
        at[1] = ' ';
    return text;
}

/* Frames from the innermost on; a function that is there several times gets numbers. */
static void list_candidates(struct test_command *test) {
    const struct program *program = test->program;
    size_t count = test->capture.states.count, frame = 0;
    for (size_t i = 0; i < count; i++) {
        /* A replay meets the outermost first. */
        const struct capture_state *state =
            &test->capture.states.data[test->calls ? i : count - 1 - i];
        if (state->frame.function >= program->functions.count)
            continue;
        const char *name = program->functions.data[state->frame.function].source_name;
        size_t number = test->all.candidates.count + 1;
        function_id id = (function_id)state->frame.function;
        frame = test_stack_next(&test->stack, frame, id);
        /* Of a function that calls itself, the record of a call may be missing. */
        while (test->calls && frame < test->stack.frames.count &&
               test->stack.frames.data[frame].slot != state->frame.entry)
            frame = test_stack_next(&test->stack, frame + 1, id);
        VEC_PUSH(&test->all.candidates, (struct test_candidate){
                                            .state = state,
                                            .function = id,
                                            .name = mem_printf("%02zu_%s", number, name),
                                            .call = test_stack_call(program, &test->stack, frame),
                                            .frame = frame,
                                        });
        frame++;
    }
}

/* Asking does no harm, and any answer will do where there is no recording. */
static bool is_harmless(const char *name) {
    static const char *const names[] = {
        "clock",      "clock_gettime", "getegid",     "geteuid",   "getgid",  "gethostname",
        "getpid",     "getppid",       "getrusage",   "getrlimit", "getuid",  "gettimeofday",
        "isatty",     "nanosleep",     "sched_yield", "sleep",     "sysconf", "time",
        "times",      "ttyname",       "uname",       "usleep",    "umask",   "getpagesize",
        "getentropy", "getrandom",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static struct error *find_outside(struct test_command *test) {
    struct model_table *models CLEANUP_FREE = NULL;
    struct error *err = models_load(NULL, 0, &models);
    for (function_id f = 0; !err && f < test->program->functions.count; f++) {
        const struct function *function = &test->program->functions.data[f];
        if (function->flags & FUNCTION_DEFINED || !model_table_is_outside(models, function->name) ||
            strncmp(function->name, "llvm.", 5) == 0 || strncmp(function->name, "__recut_", 8) == 0)
            continue;
        /* A library that nobody knows has its state in memory, perhaps. */
        bool is_left = test->calls &&
                       (is_harmless(function->name) || !model_table_find(models, function->name));
        if (!is_left)
            VEC_PUSH(&test->outside, function->name);
    }
    return err;
}

static bool is_by_exit(const struct test_command *test) {
    return test->stack.failure && strncmp(test->stack.failure, "exit status ", 12) == 0;
}

static struct test_suite suite_of(const struct test_command *test, const char *const *names,
                                  size_t count) {
    return (struct test_suite){
        .directory = test->directory,
        .program = test->program_path,
        .recut = test->recut,
        .build_id = test->build_id,
        .tests = names,
        .count = count,
        .capture = &test->capture,
        .framework = test->framework,
        .outside = test->outside.data,
        .outside_count = test->outside.count,
        .mappings = test->mappings,
        .exits_fail = is_by_exit(test),
    };
}

static struct error *write_test(struct test_command *test, const struct test_candidate *candidate) {
    char *comment CLEANUP_FREE = comment_of(test, candidate);
    struct test_input input = {
        .program = test->program,
        .image = &test->image_data,
        .state = candidate->state,
        .capture = &test->capture,
        .comment = comment,
        .name = candidate->name,
        .directory = test->directory,
        .build_id = test->build_id,
        .room = candidate->room,
        .call = candidate->call,
    };
    return test_write(&input, &test->names);
}

static struct error *write_tests(struct test_command *test) {
    VEC(const char *) written = {0};
    struct error *err = NULL;
    for (size_t i = 0; !err && i < test->all.candidates.count; i++) {
        struct test_candidate *candidate = &test->all.candidates.data[i];
        candidate->room = test->framework ? 0 : test_room(&test->stack, candidate);
        candidate->is_asked = true;
        struct error *wrong = write_test(test, candidate);
        if (wrong) {
            candidate->is_asked = false;
            candidate->verdict = TEST_MISSING;
            candidate->how = mem_strdup(wrong->message);
            error_free(wrong);
            continue;
        }
        VEC_PUSH(&written, candidate->name);
    }
    struct test_suite suite = suite_of(test, written.data, written.count);
    err = test_write_common(&suite, &test->names);
    VEC_DEINIT(&written);
    return err;
}

/* Those that fail with another stack than they were written with are written again. */
static struct error *fit_rooms(struct test_command *test) {
    VEC(uint64_t) before = {0};
    for (size_t i = 0; i < test->all.candidates.count; i++)
        VEC_PUSH(&before, test->all.candidates.data[i].room);
    struct error *err = test_fit_rooms(&test->all);
    for (size_t i = 0; !err && i < test->all.candidates.count; i++)
        if (test->all.candidates.data[i].room != before.data[i])
            err = write_test(test, &test->all.candidates.data[i]);
    VEC_DEINIT(&before);
    return err;
}

/* Those that do not reproduce are of no use; the best of the others comes first. */
static struct error *keep_good(struct test_command *test) {
    VEC(const char *) kept = {0};
    test->best = test_best(&test->all, &test->event, &test->why);
    if (test->best)
        VEC_PUSH(&kept, test->best->name);
    for (size_t i = 0; i < test->all.candidates.count; i++) {
        const struct test_candidate *candidate = &test->all.candidates.data[i];
        if (candidate->verdict == TEST_REPRODUCES) {
            if (candidate != test->best)
                VEC_PUSH(&kept, candidate->name);
            continue;
        }
        if (test->keeps_all)
            continue;
        static const char *const endings[] = {"%s/%s.c", "%s/%s.state", "%s/build/%s.so"};
        for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
            char *path CLEANUP_FREE = mem_printf(endings[k], test->directory, candidate->name);
            unlink(path);
        }
    }
    struct test_suite suite = suite_of(test, kept.data, kept.count);
    struct error *err = test_write_common(&suite, &test->names);
    VEC_DEINIT(&kept);
    return err;
}

/* --- the summary -------------------------------------------------------------------------- */

/* Frames that have no test, from one of the stack on up to another. */
static void print_others(const struct test_command *test, size_t from, size_t to) {
    const struct test_frame *frames = test->stack.frames.data;
    for (size_t i = from; i < to && i < test->stack.frames.count; i++) {
        size_t outer = i;
        while (frames[outer].is_inlined && outer + 1 < test->stack.frames.count)
            outer++;
        if (frames[i].is_left_out)
            continue;
        if (outer != i)
            printf("   %-29s inlined into %s\n", frames[i].function, frames[outer].function);
        else
            printf("   %-29s no test: %s\n", frames[i].function,
                   test->calls ? "not monitored" : "what it began with is not known");
    }
}

static unsigned print_summary(const struct test_command *test) {
    unsigned good = 0;
    size_t next = 0;
    for (size_t i = 0; i < test->all.candidates.count; i++) {
        const struct test_candidate *candidate = &test->all.candidates.data[i];
        print_others(test, next, candidate->frame);
        next = candidate->frame + 1;
        static const char *const words[] = {"reproduces", "fails differently", "passes", "no test"};
        bool is_good = candidate->verdict == TEST_REPRODUCES;
        good += is_good;
        printf("%-32s %s%s%s%s%s\n", candidate->name,
               cmd_colour(stdout, is_good ? COLOUR_BOLD : COLOUR_OFF), words[candidate->verdict],
               cmd_colour(stdout, COLOUR_OFF), candidate->how ? ": " : "",
               candidate->how ? candidate->how : "");
    }
    print_others(test, next, test->stack.frames.count);
    if (test->hidden && good < test->all.candidates.count)
        printf("those that do not reproduce may need what is redacted: %s\n", test->hidden);
    printf("%u of %zu functions on the stack reproduce the crash; `make -C %s check` runs them\n",
           good, test->all.candidates.count, test->directory);
    if (test->stack.left_out)
        printf("%" PRIu64 " more calls of the same functions are on the stack\n",
               test->stack.left_out);
    if (test->best && good > 1)
        printf("begin with %s%s%s: %s\n", cmd_colour(stdout, COLOUR_BOLD), test->best->name,
               cmd_colour(stdout, COLOUR_OFF), test->why);
    return good;
}

static struct error *open_program(struct test_command *test) {
    struct error *err = program_open(test->program_path, &test->program);
    if (!err)
        err = image_open(test->program_path, &test->image_data);
    return err;
}

static void add_word(struct test_command *test, const char *word) {
    char *before CLEANUP_FREE = test->command;
    test->command = mem_printf("%s %s", before ? before : "", word);
}

static void add_name(struct test_command *test, const char *name) {
    char *before CLEANUP_FREE = test->redact;
    test->redact = mem_printf("%s" SECRETS_REDACT "%s ", before ? before : "", name);
}

static struct error *open_trace(struct test_command *test, const char *argument) {
    struct error *err = replay_open(&test->replay, argument);
    if (err)
        return err;
    const struct trace_info *info = trace_info(test->replay.trace);
    test->program_path = test->replay.program;
    test->build_id = info->build_id;
    for (uint32_t i = 0; i < info->argument_count; i++)
        add_word(test, info->arguments[i]);
    err = open_program(test);
    if (!err)
        err = find_failure(test);
    if (!err)
        err = test_capture(&test->replay, test->program, &test->stack, &test->capture);
    return err;
}

static struct error *check_build(const struct test_command *test, const char *path) {
    uint8_t build_id[BUILD_ID_SIZE];
    struct error *err = embedded_build_id(test->program_path, build_id);
    if (!err && memcmp(build_id, test->build_id, BUILD_ID_SIZE) != 0)
        err = error_new(ERROR_INPUT, "%s is of another build of %s (--program names the right one)",
                        path, test->program_path);
    return err;
}

static struct error *open_crash(struct test_command *test, const char *path) {
    struct error *err = capture_read(path, &test->capture);
    const struct capture_program *program = test->capture.program;
    if (!err && (!program || !test->capture.crash))
        err = error_new(ERROR_INPUT, "%s: is no crash file", path);
    if (err)
        return err;
    if (!test->program_path)
        test->program_path = program->path;
    test->build_id = program->build_id;
    const char *word = (const char *)(program + 1), *end = word + program->command_size;
    /* Of what was redacted zeros are left, each of which would be a word. */
    for (bool was_empty = false; word < end && memchr(word, '\0', (size_t)(end - word));
         word += strlen(word) + 1) {
        if (*word || !test->capture.hidden.count)
            add_word(test, word);
        else if (!was_empty)
            add_word(test, "*");
        was_empty = !*word;
    }
    err = check_build(test, path);
    const char *choices = test->capture.choices;
    if (!err && !choices)
        err = error_new(ERROR_FAILED,
                        "%s: nothing was monitored yet: the next crash of a run with "
                        "--second-chance has more",
                        path);
    if (!err)
        err = monitor_image(test->program_path, choices, &test->image);
    if (!err)
        err = open_program(test);
    if (err)
        return err;
    const struct capture_crash *crash = test->capture.crash;
    test->event = crash->event;
    test->mappings =
        (struct bytes){(const uint8_t *)(crash + 1) + crash->stack_size, crash->mappings_size};
    struct unwind_files files = {.program = test->program_path, .image = test->image};
    test_stack_of_crash(test->program, &files, &test->capture, &test->stack);
    return test_read_crash(test->program, &test->capture, &test->stack, &test->calls);
}

/* What functions began with is read again, without it. */
static struct error *redact_all(struct test_command *test) {
    struct secrets secrets;
    struct error *err = secrets_find(test->program, test->redact, &secrets);
    if (err)
        return err;
    test_redact(test->program, &secrets, &test->stack, true, test->command, &test->capture);
    if (secrets.is_any && test->calls) {
        for (size_t i = 0; i < test->capture.states.count; i++)
            VEC_DEINIT(&test->capture.states.data[i].memory);
        test->capture.states.count = 0;
        free(test->calls);
        err = test_read_crash(test->program, &test->capture, &test->stack, &test->calls);
    }
    test->hidden = redact_names(&test->capture);
    secrets_deinit(&secrets);
    return err;
}

static struct error *review(const struct test_command *test) {
    char *what CLEANUP_FREE = test_stack_what(&test->stack);
    printf("program: %s\ncommand:%s\n%s: %s\n\n", test->program_path, test->command,
           test->stack.failure ? "failed" : "crashed with", what);
    review_print(test->program, &test->capture, stdout);
    return NULL;
}

static struct error *make_tests(struct test_command *test, const char *argument) {
    struct error *err = argument && capture_is_file(argument) ? open_crash(test, argument)
                                                              : open_trace(test, argument);
    if (!err)
        err = redact_all(test);
    if (!err && test->reviews)
        return review(test);
    if (!err)
        err = io_make_dirs(test->directory);
    if (err)
        return err;
    char *directory = realpath(test->directory, NULL);
    test->directory = directory;
    test->all = (struct test_try){
        .program_path = test->program_path,
        .directory = directory,
        .program = test->program,
        .failure = &test->stack,
    };
    names_init(&test->names, test->program);
    list_candidates(test);
    err = io_find_installed("../bin/recut", &test->recut);
    if (!err)
        err = find_outside(test);
    if (!err)
        err = write_tests(test);
    if (!err)
        err = test_build(&test->all);
    if (!err)
        err = test_run(&test->all);
    if (!err && !test->framework)
        err = fit_rooms(test);
    if (!err)
        err = keep_good(test);
    return err;
}

/* --- describing --------------------------------------------------------------------------- */

/* `recut test --describe NAMES -o DIR PROG`, for the tests' Makefile. */
static struct error *describe(const char *path, const char *names, const char *directory) {
    struct program *program = NULL;
    struct error *err = program_open(path, &program);
    if (!err)
        err = test_describe(program, names, directory);
    program_free(program);
    return err;
}

int cmd_test(int argc, char **argv) {
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"id", required_argument, NULL, 'i'},
        {"program", required_argument, NULL, 'p'},
        {"exit", no_argument, NULL, 'e'},
        {"keep-all", no_argument, NULL, 'k'},
        {"framework", required_argument, NULL, 'f'},
        {"redact", required_argument, NULL, 'r'},
        {"review", no_argument, NULL, 'v'},
        {"describe", required_argument, NULL, 'd'},
        CMD_OPTION_HELP,
        {0},
    };
    struct test_command test = {.replay.races_fd = -1, .directory = "tests"};
    const char *names = NULL;
    int option;
    while ((option = getopt_long(argc, argv, CMD_SHORT_HELP "o:", options, NULL)) != -1)
        switch (option) {
        case 'o':
            test.directory = optarg;
            break;
        case 'i':
            test.id = optarg;
            break;
        case 'e':
            test.replay.exits_fail = true;
            break;
        case 'r':
            if (!*optarg || strpbrk(optarg, " \t\n"))
                return cmd_usage(argv[0], "--redact wants the name of a variable or field");
            add_name(&test, optarg);
            break;
        case 'v':
            test.reviews = true;
            break;
        case 'k':
            test.keeps_all = true;
            break;
        case 'd':
            names = optarg;
            break;
        case 'f':
            test.framework = test_framework_find(optarg);
            if (!test.framework)
                return cmd_usage(argv[0], "--framework is cmocka or check, not %s", optarg);
            break;
        case 'p':
            test.program_path = optarg;
            break;
        case 'h':
            return cmd_help(usage);
        default:
            return cmd_bad_option(argv);
        }
    if (optind + 1 < argc || (names && optind == argc))
        return cmd_usage(argv[0], names ? "which program?" : "one trace at a time");
    struct error *err =
        names ? describe(argv[optind], names, test.directory) : make_tests(&test, argv[optind]);
    if (err)
        return cmd_fail(argv[0], err);
    unsigned good = names || test.reviews ? 1 : print_summary(&test);
    int code = cmd_finish(argv[0]);
    return code ? code : !good;
}
