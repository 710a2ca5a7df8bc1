/*
 * Flow graphs: pieces of blocks and the edges between them; flow.h.
 *
 * Cost: linear.  dominance.c adds dominators and control dependence.
 */
#include "analysis/flow.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/flow_impl.h"

static bool may_come_back(const struct program *program, const uint8_t *calls, instruction_id id) {
    uint32_t flags = program->instructions.data[id].flags;
    return flags & INSTRUCTION_CALL && !(flags & INSTRUCTION_RETURNS_TWICE) &&
           (!calls || calls[id] & FLOW_JUMPS);
}

static bool has_setjmp(const struct program *program, const struct function *function) {
    for (uint32_t i = 0; i < function->instructions.count; i++)
        if (program->instructions.data[function->instructions.first + i].flags &
            INSTRUCTION_RETURNS_TWICE)
            return true;
    return false;
}

typedef VEC(struct range) range_vec;

static bool may_wait(const uint8_t *calls, instruction_id id) {
    return calls && calls[id] & FLOW_WAITS;
}

/* What follows in the block is never reached: a call that does not return, though the code goes on
 * as if it did. */
static bool is_end(const struct program *program, instruction_id id) {
    return program->instructions.data[id].flags & INSTRUCTION_NO_RETURN &&
           program->instructions.data[id + 1].opcode != OP_UNREACHABLE;
}

static void cut_block(const struct program *program, const uint8_t *calls, bool has_jumps,
                      const struct block *block, range_vec *pieces) {
    uint32_t first = block->instructions.first, end = first + block->instructions.count;
    for (uint32_t i = first; i < end; i++) {
        const struct instruction *at = &program->instructions.data[i];
        if (has_jumps && at->flags & INSTRUCTION_RETURNS_TWICE && i > first) {
            VEC_PUSH(pieces, (struct range){first, i - first});
            first = i;
        }
        bool leaves = may_wait(calls, i) || (has_jumps && may_come_back(program, calls, i));
        if (i + 1 < end && (leaves || is_end(program, i))) {
            VEC_PUSH(pieces, (struct range){first, i + 1 - first});
            first = i + 1;
        }
    }
    VEC_PUSH(pieces, (struct range){first, end - first});
}

/* From counted pairs to lists, keeping the order of the pairs. */
struct flow_lists flow_lists_make(const struct flow_edge *edges, size_t count, uint32_t nodes,
                                  bool reverse) {
    struct flow_lists lists = {mem_zalloc(nodes + 2, sizeof *lists.start),
                               mem_alloc((count + 1) * sizeof *lists.to)};
    for (size_t i = 0; i < count; i++)
        lists.start[(reverse ? edges[i].to : edges[i].from) + 1]++;
    for (uint32_t n = 0; n <= nodes; n++)
        lists.start[n + 1] += lists.start[n];
    uint32_t *next = mem_alloc((nodes + 1) * sizeof *next);
    memcpy(next, lists.start, (nodes + 1) * sizeof *next);
    for (size_t i = 0; i < count; i++) {
        uint32_t key = reverse ? edges[i].to : edges[i].from;
        lists.to[next[key]++] = reverse ? edges[i].from : edges[i].to;
    }
    free(next);
    return lists;
}

void flow_lists_deinit(struct flow_lists *lists) {
    free(lists->start);
    free(lists->to);
}

