/*
 * recut dump --calls, --control, --threads, --parts and --sdg as JSON (docs/formats.md): one object
 * for each function, so that large programs are not held as text.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "analysis/flow.h"
#include "analysis/moduse.h"
#include "cmd/dump_graph.h"

static void add_number(cJSON *object, const char *name, uint32_t number) {
    if (number != NO_ID)
        cJSON_AddNumberToObject(object, name, number);
}

static void add_location(cJSON *object, const struct program *program, instruction_id at) {
    char *place CLEANUP_FREE = dump_location_text(program, program->instructions.data[at].location);
    if (*place)
        cJSON_AddStringToObject(object, "location", place);
}

/* --- calls -------------------------------------------------------------------------------- */

static void add_calls(cJSON *object, const struct sdg *sdg, function_id function) {
    cJSON *calls = cJSON_AddArrayToObject(object, "calls");
    struct range all = sdg->program->functions.data[function].instructions;
    for (uint32_t i = all.first; i < all.first + all.count; i++) {
        struct dump_callees to = dump_callees_of(sdg, i);
        if (!to.count)
            continue;
        cJSON *call = cJSON_CreateObject();
        cJSON_AddNumberToObject(call, "instruction", i);
        add_location(call, sdg->program, i);
        cJSON *names = cJSON_AddArrayToObject(call, "callees");
        for (uint32_t k = 0; k < to.count; k++)
            cJSON_AddItemToArray(names, cJSON_CreateString(dump_callee_name(sdg, &to, k)));
        cJSON_AddBoolToObject(call, "indirect",
                              sdg->program->instructions.data[i].flags & INSTRUCTION_INDIRECT);
        cJSON_AddItemToArray(calls, call);
    }
}

/* --- control -------------------------------------------------------------------------------- */

/* A piece of a block is named by its first instruction; the exit has none. */
static void add_piece(cJSON *to, const char *name, const struct program *program,
                      const struct flow *flow, uint32_t node) {
    cJSON *piece;
    if (node == NO_ID)
        return;
    if (node == flow->count) {
        piece = cJSON_CreateString("exit");
    } else {
        instruction_id first = flow->instructions[node].first;
        piece = cJSON_CreateObject();
        cJSON_AddNumberToObject(piece, "block", program->instructions.data[first].block);
        cJSON_AddNumberToObject(piece, "instruction", first);
    }
    if (name)
        cJSON_AddItemToObject(to, name, piece);
    else
        cJSON_AddItemToArray(to, piece);
}

static void add_control(cJSON *object, const struct program *program, function_id function) {
    struct flow *flow = flow_build(program, function, NULL);
    cJSON *blocks = cJSON_AddArrayToObject(object, "blocks");
    for (uint32_t i = 0; i < flow->order_count; i++) {
        uint32_t node = flow->order[i];
        cJSON *block = cJSON_CreateObject();
        add_piece(block, "piece", program, flow, node);
        add_piece(block, "dominated_by", program, flow, flow->dominator[node]);
        add_piece(block, "post_dominated_by", program, flow, flow->post_dominator[node]);
        cJSON *deciding = cJSON_AddArrayToObject(block, "decided_by");
        for (uint32_t k = flow->controls.start[node]; k < flow->controls.start[node + 1]; k++)
            add_piece(deciding, NULL, program, flow, flow->controls.to[k]);
        cJSON_AddItemToArray(blocks, block);
    }
    flow_free(flow);
}

/* --- threads -------------------------------------------------------------------------------- */

static cJSON *thread_json(const struct sdg *sdg, struct order *order, uint32_t thread) {
    const struct program *program = sdg->program;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "thread", thread);
    cJSON_AddStringToObject(object, "entry",
                            program->functions.data[order_entry(order, thread)].name);
    struct order_place creation = order_creation(order, thread);
    if (creation.at != NO_ID) {
        cJSON_AddNumberToObject(object, "creator", order_instance(order, creation.context));
        cJSON_AddNumberToObject(object, "instruction", creation.at);
        add_location(object, program, creation.at);
    }
    cJSON_AddBoolToObject(object, "many", order_is_many(order, thread));
    cJSON *ends = cJSON_AddArrayToObject(object, "over_at");
    for (instruction_id i = 0; i < program->instructions.count; i++)
        if (order_ends(order, i, thread)) {
            cJSON *end = cJSON_CreateObject();
            cJSON_AddNumberToObject(end, "instruction", i);
            add_location(end, program, i);
            cJSON_AddItemToArray(ends, end);
        }
    return object;
}

/* Without an order, where threads begin is all that is known. */
static cJSON *entry_json(const struct sdg *sdg, uint32_t thread) {
    function_id entry = threads_entry(sdg->threads, thread);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "thread", thread);
    cJSON_AddStringToObject(object, "entry",
                            entry == NO_ID ? "main" : sdg->program->functions.data[entry].name);
    return object;
}

