/* What happened when the recorded program died?  See crash.h. */
#include "cmd/crash.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "cmd/backtrace.h"
#include "cmd/cmd.h"
#include "trace/trace.h"

/* In words, what the address that was used says. */
static void print_address(FILE *out, const struct crash_event *crash) {
    if (crash->code <= 0 || (crash->signal != SIGSEGV && crash->signal != SIGBUS))
        return;
    if (crash->stack_overflow)
        fprintf(out, ": the stack is used up");
    else if (crash->code == SI_KERNEL)
        fprintf(out, ": an address was used that no memory can have");
    else if (crash->address < 4096)
        fprintf(out, ": a null pointer was used (address %#" PRIx64 ")", crash->address);
    else
        fprintf(out, ": address %#" PRIx64 " was used", crash->address);
}

void crash_explain(FILE *out, const char *trace_path) {
    struct trace *trace = NULL;
    struct trace_summary summary;
    struct error *err CLEANUP_ERROR = trace_open(trace_path, &trace);
    if (!err)
        err = trace_summarise(trace, &summary);
    if (err || summary.end != TRACE_CRASHED) {
        trace_close(trace);
        return;
    }
    const char *name = sigabbrev_np(summary.signal);
    fprintf(out, "recut: %scrashed with SIG%s%s", cmd_colour(out, COLOUR_RED), name ? name : "?",
            cmd_colour(out, COLOUR_OFF));
    print_address(out, &summary.crash);
    fprintf(out, ", after %" PRIu64 " event%s\n", summary.calls, summary.calls == 1 ? "" : "s");
    struct source *source = NULL;
    struct error *no_source CLEANUP_ERROR =
        source_open(trace_program(trace), trace_info(trace)->build_id, &source);
    if (source)
        source_use_variant(source, trace_path);
    struct trace_event event = {.kind = EVENT_CRASH};
    event.crash.state = summary.crash;
    event.crash.stack = summary.stack;
    event.crash.mappings = summary.mappings;
    backtrace_print(out, trace, source, &event, 0, 2);
    fprintf(out, "recut: `recut replay` comes to the same crash; trace in %s\n", trace_path);
    source_close(source);
    trace_close(trace);
}