uint32_t flow_node(const struct flow *flow, instruction_id instruction) {
    uint32_t low = 0, high = flow->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (flow->instructions[middle].first <= instruction)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void flow_spread_back(const struct flow *flow, bool *marks) {
    VEC(uint32_t) work = {0};
    for (uint32_t n = 0; n <= flow->count; n++)
        if (marks[n])
            VEC_PUSH(&work, n);
    while (work.count) {
        uint32_t n = work.data[--work.count];
        for (uint32_t i = flow->predecessors.start[n]; i < flow->predecessors.start[n + 1]; i++) {
            uint32_t before = flow->predecessors.to[i];
            if (!marks[before])
                VEC_PUSH(&work, before);
            marks[before] = true;
        }
    }
    VEC_DEINIT(&work);
}

static void add_edges(const struct program *program, const uint8_t *calls, struct flow *flow,
                      flow_edges *edges) {
    for (uint32_t n = 0; n < flow->count; n++) {
        instruction_id last = flow->instructions[n].first + flow->instructions[n].count - 1;
        const struct instruction *end = &program->instructions.data[last];
        if (!(end->flags & INSTRUCTION_TERMINATOR)) { /* cut behind a call, or before setjmp() */
            if (!is_end(program, last))
                VEC_PUSH(edges, (struct flow_edge){n, n + 1});
            if (may_wait(calls, last) || is_end(program, last))
                VEC_PUSH(edges, (struct flow_edge){n, flow->count});
            continue;
        }
        const struct block *block = &program->blocks.data[end->block];
        for (uint32_t i = 0; i < block->successors.count; i++) {
            const struct block *to =
                &program->blocks.data[program->edges.data[block->successors.first + i]];
            uint32_t target = flow_node(flow, to->instructions.first);
            bool known = false; /* a switch with two cases to one block */
            for (size_t e = edges->count; e > 0 && edges->data[e - 1].from == n; e--)
                known |= edges->data[e - 1].to == target;
            if (!known)
                VEC_PUSH(edges, (struct flow_edge){n, target});
        }
        if (!block->successors.count || may_wait(calls, last))
            VEC_PUSH(edges, (struct flow_edge){n, flow->count});
    }
}

/* From each call back to each setjmp(). */
static void add_jumps(const struct program *program, const uint8_t *calls, struct flow *flow,
                      flow_edges *edges) {
    VEC(uint32_t) setjmps = {0};
    for (uint32_t n = 0; n < flow->count; n++)
        if (program->instructions.data[flow->instructions[n].first].flags &
            INSTRUCTION_RETURNS_TWICE)
            VEC_PUSH(&setjmps, n);
    for (uint32_t n = 0; n < flow->count; n++) {
        struct range piece = flow->instructions[n];
        bool jumps = false;
        for (uint32_t i = 0; i < piece.count; i++)
            jumps |= may_come_back(program, calls, piece.first + i);
        for (size_t i = 0; jumps && i < setjmps.count; i++)
            VEC_PUSH(edges, (struct flow_edge){n, setjmps.data[i]});
    }
    VEC_DEINIT(&setjmps);
}

struct flow *flow_build(const struct program *program, function_id id, const uint8_t *calls) {
    const struct function *function = &program->functions.data[id];
    struct flow *flow = mem_zalloc(1, sizeof *flow);
    flow->function = id;
    bool has_jumps = has_setjmp(program, function);
    range_vec pieces = {0};
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const struct block *block = &program->blocks.data[function->blocks.first + b];
        cut_block(program, calls, has_jumps, block, &pieces);
    }
    flow->instructions = pieces.data;
    flow->count = (uint32_t)pieces.count;
    flow_edges edges = {0};
    add_edges(program, calls, flow, &edges);
    if (has_jumps)
        add_jumps(program, calls, flow, &edges);
    flow->successors = flow_lists_make(edges.data, edges.count, flow->count + 1, false);
    flow->predecessors = flow_lists_make(edges.data, edges.count, flow->count + 1, true);
    VEC_DEINIT(&edges);
    flow_add_dominance(flow);
    return flow;
}

void flow_free(struct flow *flow) {
    if (!flow)
        return;
    free(flow->instructions);
    flow_lists_deinit(&flow->successors);
    flow_lists_deinit(&flow->predecessors);
    flow_lists_deinit(&flow->controls);
    free(flow->order);
    free(flow->dominator);
    free(flow->post_dominator);
    free(flow);
}
