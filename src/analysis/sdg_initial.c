/*
 * Which variables' initial values does a node bring along?  Constant tables that an instruction may
 * read, and globals that a function begins with that is entered from outside; sdg.h.
 */
#include "analysis/sdg_impl.h"

typedef VEC(memory_id) memory_vec;

static void add_constants(const struct sdg *sdg, instruction_id id, memory_vec *list) {
    struct pta_cursor cursor = {0};
    const struct instruction *instruction = &sdg->program->instructions.data[id];
    if (instruction->flags & INSTRUCTION_SYNTHETIC || instruction->read_at == NO_ID)
        return;
    for (struct pta_target target;
         pta_points_to(sdg->pta, instruction->read_at, &cursor, &target);) {
        memory_id memory = pta_object(sdg->pta, target.object).memory;
        if (memory != NO_ID && sdg->program->memory.data[memory].flags & MEMORY_CONSTANT &&
            sdg->program->memory.data[memory].variable != NO_ID)
            VEC_PUSH(list, memory);
    }
}

static void add_globals(const struct sdg *sdg, const struct cell_globals *globals,
                        const struct sdg_node *node, memory_vec *list) {
    const struct part *part = &parts_of(sdg->parts, node->function).parts[node->part];
    for (uint32_t i = 0; part->argument == NO_ID && i < part->cell_count; i++) {
        uint32_t cell = parts_cells(sdg->parts)[part->first_cell + i];
        for (uint32_t n = globals->start[cell]; n < globals->start[cell + 1]; n++)
            if (sdg->program->memory.data[globals->list[n]].variable != NO_ID)
                VEC_PUSH(list, globals->list[n]);
    }
}

void sdg_find_initial(struct sdg *sdg) {
    memory_vec list = {0};
    struct cell_globals globals = cells_globals(effects_cells(sdg->effects));
    sdg->initial.start = mem_zalloc(sdg->nodes.count + 1, sizeof *sdg->initial.start);
    for (node_id n = 0; n < sdg->nodes.count; n++) {
        const struct sdg_node *node = &sdg->nodes.data[n];
        if (node->kind == NODE_INSTRUCTION)
            add_constants(sdg, n, &list);
        else if (node->kind == NODE_FORMAL_IN && node->part != NO_ID &&
                 pta_is_called_back(sdg->pta, node->function))
            add_globals(sdg, &globals, node, &list);
        sdg->initial.start[n + 1] = (uint32_t)list.count;
    }
    sdg->initial.list = list.data;
    free(globals.start);
    free(globals.list);
}
