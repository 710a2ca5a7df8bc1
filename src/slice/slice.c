/*
 * Slicing in two passes; slice.h.
 *
 * Cost: each node is visited twice at most.
 */
#include "slice/slice.h"

#include "slice/lines.h"
#include "slice/witness.h"

#include <stdlib.h>
#include <string.h>

enum { PASSES = 2 };

/* A node that waits for lines that are nearer to be done. */
struct distant {
    node_id node;
    struct sdg_edge reason;
    int pass;
};

struct slice {
    const struct sdg *sdg;
    uint8_t *marks;           /* by node: bit for each pass */
    struct sdg_edge *reasons; /* by node, where it is marked */
    node_id *at;              /* by node, one on the line that it was met on; NULL: no --depth */
    VEC(struct distant) distant;
    bool *allowed; /* by node; NULL: all are */
    /* By pass and kind of edge: the pass in which it is followed, -1 if it is not. */
    int8_t next_pass[PASSES][EDGE_KIND_COUNT];
    VEC(node_id) criteria;
    VEC(node_id) work[PASSES];
    bool changes_thread; /* an edge between threads was followed */
};

struct slice *slice_new(const struct sdg *sdg) {
    struct slice *slice = mem_zalloc(1, sizeof *slice);
    slice->sdg = sdg;
    slice->marks = mem_zalloc(sdg->nodes.count + 1, sizeof *slice->marks);
    slice->reasons = mem_zalloc(sdg->nodes.count + 1, sizeof *slice->reasons);
    return slice;
}

void slice_free(struct slice *slice) {
    if (!slice)
        return;
    free(slice->marks);
    free(slice->reasons);
    free(slice->at);
    VEC_DEINIT(&slice->distant);
    free(slice->allowed);
    VEC_DEINIT(&slice->criteria);
    for (int pass = 0; pass < PASSES; pass++)
        VEC_DEINIT(&slice->work[pass]);
    free(slice);
}

void slice_add(struct slice *slice, node_id criterion) { VEC_PUSH(&slice->criteria, criterion); }

/* By pass, the marks of a node to which that pass has nothing to add: the first went into calls,
 * too. */
static const uint8_t is_done[PASSES] = {1, 3};

/* Keeps the line that a node was met on; nodes without a line of their own belong to the one that
 * led to them.  Is it another one than that? */
static bool changes_line(struct slice *slice, node_id node, node_id from) {
    file_id file, from_file;
    uint32_t line, from_line;
    bool has_line = slice_line_of(slice->sdg, node, &file, &line);
    node_id at = from == slice->sdg->nodes.count ? node : slice->at[from];
    slice->at[node] = has_line ? node : at;
    return has_line && slice_line_of(slice->sdg, at, &from_file, &from_line) &&
           (file != from_file || line != from_line);
}

static void mark(struct slice *slice, int pass, node_id node, struct sdg_edge reason) {
    if (slice->marks[node] & is_done[pass] || (slice->allowed && !slice->allowed[node]))
        return;
    if (!slice->marks[node]) {
        slice->reasons[node] = reason;
    }
    slice->marks[node] |= (uint8_t)(1 << pass);
    VEC_PUSH(&slice->work[pass], node);
}

static void meet(struct slice *slice, int pass, node_id node, struct sdg_edge reason) {
    if (slice->marks[node] & is_done[pass])
        return;
    if (slice->at && changes_line(slice, node, reason.node))
        VEC_PUSH(&slice->distant, (struct distant){node, reason, pass});
    else
        mark(slice, pass, node, reason);
}

/* The pass in which an edge is followed in this one, -1 if it is not. */
static int pass_behind(const struct slice_options *options, int pass, enum sdg_edge_kind kind) {
    if (options->data_only && (kind == EDGE_CONTROL || kind == EDGE_CALL))
        return -1;
    if (options->no_threads && kind == EDGE_INTERFERENCE)
        return -1;
    if (options->no_context)
        return kind == EDGE_SUMMARY ? -1 : 0;
    bool up = options->forward ? kind == EDGE_PARAMETER_OUT
                               : kind == EDGE_PARAMETER_IN || kind == EDGE_CALL;
    bool down = options->forward ? kind == EDGE_PARAMETER_IN || kind == EDGE_CALL
                                 : kind == EDGE_PARAMETER_OUT;
    if (kind == EDGE_HUB || kind == EDGE_INTERFERENCE)
        return 0;
    if (up)
        return pass == 0 ? 0 : -1;
    return down ? 1 : pass;
}

