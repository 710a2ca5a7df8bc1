/*
 * recut dump --parallel: which threads may run at the same time as which code (may happen in
 * parallel).
 *
 *     f0 main  main.c:7
 *       thread 0  i4 to i9  main.c:8:5 to main.c:10:5  alone
 *       thread 0  i10 to i14  main.c:11:5 to main.c:12:5  with 1 2
 *
 * A line is a run of instructions, in one thread, with the same others; what creating and joining
 * say, by whatever calls the thread came there.  The threads are those of --threads.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "cmd/dump_graph.h"

struct run {
    uint32_t thread;
    instruction_id first, last;
    uint64_t with; /* threads, as bits */
};
typedef VEC(struct run) run_vec;

_Static_assert(ORDER_MOST_INSTANCES <= 64, "threads fit into a word");

static uint64_t threads_at(struct order *order, context_id context, instruction_id at) {
    uint64_t with = 0;
    for (uint32_t t = 0; t < order_instance_count(order); t++)
        if (order_meets(order, (struct order_place){.context = context, .at = at}, t))
            with |= UINT64_C(1) << t;
    return with;
}

static void add_run(run_vec *runs, struct run run) {
    struct run *before = runs->count ? &runs->data[runs->count - 1] : NULL;
    if (before && before->thread == run.thread && before->with == run.with &&
        before->last + 1 == run.first)
        before->last = run.last;
    else
        VEC_PUSH(runs, run);
}

/* Others begin and end in calls only, so a piece of a block between two calls is one run. */
static void find_runs(const struct sdg *sdg, struct order *order, function_id function,
                      uint32_t thread, run_vec *runs) {
    const struct program *program = sdg->program;
    uint32_t count;
    const context_id *contexts = order_contexts(order, function, &count);
    struct range blocks = program->functions.data[function].blocks;
    for (block_id b = blocks.first; b < blocks.first + blocks.count; b++) {
        struct range all = program->blocks.data[b].instructions;
        uint64_t with = 0;
        bool is_known = false, is_there = false;
        for (instruction_id i = all.first; i < all.first + all.count; i++) {
            for (uint32_t c = 0; !is_known && c < count; c++) {
                if (order_instance(order, contexts[c]) != thread)
                    continue;
                with |= threads_at(order, contexts[c], i);
                is_there = true;
            }
            is_known = !(program->instructions.data[i].flags & INSTRUCTION_CALL);
            if (is_there)
                add_run(runs, (struct run){thread, i, i, with});
            if (!is_known)
                with = 0;
        }
    }
}

static run_vec runs_of(const struct sdg *sdg, struct order *order, function_id function) {
    run_vec runs = {0};
    for (uint32_t t = 0; order && t < order_instance_count(order); t++)
        find_runs(sdg, order, function, t, &runs);
    return runs;
}

/* Why there is nothing to tell; NULL if there is. */
static const char *excuse(const struct sdg *sdg, const struct order *order) {
    if (threads_count(sdg->threads) < 2)
        return "there is one thread";
    return order ? NULL : "the order of threads is not known: any may run at any time";
}

/* Where a run begins and ends in the source; "" if nothing of it is there. */
static char *first_place(const struct program *program, const struct run *run) {
    instruction_id at = run->first;
    while (at < run->last && program->instructions.data[at].location == NO_ID)
        at++;
    return dump_location_text(program, program->instructions.data[at].location);
}

static char *last_place(const struct program *program, const struct run *run) {
    instruction_id at = run->last;
    while (at > run->first && program->instructions.data[at].location == NO_ID)
        at--;
    return dump_location_text(program, program->instructions.data[at].location);
}

static void print_run(const struct sdg *sdg, const struct run *run, FILE *out) {
    char *first CLEANUP_FREE = first_place(sdg->program, run);
    char *last CLEANUP_FREE = last_place(sdg->program, run);
    fprintf(out, "  thread %u  i%u to i%u", run->thread, run->first, run->last);
    if (*first)
        fprintf(out, "  %s to %s", first, last);
    fputs(run->with ? "  with" : "  alone", out);
    for (uint32_t t = 0; t < ORDER_MOST_INSTANCES; t++)
        if (run->with >> t & 1)
            fprintf(out, " %u", t);
    fputc('\n', out);
}

