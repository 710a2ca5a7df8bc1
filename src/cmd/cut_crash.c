/*
 * Which functions have to do with a crash?  (iTarget, section 5.3, leaves this open.)
 *
 * The one that crashed, and those that the place of the crash depends on within MOST_STEPS lines
 * backward (slice/slice.h).  All that it depends on is most of a program, as
 * a rule; what is near is what a person would look at first: where the value that was used comes
 * from, and what decided that this code ran.  A function counts if the value of an instruction of
 * it is among that.
 *
 * The place is the innermost line of the program on the stack: of a crash inside libc, the call.
 */
#include "cmd/cut_crash.h"

#include <string.h>

#include "cmd/cmd.h"
#include "cmd/graph_cache.h"
#include "slice/criterion.h"
#include "slice/slice.h"
#include "trace/directory.h"
#include "trace/source.h"
#include "trace/unwind.h"

enum { MOST_STEPS = 5 };
static const char prefix[] = "crash:";

bool cut_crash_is(const char *target) { return strncmp(target, prefix, strlen(prefix)) == 0; }

struct crash_place {
    function_id function;
    char *criterion; /* FILE:LINE; NULL without debug information */
};

/* The innermost frame that is in a function of the program. */
static struct error *find_place(const struct program *program, struct source *source,
                                const struct unwind_frame *stack, size_t count,
                                struct crash_place *ret) {
    for (size_t i = 0; i < count; i++) {
        const struct source_frame *frames;
        size_t inlined = i ? source_call(source, stack[i].address, &frames)
                           : source_find(source, stack[i].address, &frames);
        /* Of inlined functions, the outermost is the one that exists. */
        const struct source_frame *outer = &frames[inlined - 1];
        if (!outer->function)
            continue;
        function_id function = program_find_function(program, outer->function, 0);
        while (function != NO_ID && !(program->functions.data[function].flags & FUNCTION_DEFINED))
            function = program_find_function(program, outer->function, function + 1);
        if (function == NO_ID)
            continue;
        ret->function = function;
        ret->criterion =
            frames[0].file ? mem_printf("%s:%d", frames[0].file, frames[0].line) : NULL;
        return NULL;
    }
    return error_new(ERROR_FAILED, "no function of the program is on its stack");
}

static struct error *read_crash(const struct program *program, const char *argument,
                                struct crash_place *ret) {
    char *path CLEANUP_FREE = NULL;
    struct trace *trace = NULL;
    struct error *err = trace_resolve(*argument ? argument : NULL, &path);
    if (!err)
        err = trace_open(path, &trace);
    if (err)
        return err;
    struct trace_summary summary;
    struct source *source = NULL;
    err = trace_summarise(trace, &summary);
    if (!err && summary.end != TRACE_CRASHED)
        err = error_new(ERROR_FAILED, "%s does not end with a crash", path);
    if (!err && memcmp(trace_info(trace)->build_id, program->build_id, BUILD_ID_SIZE) != 0)
        err = error_new(ERROR_INPUT, "%s is a trace of another build of %s", path, program->path);
    if (!err)
        err = source_open(program->path, program->build_id, &source);
    if (!err) {
        source_use_variant(source, path);
        struct trace_event event = {.kind = EVENT_CRASH};
        event.crash.state = summary.crash;
        event.crash.stack = summary.stack;
        event.crash.mappings = summary.mappings;
        struct unwind_frame stack[UNWIND_MOST];
        struct unwind_files files = {program->path, path, NULL, NULL};
        err = find_place(program, source, stack, unwind_crash(&files, &event, stack), ret);
    }
    source_close(source);
    trace_close(trace);
    return err;
}

static struct sdg *find_graph(const struct pta *pta) {
    const struct model_table *models = pta_models(pta);
    struct graph_choices choices = {.models_hash = models ? models->hash : 0};
    struct sdg *sdg = graph_cache_find(pta_program(pta), &choices);
    if (sdg)
        return sdg;
    cmd_progress("dependence graph");
    sdg = sdg_build(pta, &(struct sdg_options){0});
    if (threads_count(sdg->threads) <= 1)
        graph_cache_keep(sdg, &choices);
    cmd_progress(NULL);
    return sdg;
}

static void add_slice(const struct program *program, struct sdg *sdg,
                      const struct criterion *criterion, struct bitset *functions) {
    node_vec nodes = {0};
    criterion_nodes(criterion, sdg, 0, false, &nodes);
    struct slice *slice = slice_new(sdg);
    for (size_t i = 0; i < nodes.count; i++)
        slice_add(slice, nodes.data[i]);
    slice_run(slice, &(struct slice_options){.depth = MOST_STEPS});
    for (node_id n = 0; n < sdg->nodes.count; n++) {
        function_id function = sdg->nodes.data[n].function;
        if (sdg->nodes.data[n].kind == NODE_INSTRUCTION && slice_has(slice, n) &&
            program->functions.data[function].flags & FUNCTION_DEFINED)
            bitset_add(functions, function);
    }
    slice_free(slice);
    VEC_DEINIT(&nodes);
}

struct error *cut_crash_targets(const struct pta *pta, const char *target,
                                struct bitset *functions) {
    const struct program *program = pta_program(pta);
    struct crash_place place = {NO_ID, NULL};
    struct error *err = read_crash(program, target + strlen(prefix), &place);
    if (err)
        return err;
    bitset_add(functions, place.function);
    char *text CLEANUP_FREE = place.criterion;
    struct criterion criterion = {0};
    /* A line without code in recut's view has nothing to slice from: the function alone is left. */
    struct error *none CLEANUP_ERROR = text ? criterion_parse(program, text, &criterion) : NULL;
    if (criterion.instructions.count) {
        struct sdg *sdg = find_graph(pta);
        add_slice(program, sdg, &criterion, functions);
        sdg_free(sdg);
    }
    criterion_deinit(&criterion);
    return NULL;
}
