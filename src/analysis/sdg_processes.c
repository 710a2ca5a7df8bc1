/*
 * Dependences between processes that fork() makes; sdg.h.
 *
 * Both go on in the same code, and the child ends there: on no way through the program comes what
 * it did back to its parent.  So what a process leaves in the state of the environment (files,
 * pipes) or in a mapping may be read by the other at any time, and who waits for a child gets what
 * it ends with:
 *
 *     write()  --hub-->  state  --hub-->  read()              _exit(n)  --hub-->  waitpid()
 *
 * Imprecise: mappings that are not shared, what nobody forked reads, and any order.
 */
#include "analysis/sdg_impl.h"

#include <stdlib.h>
#include <string.h>

static bool is_between(const struct sdg *sdg, uint32_t cell) {
    return sdg->impl->between_processes[cell];
}

static bool is_mapping(const struct sdg *sdg, uint32_t object) {
    static const char *const names[] = {"mmap", "mmap64", "mremap", "shmat", NULL};
    struct pta_object of = pta_object(sdg->pta, object);
    return of.kind == PTA_HEAP && threads_calls(sdg->program, sdg->pta, of.id, names);
}

static void find_between(struct sdg *sdg) {
    const struct cells *cells = effects_cells(sdg->effects);
    uint32_t objects = pta_object_count(sdg->pta);
    bool *marks CLEANUP_FREE = mem_zalloc(objects + 1, sizeof *marks);
    for (uint32_t o = 0; o < objects; o++)
        marks[o] = is_mapping(sdg, o);
    sdg->impl->between_processes = cells_of_objects(cells, marks);
    for (uint32_t cell = 0; cell < cells_count(cells); cell++) {
        uint32_t object = cells_object(cells, cell);
        if (object == objects + STATE_OTHER || object == objects + STATE_INPUT ||
            object == objects + STATE_SIGNALS)
            sdg->impl->between_processes[cell] = true;
    }
}

static void add_statuses(struct sdg *sdg) {
    static const char *const ends[] = {"exit", "_exit", "_Exit", "quick_exit", "abort", NULL};
    node_id ended = sdg_new_hub(sdg, NO_ID);
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++) {
        if (threads_calls(sdg->program, sdg->pta, i, ends))
            sdg_add_edge(sdg, i, ended, EDGE_HUB);
        if (threads_is_wait_for_child(sdg->threads, i))
            sdg_add_edge(sdg, ended, i, EDGE_HUB);
    }
    for (function_id f = 0; f < sdg->program->functions.count; f++)
        if (sdg->results[f] != NO_ID && strcmp(sdg->program->functions.data[f].name, "main") == 0)
            sdg_add_edge(sdg, sdg->results[f], ended, EDGE_HUB);
}

void sdg_add_processes(struct sdg *sdg) {
    if (!threads_has_forks(sdg->threads))
        return;
    find_between(sdg);
    struct hubs hubs = {.is_one = is_between, .kind = EDGE_HUB};
    for (instruction_id i = 0; i < sdg->program->instructions.count; i++) {
        struct effect_list list = effects_of(sdg->effects, i);
        for (uint32_t k = 0; k < list.count; k++) {
            bool writes = list.effects[k].writes;
            node_id hub = sdg_hub_of_region(sdg, &hubs, list.effects[k].region, writes);
            if (hub != NO_ID)
                sdg_add_edge(sdg, writes ? i : hub, writes ? hub : i, EDGE_HUB);
        }
    }
    add_statuses(sdg);
    hubs_deinit(&hubs);
    free(sdg->impl->between_processes);
    sdg->impl->between_processes = NULL;
}