static void print_threads(const struct sdg *sdg, FILE *out) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "recut-dump");
    cJSON_AddNumberToObject(root, "version", 1);
    cJSON *list = cJSON_AddArrayToObject(root, "threads");
    struct order *order = order_build(sdg);
    uint32_t count = order ? order_instance_count(order) : threads_count(sdg->threads);
    for (uint32_t t = 0; t < count; t++)
        cJSON_AddItemToArray(list, order ? thread_json(sdg, order, t) : entry_json(sdg, t));
    order_free(order);
    cJSON *shared = cJSON_AddArrayToObject(root, "shared");
    struct cells *cells = effects_cells(sdg->effects);
    for (uint32_t c = 0; c < cells_count(cells); c++)
        if (threads_share(sdg->threads, c)) {
            char *text CLEANUP_FREE = cells_text(cells, c);
            cJSON_AddItemToArray(shared, cJSON_CreateString(text));
        }
    char *text = cJSON_Print(root);
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(root);
}

/* --- parts and the graph ---------------------------------------------------------------------- */

static void add_parts(cJSON *object, const struct sdg *sdg, const struct moduse *moduse,
                      function_id function) {
    struct part_list parts = parts_of(sdg->parts, function);
    cJSON *list = cJSON_AddArrayToObject(object, "parts");
    for (uint32_t p = 0; p < parts.count; p++) {
        const struct part *part = &parts.parts[p];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddNumberToObject(item, "part", p);
        cJSON_AddBoolToObject(item, "formal", part->is_formal);
        add_number(item, "argument", part->argument);
        if (part->argument != NO_ID && part->low != PART_LOW) {
            cJSON_AddNumberToObject(item, "low", part->low);
            cJSON_AddNumberToObject(item, "high", part->high);
        }
        cJSON_AddBoolToObject(item, "read", moduse_has(moduse, function, p, MODUSE_READS));
        cJSON_AddBoolToObject(item, "written", moduse_has(moduse, function, p, MODUSE_WRITES));
        cJSON *cells = cJSON_AddArrayToObject(item, "cells");
        for (uint32_t i = 0; part->argument == NO_ID && i < part->cell_count; i++) {
            char *text CLEANUP_FREE = cells_text(effects_cells(sdg->effects),
                                                 parts_cells(sdg->parts)[part->first_cell + i]);
            cJSON_AddItemToArray(cells, cJSON_CreateString(text));
        }
        cJSON_AddItemToArray(list, item);
    }
}

static void add_sdg(cJSON *object, const struct sdg *sdg, function_id function) {
    cJSON *nodes = cJSON_AddArrayToObject(object, "nodes");
    cJSON *edges = cJSON_AddArrayToObject(object, "edges");
    for (node_id n = 0; n < sdg->nodes.count; n++) {
        const struct sdg_node *node = &sdg->nodes.data[n];
        if (node->function != function)
            continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddNumberToObject(item, "node", n);
        cJSON_AddStringToObject(item, "kind", sdg_node_kind_name(node->kind));
        bool is_formal = node->kind == NODE_FORMAL_IN || node->kind == NODE_FORMAL_OUT;
        add_number(item, is_formal ? "argument" : "instruction", node->of);
        add_number(item, "part", node->part);
        if (!is_formal && node->of != NO_ID && node->kind != NODE_ENTRY)
            add_location(item, sdg->program, node->of);
        cJSON_AddItemToArray(nodes, item);
        for (uint64_t i = sdg->in.start[n]; i < sdg->in.start[n + 1]; i++) {
            cJSON *edge = cJSON_CreateObject();
            cJSON_AddNumberToObject(edge, "from", sdg->in.edges[i].node);
            cJSON_AddNumberToObject(edge, "to", n);
            cJSON_AddStringToObject(edge, "kind", sdg_edge_kind_name(sdg->in.edges[i].kind));
            cJSON_AddItemToArray(edges, edge);
        }
    }
}

void dump_graph_json(const struct sdg *sdg, const struct dump_options *options, FILE *out) {
    static const char *const names[] = {[DUMP_CALLS] = "calls",
                                        [DUMP_CONTROL] = "control",
                                        [DUMP_PARTS] = "parts",
                                        [DUMP_SDG] = "sdg"};
    const struct program *program = sdg->program;
    if (options->what == DUMP_THREADS) {
        print_threads(sdg, out);
        return;
    }
    if (options->what == DUMP_PARALLEL) {
        dump_parallel_json(sdg, options, out);
        return;
    }
    struct moduse *moduse = options->what == DUMP_PARTS ? moduse_build(sdg) : NULL;
    fprintf(out, "{\"format\": \"recut-dump\", \"version\": 1, \"%s\": [", names[options->what]);
    bool is_first = true;
    for (function_id f = 0; f < program->functions.count; f++) {
        if (!dump_shows(sdg, options, f))
            continue;
        cJSON *object = cJSON_CreateObject();
        cJSON_AddNumberToObject(object, "function", f);
        cJSON_AddStringToObject(object, "name", program->functions.data[f].name);
        if (options->what == DUMP_CALLS)
            add_calls(object, sdg, f);
        else if (options->what == DUMP_CONTROL)
            add_control(object, program, f);
        else if (options->what == DUMP_PARTS)
            add_parts(object, sdg, moduse, f);
        else
            add_sdg(object, sdg, f);
        char *text = cJSON_PrintUnformatted(object);
        fprintf(out, "%s\n  %s", is_first ? "" : ",", text);
        is_first = false;
        cJSON_free(text);
        cJSON_Delete(object);
    }
    moduse_free(moduse);
    fputs("\n]}\n", out);
}
