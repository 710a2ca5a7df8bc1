/*
 * What an executable slice keeps; executable.h.
 *
 * A branch that is not in the slice decides about nothing that is: control goes straight
 * to where its ways meet again, its post-dominator.
 *
 * Cost: some slices, until no call wants more.
 */
#include "slice/executable.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/flow.h"

/* Arguments that a call in the slice leaves out, though its callee's part of the slice wants
 * them, or though the call itself copies what they point to. */
static void add_arguments(const struct sdg *sdg, const struct slice *slice, node_vec *more) {
    for (node_id n = 0; n < sdg->nodes.count; n++) {
        if (sdg->nodes.data[n].kind != NODE_ACTUAL_IN || slice_has(slice, n) ||
            !slice_has(slice, sdg->nodes.data[n].of))
            continue;
        const struct instruction *call = &sdg->program->instructions.data[sdg->nodes.data[n].of];
        bool is_wanted = sdg->nodes.data[n].part == NO_ID && call->flags & INSTRUCTION_BY_VALUE;
        for (uint64_t i = sdg->out.start[n]; !is_wanted && i < sdg->out.start[n + 1]; i++)
            is_wanted = sdg->out.edges[i].kind == EDGE_PARAMETER_IN &&
                        slice_has(slice, sdg->out.edges[i].node);
        if (is_wanted)
            VEC_PUSH(more, n);
    }
}

/* By function: is it entered by the slice, or by a call that is in it?  The caller frees. */
static bool *find_entered(const struct sdg *sdg, const struct slice *slice) {
    bool *entered = mem_zalloc(sdg->program->functions.count + 1, sizeof *entered);
    for (function_id f = 0; f < sdg->program->functions.count; f++)
        entered[f] = sdg->entries[f] != NO_ID && slice_has(slice, sdg->entries[f]);
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++) {
        uint32_t count;
        const function_id *callees = effects_callees(sdg->effects, i, &count);
        for (uint32_t k = 0; k < count; k++)
            entered[callees[k]] |= slice_has(slice, i);
    }
    return entered;
}

/* Is the block of this instruction reached from the slice's part of its function? */
static bool is_passed(const struct sdg *sdg, const struct slice *slice, const bool *entered,
                      instruction_id id) {
    for (uint64_t i = sdg->in.start[id]; i < sdg->in.start[id + 1]; i++) {
        node_id block = sdg->in.edges[i].node;
        if (sdg->nodes.data[block].kind != NODE_BLOCK)
            continue;
        for (uint64_t k = sdg->in.start[block]; k < sdg->in.start[block + 1]; k++) {
            node_id by = sdg->in.edges[k].node;
            if (slice_has(slice, by) ||
                (sdg->nodes.data[by].kind == NODE_ENTRY && entered[sdg->nodes.data[by].function]))
                return true;
        }
    }
    return false;
}

static void add_ends(const struct sdg *sdg, const struct slice *slice, const bool *entered,
                     node_vec *more) {
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++)
        if (sdg->program->instructions.data[i].flags & INSTRUCTION_NO_RETURN &&
            !slice_has(slice, i) && is_passed(sdg, slice, entered, i))
            VEC_PUSH(more, i);
}

static bool calls_one_of(const struct sdg *sdg, instruction_id call, const bool *functions) {
    uint32_t count;
    const function_id *callees = effects_callees(sdg->effects, call, &count);
    for (uint32_t i = 0; i < count; i++)
        if (functions[callees[i]])
            return true;
    return false;
}

/* Functions that end the program, or call one that does.  The caller frees. */
static bool *find_ending(const struct sdg *sdg) {
    const struct program *program = sdg->program;
    bool *ends = mem_zalloc(program->functions.count + 1, sizeof *ends);
    for (bool changed = true; changed;) {
        changed = false;
        for (instruction_id i = 0; i < program->instructions.count; i++) {
            if (!(program->instructions.data[i].flags & INSTRUCTION_CALL) ||
                ends[program_function_of(program, i)] ||
                !(program->instructions.data[i].flags & INSTRUCTION_NO_RETURN ||
                  calls_one_of(sdg, i, ends)))
                continue;
            ends[program_function_of(program, i)] = changed = true;
        }
    }
    return ends;
}

/* What is found of calls that end the program and have to stay. */
struct leaving {
    const struct sdg *sdg;
    const struct slice *slice;
    const bool *ends;      /* by function: does it end the program, or call one that does? */
    bool *entered;         /* by function: all of its own such calls stay */
    VEC(function_id) work; /* those of them to be looked at */
    node_vec *more;
};

