/* How did the replay end?  See replay_report.h. */
#include "cmd/replay_report.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/backtrace.h"
#include "cmd/cmd.h"
#include "trace/source.h"

void replay_report_read(struct replay_report *report, int fd, void (*meanwhile)(void *data),
                        void *data) {
    char buffer[65536];
    ssize_t got;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    while (poll(&wait, 1, 500) == 0)
        meanwhile(data);
    while ((got = read(fd, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
        for (ssize_t i = 0; i < got; i++)
            VEC_PUSH(&report->text, buffer[i]);
    VEC_PUSH(&report->text, '\0');
}

void replay_report_deinit(struct replay_report *report) { VEC_DEINIT(&report->text); }

/* The value of a key, NULL if it is not there; the caller frees. */
static char *value_of(const struct replay_report *report, const char *key) {
    size_t length = strlen(key);
    for (const char *line = report->text.data; line && *line;
         line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, key, length) == 0 && line[length] == ' ')
            return mem_strndup(line + length + 1, strcspn(line + length + 1, "\n"));
    return NULL;
}

static void print_place(const struct replay_report *report, struct source *source,
                        const char *title, const char *function_key, const char *site_key) {
    char *function CLEANUP_FREE = value_of(report, function_key);
    char *site CLEANUP_FREE = value_of(report, site_key);
    if (!function)
        return;
    fprintf(stderr, "  %-10s %s", title, function);
    uint64_t address = site ? strtoull(site, NULL, 16) : 0;
    const struct source_frame *frames;
    if (address && source) {
        size_t count = source_call(source, address, &frames);
        for (size_t i = 0; i < count; i++)
            if (frames[i].file)
                fprintf(stderr, "%s %s:%d in %s", i ? "," : " at", source_base_name(frames[i].file),
                        frames[i].line, frames[i].function ? frames[i].function : "?");
            else
                fprintf(stderr, " at %#" PRIx64, address);
    }
    fputc('\n', stderr);
}

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/* The calls that led to where the replay ended. */
static void print_stack(const struct replay_report *report, const struct trace *trace,
                        struct source *source) {
    char *pc CLEANUP_FREE = value_of(report, "pc"), *sp CLEANUP_FREE = value_of(report, "sp");
    char *bp CLEANUP_FREE = value_of(report, "bp"), *text CLEANUP_FREE = value_of(report, "stack");
    if (!pc || !sp || !bp || !text)
        return;
    size_t size = strlen(text) / 2;
    uint8_t *stack CLEANUP_FREE = mem_alloc(size + 1);
    for (size_t i = 0; i < size; i++)
        stack[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    enum { rbp = 6, rsp = 7 }; /* in crash_event.registers */
    struct trace_event event = {.kind = EVENT_CRASH};
    event.crash.state.pc = strtoull(pc, NULL, 16);
    event.crash.state.sp = event.crash.state.registers[rsp] = strtoull(sp, NULL, 16);
    event.crash.state.registers[rbp] = strtoull(bp, NULL, 16);
    event.crash.stack = (struct bytes){stack, size};
    char *site CLEANUP_FREE = value_of(report, "site");
    backtrace_print(stderr, trace, source, &event, site ? strtoull(site, NULL, 16) : 0, 2);
}

/* Where threads ran in parallel. */
static void print_hint(const struct trace *trace) {
    if (trace_stream_count(trace) > 1 && !trace_info(trace)->serial)
        fprintf(stderr,
                "  The program has threads; a data race between them is not recorded: record it "
                "with\n  --threads=serial. `recut races` finds races.\n");
}

/* The runtime says of a replay whose threads all wait that the recording ends there.  It
 * does not, if the recorded run came to an end. */
static bool is_blocked(const struct trace *trace) {
    struct trace_summary summary;
    struct error *err CLEANUP_ERROR = trace_summarise(trace, &summary);
    return !err && trace_stream_count(trace) > 1 &&
           (summary.end == TRACE_EXITED || summary.end == TRACE_CRASHED);
}

static bool is_kind(const struct replay_report *report, const char *kind) {
    const char *text = report->text.data;
    return text && strncmp(text, kind, strlen(kind)) == 0;
}

bool replay_report_crashed(const struct replay_report *report) {
    return is_kind(report, "crashed\n");
}

bool replay_report_ended(const struct replay_report *report, const struct trace *trace) {
    return is_kind(report, "ended\n") && !is_blocked(trace);
}

bool replay_report_left(const struct replay_report *report, const struct trace *trace) {
    return is_kind(report, "diverged\n") || is_kind(report, "damaged\n") ||
           (is_kind(report, "ended\n") && is_blocked(trace));
}

int replay_report_print(const struct replay_report *report, const struct trace *trace,
                        const char *program) {
    const char *text = report->text.data;
    if (!text || !*text)
        return -1;
    if (is_kind(report, "crashed\n")) {
        char *number CLEANUP_FREE = value_of(report, "signal");
        const char *name = number ? sigabbrev_np(atoi(number)) : NULL;
        if (isatty(STDERR_FILENO) && name)
            fprintf(stderr, "recut replay: crashed with SIG%s, as recorded\n", name);
        return -1;
    }
    if (is_kind(report, "verified\n")) {
        char *hashes CLEANUP_FREE = value_of(report, "hashes");
        if (hashes && strcmp(hashes, "0") == 0)
            fprintf(stderr, "recut replay: nothing to compare: the trace has no hashes of memory "
                            "(recut record --hash N)\n");
        return -1;
    }
    struct source *source = NULL;
    struct error *err CLEANUP_ERROR = source_open(program, trace_info(trace)->build_id, &source);
    if (source && trace_path(trace))
        source_use_variant(source, trace_path(trace));
    char *event CLEANUP_FREE = value_of(report, "event");
    int code = 1;
    if (is_kind(report, "diverged\n")) {
        char *what CLEANUP_FREE = value_of(report, "what");
        char *recorded CLEANUP_FREE = value_of(report, "recorded");
        char *actual CLEANUP_FREE = value_of(report, "actual");
        fprintf(stderr, "recut replay: the replay leaves the recording at event %s: %s differs\n",
                event, what);
        fprintf(stderr, "  recorded   %s\n  now        %s\n", recorded, actual);
        print_place(report, source, "recorded:", "recorded-function", "recorded-site");
        print_place(report, source, "now:", "function", "site");
        print_hint(trace);
    } else if (is_kind(report, "ended\n") && is_blocked(trace)) {
        fprintf(stderr,
                "recut replay: the replay leaves the recording after event %s: all threads "
                "wait for each other\n",
                event);
        print_place(report, source, "in", "function", "site");
        print_hint(trace);
    } else if (is_kind(report, "ended\n")) {
        char *reason CLEANUP_FREE = value_of(report, "reason");
        fprintf(stderr, "recut replay: the recording ends here, after event %s%s%s\n", event,
                reason ? ": " : "", reason ? reason : "");
        print_place(report, source, "in", "function", "site");
        code = 0;
    } else if (is_kind(report, "stopped\n")) {
        fprintf(stderr, "recut replay: stopped at event %s\n", event);
        print_place(report, source, "in", "function", "site");
        code = 0;
    } else {
        fprintf(stderr, "recut replay: the trace is damaged after event %s\n", event);
        code = ERROR_INPUT;
    }
    print_stack(report, trace, source);
    source_close(source);
    return code;
}