void dump_parallel_text(const struct sdg *sdg, const struct dump_options *options, FILE *out) {
    struct order *order = order_build(sdg);
    const char *why = excuse(sdg, order);
    if (why)
        fprintf(out, "%s\n", why);
    for (function_id f = 0; !why && f < sdg->program->functions.count; f++) {
        if (!dump_shows(sdg, options, f))
            continue;
        run_vec runs = runs_of(sdg, order, f);
        dump_function(sdg->program, f, out);
        for (size_t i = 0; i < runs.count; i++)
            print_run(sdg, &runs.data[i], out);
        VEC_DEINIT(&runs);
    }
    order_free(order);
}

static cJSON *run_json(const struct sdg *sdg, const struct run *run) {
    char *first CLEANUP_FREE = first_place(sdg->program, run);
    char *last CLEANUP_FREE = last_place(sdg->program, run);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "thread", run->thread);
    cJSON_AddNumberToObject(object, "first", run->first);
    cJSON_AddNumberToObject(object, "last", run->last);
    if (*first) {
        cJSON_AddStringToObject(object, "from", first);
        cJSON_AddStringToObject(object, "to", last);
    }
    cJSON *with = cJSON_AddArrayToObject(object, "with");
    for (uint32_t t = 0; t < ORDER_MOST_INSTANCES; t++)
        if (run->with >> t & 1)
            cJSON_AddItemToArray(with, cJSON_CreateNumber(t));
    return object;
}

void dump_parallel_json(const struct sdg *sdg, const struct dump_options *options, FILE *out) {
    struct order *order = order_build(sdg);
    const char *why = excuse(sdg, order);
    bool is_first = true;
    fputs("{\"format\": \"recut-dump\", \"version\": 1, ", out);
    if (why)
        fprintf(out, "\"note\": \"%s\", ", why);
    fputs("\"parallel\": [", out);
    for (function_id f = 0; !why && f < sdg->program->functions.count; f++) {
        if (!dump_shows(sdg, options, f))
            continue;
        run_vec runs = runs_of(sdg, order, f);
        cJSON *object = cJSON_CreateObject();
        cJSON_AddNumberToObject(object, "function", f);
        cJSON_AddStringToObject(object, "name", sdg->program->functions.data[f].name);
        cJSON *list = cJSON_AddArrayToObject(object, "runs");
        for (size_t i = 0; i < runs.count; i++)
            cJSON_AddItemToArray(list, run_json(sdg, &runs.data[i]));
        dump_json_item(out, object, &is_first);
        VEC_DEINIT(&runs);
    }
    fputs("\n]}\n", out);
    order_free(order);
}

/* Functions of one thread, and lines to the threads that may run with something of them. */
void dump_parallel_dot(const struct sdg *sdg, const struct dump_options *options, FILE *out) {
    struct order *order = order_build(sdg);
    fputs("digraph program {\n  node [shape=box, fontname=monospace];\n", out);
    for (uint32_t t = 0; order && t < order_instance_count(order); t++)
        fprintf(out, "  t%u [label=\"thread %u\", shape=ellipse];\n", t, t);
    for (function_id f = 0; order && f < sdg->program->functions.count; f++) {
        uint64_t with[ORDER_MOST_INSTANCES] = {0};
        if (!dump_shows(sdg, options, f))
            continue;
        run_vec runs = runs_of(sdg, order, f);
        for (size_t i = 0; i < runs.count; i++)
            with[runs.data[i].thread] |= runs.data[i].with;
        for (uint32_t t = 0; t < ORDER_MOST_INSTANCES; t++) {
            if (!with[t])
                continue;
            fprintf(out, "  f%ut%u [label=", f, t);
            dump_label(sdg->program->functions.data[f].name, out);
            fprintf(out, "];\n  t%u -> f%ut%u;\n", t, f, t);
            for (uint32_t other = 0; other < ORDER_MOST_INSTANCES; other++)
                if (with[t] >> other & 1)
                    fprintf(out, "  f%ut%u -> t%u [style=dashed, dir=none];\n", f, t, other);
        }
        VEC_DEINIT(&runs);
    }
    fputs("}\n", out);
    order_free(order);
}