/* If it is a call that may end the program. */
static void keep_end(struct leaving *leaving, instruction_id id) {
    const struct sdg *sdg = leaving->sdg;
    uint32_t flags = sdg->program->instructions.data[id].flags, count;
    const function_id *callees = effects_callees(sdg->effects, id, &count);
    if (!(flags & INSTRUCTION_CALL) ||
        !(flags & INSTRUCTION_NO_RETURN || calls_one_of(sdg, id, leaving->ends)))
        return;
    if (!slice_has(leaving->slice, id))
        VEC_PUSH(leaving->more, id);
    for (uint32_t i = 0; i < count; i++) {
        if (!leaving->ends[callees[i]] || leaving->entered[callees[i]])
            continue;
        leaving->entered[callees[i]] = true;
        VEC_PUSH(&leaving->work, callees[i]);
    }
}

/* A loop of one function that nothing leaves is left by calls that end the program. */
static void keep_ends_of_loops(struct leaving *leaving, function_id function, const bool *entered) {
    struct flow *flow = flow_build(leaving->sdg->program, function, NULL);
    bool *leaves = mem_zalloc(flow->count + 1, sizeof *leaves);
    leaves[flow->count] = true;
    flow_spread_back(flow, leaves);
    for (uint32_t n = 0; n < flow->count; n++)
        for (uint32_t i = 0; !leaves[n] && i < flow->instructions[n].count; i++) {
            instruction_id id = flow->instructions[n].first + i;
            if (slice_has(leaving->slice, id) ||
                is_passed(leaving->sdg, leaving->slice, entered, id))
                keep_end(leaving, id);
        }
    free(leaves);
    flow_free(flow);
}

static void add_leaving(const struct sdg *sdg, const struct slice *slice, const bool *entered,
                        const bool *ends, node_vec *more) {
    const struct program *program = sdg->program;
    struct leaving leaving = {sdg, slice, ends, .more = more};
    leaving.entered = mem_zalloc(program->functions.count + 1, sizeof *leaving.entered);
    for (function_id f = 0; f < program->functions.count; f++)
        if (entered[f] && ends[f] && sdg->entries[f] != NO_ID)
            keep_ends_of_loops(&leaving, f, entered);
    while (leaving.work.count) {
        struct range range =
            program->functions.data[leaving.work.data[--leaving.work.count]].instructions;
        for (uint32_t i = 0; i < range.count; i++)
            keep_end(&leaving, range.first + i);
    }
    free(leaving.entered);
    VEC_DEINIT(&leaving.work);
}

/* What memory may be used for. */
static void add_protections(const struct sdg *sdg, const struct slice *slice, const bool *entered,
                            node_vec *more) {
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++)
        if (threads_calls(sdg->program, sdg->pta, i, effects_protections) && !slice_has(slice, i) &&
            is_passed(sdg, slice, entered, i))
            VEC_PUSH(more, i);
}

/* Where variables of varying size end: else the stack would grow with each turn of a loop. */
static void add_restores(const struct sdg *sdg, const struct slice *slice, const bool *entered,
                         node_vec *more) {
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++)
        if (sdg->program->instructions.data[i].intrinsic == INTRINSIC_STACK_RESTORE &&
            !slice_has(slice, i) && is_passed(sdg, slice, entered, i))
            VEC_PUSH(more, i);
}

/* Does the call order threads: a lock, a condition, waiting for an end? */
static bool is_order(const struct sdg *sdg, instruction_id call) {
    uint32_t count;
    const function_id *callees = pta_callees(sdg->pta, call, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct model_function *model =
            callees[i] == NO_ID ? NULL : pta_model(sdg->pta, callees[i]);
        if (model && model->flags & MODEL_ORDERS)
            return true;
    }
    return threads_is_join(sdg->program, sdg->pta, call);
}

/* Functions that make such a call, or call one that does; threads that they create do not
 * count.  The caller frees. */
static bool *find_ordering(const struct sdg *sdg) {
    bool *orders = mem_zalloc(sdg->program->functions.count + 1, sizeof *orders);
    for (bool changed = true; changed;) {
        changed = false;
        for (instruction_id i = 0; i < sdg->program->instructions.count; i++) {
            if (!(sdg->program->instructions.data[i].flags & INSTRUCTION_CALL) ||
                orders[program_function_of(sdg->program, i)] ||
                threads_is_create(sdg->program, sdg->pta, i))
                continue;
            if (is_order(sdg, i) || calls_one_of(sdg, i, orders))
                orders[program_function_of(sdg->program, i)] = changed = true;
        }
    }
    return orders;
}

