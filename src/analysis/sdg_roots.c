/*
 * What runs before main(): constructors; sdg.h.
 *
 * Nobody in the program calls them, or main().  What one of them leaves in memory the others
 * begin with.  (Destructors run from wherever the program ends, and are threads.)
 *
 *     constructor                      main
 *     formal out  --parameter in-->  formal in
 *
 * Which of them comes first is not looked at.  Added when summary edges are there, since
 * these are no calls.
 */
#include "analysis/sdg_impl.h"

#include <stdlib.h>

static bool share_cells(const struct sdg *sdg, const struct part *a, const struct part *b) {
    const uint32_t *cells = parts_cells(sdg->parts);
    if (a->argument != NO_ID || b->argument != NO_ID)
        return false;
    for (uint32_t i = 0, k = 0; i < a->cell_count && k < b->cell_count;) {
        uint32_t x = cells[a->first_cell + i], y = cells[b->first_cell + k];
        if (x == y)
            return true;
        i += x < y;
        k += y < x;
    }
    return false;
}

static void connect(struct sdg *sdg, function_id from, function_id to) {
    struct part_list left = parts_of(sdg->parts, from), begun = parts_of(sdg->parts, to);
    for (uint32_t p = 0; p < left.count; p++)
        for (uint32_t q = 0; sdg->impl->functions[from].formal_out[p] != NO_ID && q < begun.count;
             q++)
            if (sdg->impl->functions[to].formal_in[q] != NO_ID &&
                share_cells(sdg, &left.parts[p], &begun.parts[q]))
                sdg_add_edge(sdg, sdg->impl->functions[from].formal_out[p],
                             sdg->impl->functions[to].formal_in[q], EDGE_PARAMETER_IN);
}

void sdg_add_roots(struct sdg *sdg) {
    VEC(function_id) roots = {0};
    for (function_id f = 0; f < sdg->program->functions.count; f++)
        if (sdg->entries[f] != NO_ID && threads_is_main(sdg->threads, f))
            VEC_PUSH(&roots, f);
    for (size_t i = 0; i < roots.count; i++)
        for (size_t k = 0; k < roots.count; k++)
            if (i != k)
                connect(sdg, roots.data[i], roots.data[k]);
    VEC_DEINIT(&roots);
}
