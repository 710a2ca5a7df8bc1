/*
 * What each function reads and writes; moduse.h.
 *
 * Callees first: what an instruction does itself, and for a call what the callee does to its formal
 * parts, as the parts of the caller that they are in this call.  Functions that call each other in
 * a circle are gone through until nothing is new.
 *
 * Cost: one step for each formal part of each call, in circles a few times.
 */
#include "analysis/moduse.h"

#include <stdlib.h>

#include "base/bitset.h"

struct moduse {
    const struct sdg *sdg;
    struct bitset (*parts)[MODUSE_KIND_COUNT]; /* by function */
    part_uses uses;
};

static bool add_uses(struct moduse *moduse, function_id function, enum moduse_kind kind) {
    bool is_new = false;
    for (size_t i = 0; i < moduse->uses.count; i++)
        is_new |= bitset_add(&moduse->parts[function][kind], moduse->uses.data[i].part);
    return is_new;
}

static bool add_effects(struct moduse *moduse, function_id function, instruction_id at) {
    struct effect_list list = effects_of(moduse->sdg->effects, at);
    bool is_new = false;
    for (uint32_t i = 0; i < list.count; i++) {
        parts_of_effect(moduse->sdg->parts, function, &list.effects[i], &moduse->uses);
        is_new |= add_uses(moduse, function, list.effects[i].writes ? MODUSE_WRITES : MODUSE_READS);
    }
    return is_new;
}

static bool add_callee(struct moduse *moduse, function_id function, instruction_id call,
                       function_id callee) {
    struct part_list formals = parts_of(moduse->sdg->parts, callee);
    bool is_new = false;
    for (uint32_t p = 0; p < formals.count; p++) {
        bool reads = bitset_has(&moduse->parts[callee][MODUSE_READS], p);
        bool writes = bitset_has(&moduse->parts[callee][MODUSE_WRITES], p);
        if (!formals.parts[p].is_formal || (!reads && !writes))
            continue;
        parts_of_formal(moduse->sdg->parts, call, callee, p, &moduse->uses);
        is_new |= reads && add_uses(moduse, function, MODUSE_READS);
        is_new |= writes && add_uses(moduse, function, MODUSE_WRITES);
    }
    return is_new;
}

static bool add_function(struct moduse *moduse, function_id function) {
    struct range all = moduse->sdg->program->functions.data[function].instructions;
    bool is_new = false;
    for (uint32_t i = all.first; i < all.first + all.count; i++) {
        uint32_t count;
        const function_id *callees = effects_callees(moduse->sdg->effects, i, &count);
        is_new |= add_effects(moduse, function, i);
        for (uint32_t k = 0; k < count; k++)
            is_new |= add_callee(moduse, function, i, callees[k]);
    }
    return is_new;
}

struct moduse *moduse_build(const struct sdg *sdg) {
    const struct callgraph *graph = sdg->graph;
    struct moduse *moduse = mem_zalloc(1, sizeof *moduse);
    moduse->sdg = sdg;
    moduse->parts = mem_zalloc(sdg->program->functions.count + 1, sizeof *moduse->parts);
    for (uint32_t c = 0; c < graph->count; c++)
        for (bool is_new = true; is_new; is_new &= graph->is_recursive[c]) {
            is_new = false;
            for (uint32_t m = graph->start[c]; m < graph->start[c + 1]; m++)
                is_new |= add_function(moduse, graph->members[m]);
        }
    return moduse;
}

void moduse_free(struct moduse *moduse) {
    if (!moduse)
        return;
    for (function_id f = 0; f < moduse->sdg->program->functions.count; f++)
        for (int kind = 0; kind < MODUSE_KIND_COUNT; kind++)
            bitset_deinit(&moduse->parts[f][kind]);
    free(moduse->parts);
    VEC_DEINIT(&moduse->uses);
    free(moduse);
}

bool moduse_has(const struct moduse *moduse, function_id function, uint32_t part,
                enum moduse_kind kind) {
    return bitset_has(&moduse->parts[function][kind], part);
}