/* Threads wait for each other as before. */
static void add_orders(const struct sdg *sdg, const struct slice *slice, const bool *entered,
                       node_vec *more) {
    if (threads_count(sdg->threads) == 1)
        return;
    bool *orders = find_ordering(sdg);
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++)
        if (sdg->program->instructions.data[i].flags & INSTRUCTION_CALL && !slice_has(slice, i) &&
            entered[program_function_of(sdg->program, i)] &&
            (is_order(sdg, i) || calls_one_of(sdg, i, orders)))
            VEC_PUSH(more, i);
    free(orders);
}

/* Ways around branches of one function that are not in the slice.  Added to the slice instead is
 * a branch whose ways meet in the middle of a block, or which all end the program. */
static void add_jumps(const struct sdg *sdg, const struct slice *slice, function_id function,
                      bool is_entered, struct executable *ret, node_vec *more) {
    const struct program *program = sdg->program;
    struct flow *flow = flow_build(program, function, NULL);
    bool *returns = mem_zalloc(flow->count + 1, sizeof *returns);
    for (uint32_t n = 0; n < flow->count; n++) {
        struct range piece = flow->instructions[n];
        returns[n] = program->instructions.data[piece.first + piece.count - 1].opcode == OP_RETURN;
    }
    flow_spread_back(flow, returns);
    struct range blocks = program->functions.data[function].blocks;
    for (block_id b = blocks.first; b < blocks.first + blocks.count; b++) {
        const struct block *block = &program->blocks.data[b];
        instruction_id last = block->instructions.first + block->instructions.count - 1;
        uint32_t node = flow_node(flow, last);
        if (block->successors.count < 2 || slice_has(slice, last) ||
            program->instructions.data[last].flags & INSTRUCTION_SYNTHETIC ||
            flow->post_dominator[node] == NO_ID)
            continue;
        uint32_t meet = flow->post_dominator[node];
        if (meet == flow->count) {
            ret->jumps[b] = REDUCED_RETURN;
            if (is_entered && !returns[node])
                VEC_PUSH(more, last);
            continue;
        }
        instruction_id first = flow->instructions[meet].first;
        block_id to = program->instructions.data[first].block;
        if (program->blocks.data[to].instructions.first == first)
            ret->jumps[b] = to;
        else
            VEC_PUSH(more, last);
    }
    free(returns);
    flow_free(flow);
}

void executable_find(const struct sdg *sdg, const node_vec *criteria,
                     const struct executable_options *options, struct executable *ret) {
    const struct program *program = sdg->program;
    node_vec all = {0};
    for (size_t i = 0; i < criteria->count; i++)
        VEC_PUSH(&all, criteria->data[i]);
    bool *ends = find_ending(sdg);
    ret->jumps = mem_alloc((program->blocks.count + 1) * sizeof *ret->jumps);
    ret->keep = mem_zalloc(program->instructions.count + 1, sizeof *ret->keep);
    for (;;) {
        struct slice *slice = slice_new(sdg);
        for (size_t i = 0; i < all.count; i++)
            slice_add(slice, all.data[i]);
        slice_run(slice, &(struct slice_options){.order = options->order});
        size_t before = all.count;
        add_arguments(sdg, slice, &all);
        bool *entered = find_entered(sdg, slice);
        add_ends(sdg, slice, entered, &all);
        add_leaving(sdg, slice, entered, ends, &all);
        add_orders(sdg, slice, entered, &all);
        add_protections(sdg, slice, entered, &all);
        if (!options->complete)
            add_restores(sdg, slice, entered, &all);
        if (options->complete)
            options->complete(options->data, slice, &all);
        memset(ret->jumps, 0xff, (program->blocks.count + 1) * sizeof *ret->jumps);
        for (function_id f = 0; f < program->functions.count; f++)
            if (sdg->entries[f] != NO_ID)
                add_jumps(sdg, slice, f, entered[f], ret, &all);
        free(entered);
        for (instruction_id i = 0; i < program->instructions.count; i++)
            ret->keep[i] =
                slice_has(slice, i) || program->instructions.data[i].flags & INSTRUCTION_SYNTHETIC;
        slice_free(slice);
        if (all.count == before)
            break;
    }
    free(ends);
    VEC_DEINIT(&all);
}

void executable_deinit(struct executable *executable) {
    free(executable->keep);
    free(executable->jumps);
}