static void visit(struct slice *slice, const struct sdg_edges *lists, int pass, node_id node) {
    const struct sdg_edge *edge = lists->edges + lists->start[node];
    const struct sdg_edge *end = lists->edges + lists->start[node + 1];
    const int8_t *next_pass = slice->next_pass[pass];
    uint32_t kinds = 0;
    /* Most edges lead to what is in the slice already. */
    for (; edge < end; edge++) {
        int next = next_pass[edge->kind];
        kinds |= 1u << edge->kind;
        if (next >= 0 && !(slice->marks[edge->node] & is_done[next]))
            meet(slice, next, edge->node, (struct sdg_edge){.node = node, .kind = edge->kind});
    }
    slice->changes_thread |= next_pass[EDGE_INTERFERENCE] >= 0 && kinds >> EDGE_INTERFERENCE & 1;
}

/* Lists are met in no order that memory could guess: those of the nodes that are next in line are
 * asked for in time, which is most of what a slice of a large graph costs. */
static void expect(const struct slice *slice, const struct sdg_edges *lists, int pass, size_t at) {
    enum { START_AHEAD = 16, LIST_AHEAD = 8 };
    const node_id *line = slice->work[pass].data;
    if (at + START_AHEAD >= slice->work[pass].count)
        return;
    __builtin_prefetch(&lists->start[line[at + START_AHEAD]]);
    __builtin_prefetch(&lists->edges[lists->start[line[at + LIST_AHEAD]]]);
}

/* Visits what is in line, and whatever that leads to.  Breadth first, so that reasons are short. */
static void exhaust(struct slice *slice, const struct sdg_edges *lists, size_t next[PASSES]) {
    for (;;) {
        int pass = next[0] < slice->work[0].count ? 0 : 1;
        if (next[pass] == slice->work[pass].count)
            break;
        expect(slice, lists, pass, next[pass]);
        visit(slice, lists, pass, slice->work[pass].data[next[pass]++]);
    }
}

static void run(struct slice *slice, const struct slice_options *options) {
    const struct sdg_edges *lists = options->forward ? &slice->sdg->out : &slice->sdg->in;
    /* As a reason, the node behind the last is none. */
    struct sdg_edge none = {.node = (node_id)slice->sdg->nodes.count, .kind = EDGE_DATA};
    for (int pass = 0; pass < PASSES; pass++)
        for (int kind = 0; kind < EDGE_KIND_COUNT; kind++)
            slice->next_pass[pass][kind] = (int8_t)pass_behind(options, pass, kind);
    for (size_t i = 0; i < slice->criteria.count; i++)
        meet(slice, 0, slice->criteria.data[i], none);
    size_t next[PASSES] = {0};
    exhaust(slice, lists, next);
    for (uint32_t depth = 0; depth < options->depth && slice->distant.count; depth++) {
        for (size_t i = 0; i < slice->distant.count; i++) {
            struct distant *reached = &slice->distant.data[i];
            mark(slice, reached->pass, reached->node, reached->reason);
        }
        slice->distant.count = 0;
        exhaust(slice, lists, next);
    }
}

void slice_run(struct slice *slice, const struct slice_options *options) {
    size_t nodes = slice->sdg->nodes.count;
    bool has_order = options->order && !options->no_threads && !options->no_context;
    if (options->depth)
        slice->at = mem_zalloc(nodes + 1, sizeof *slice->at);
    if (!has_order || !options->by_definition)
        run(slice, options);
    /* What stays in its thread needs no order. */
    if (!has_order || (!slice->changes_thread && !options->by_definition))
        return;
    slice->allowed = witness_find(
        options->order, slice->sdg, slice->criteria.data, slice->criteria.count,
        &(struct witness_options){options->forward, options->data_only, options->by_definition});
    memset(slice->marks, 0, nodes * sizeof *slice->marks);
    for (int pass = 0; pass < PASSES; pass++)
        slice->work[pass].count = 0;
    slice->distant.count = 0;
    run(slice, options);
}

bool slice_has(const struct slice *slice, node_id node) { return slice->marks[node]; }

bool *slice_table(const struct slice *slice) {
    bool *table = mem_alloc((slice->sdg->nodes.count + 1) * sizeof *table);
    for (node_id n = 0; n < slice->sdg->nodes.count; n++)
        table[n] = slice_has(slice, n);
    return table;
}

struct sdg_edge slice_reason(const struct slice *slice, node_id node) {
    return slice->reasons[node];
}
