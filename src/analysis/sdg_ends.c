/*
 * What may not come to an end; sdg.h, struct sdg_options.
 *
 * A loop may go on for ever, and a call may never return: because what it calls ends the program,
 * or has such a loop, or calls itself.  Then what follows depends on it (Podgurski and Clarke's
 * weak control dependence): an edge from there to the exit of the flow graph, and from what is in
 * the called function to the call:
 *
 *          f(x) calls g                             g
 *          call  <--- actual out  <-- parameter out --- formal out <--- exit(), loops
 *
 * The same goes in any case for what waits for another thread, or may be cancelled: what follows a
 * call of a function that waits does so because that is over.
 */
#include "analysis/sdg_impl.h"

#include <stdlib.h>

/* Marks the branches that lead back to where a loop begins. */
static bool mark_loops(struct sdg *sdg, function_id function) {
    const struct program *program = sdg->program;
    struct flow *flow = flow_build(program, function, sdg->impl->calls);
    uint32_t *place = mem_zalloc(flow->count + 1, sizeof *place);
    bool has_loop = false;
    for (uint32_t i = 0; i < flow->order_count; i++)
        place[flow->order[i]] = i + 1;
    for (uint32_t i = 0; i < flow->order_count; i++) {
        uint32_t node = flow->order[i];
        struct range piece = flow->instructions[node];
        for (uint32_t k = flow->successors.start[node]; k < flow->successors.start[node + 1]; k++) {
            uint32_t to = flow->successors.to[k];
            if (to == flow->count || !place[to] || place[to] > place[node])
                continue;
            sdg->impl->calls[piece.first + piece.count - 1] |= FLOW_WAITS;
            has_loop = true;
        }
    }
    free(place);
    flow_free(flow);
    return has_loop;
}

static bool ends_program(const struct sdg *sdg, instruction_id id) {
    const struct instruction *call = &sdg->program->instructions.data[id];
    uint32_t count;
    if (!(call->flags & INSTRUCTION_CALL))
        return false;
    if (call->flags & INSTRUCTION_NO_RETURN)
        return true;
    const function_id *callees = pta_callees(sdg->pta, id, &count);
    for (uint32_t i = 0; i < count; i++)
        if (callees[i] != NO_ID &&
            sdg->program->functions.data[callees[i]].flags & FUNCTION_NO_RETURN)
            return true;
    return false;
}

void sdg_find_waits(struct sdg *sdg) {
    const struct program *program = sdg->program;
    for (bool changed = true; changed;) {
        changed = false;
        for (instruction_id i = 0; i < program->instructions.count; i++) {
            uint32_t count;
            const function_id *callees = effects_callees(sdg->effects, i, &count);
            bool waits = sdg->impl->calls[i] & FLOW_WAITS;
            for (uint32_t k = 0; k < count && !waits; k++)
                waits = sdg->impl->may_end[callees[k]];
            function_id function = waits ? program_function_of(program, i) : NO_ID;
            if (!waits || (sdg->impl->calls[i] & FLOW_WAITS && sdg->impl->may_end[function]))
                continue;
            sdg->impl->calls[i] |= FLOW_WAITS;
            sdg->impl->may_end[function] = true;
            changed = true;
        }
    }
}

/* Callees come first. */
void sdg_find_ends(struct sdg *sdg) {
    const struct callgraph *graph = sdg->graph;
    for (uint32_t m = 0; m < graph->start[graph->count]; m++) {
        function_id f = graph->members[m];
        struct range all = sdg->program->functions.data[f].instructions;
        bool may_end = sdg->impl->may_end[f] || graph->is_recursive[graph->component[f]];
        for (uint32_t i = all.first; i < all.first + all.count; i++) {
            uint32_t count;
            const function_id *callees = effects_callees(sdg->effects, i, &count);
            bool ends = ends_program(sdg, i);
            for (uint32_t k = 0; k < count; k++)
                ends |= sdg->impl->may_end[callees[k]] ||
                        graph->component[callees[k]] == graph->component[f];
            if (ends)
                sdg->impl->calls[i] |= FLOW_WAITS;
            may_end |= ends;
        }
        may_end |= mark_loops(sdg, f);
        sdg->impl->may_end[f] = may_end;
    }
}
