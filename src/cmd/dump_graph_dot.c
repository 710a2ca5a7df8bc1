/*
 * recut dump --calls, --control, --threads, --parts and --sdg as graphs for dot.
 *
 *   --calls     functions and whom they call; dashed where by a pointer, dotted back from outside
 *   --control   dominators, gray post-dominators, and dashed from a block to those that it decides
 *               about
 *   --threads   who creates whom
 *   --parts     functions and the memory that they hand through: an arrow to what is written, one
 *               back from what is read
 *   --sdg       the dependence graph, functions as clusters
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/flow.h"
#include "analysis/moduse.h"
#include "cmd/dump_graph.h"

void dump_label(const char *text, FILE *out) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static const char *name_of(const struct sdg *sdg, function_id function) {
    return sdg->program->functions.data[function].name;
}

static void print_calls(const struct sdg *sdg, function_id function, FILE *out) {
    struct range all = sdg->program->functions.data[function].instructions;
    for (uint32_t i = all.first; i < all.first + all.count; i++) {
        struct dump_callees to = dump_callees_of(sdg, i);
        bool is_indirect = sdg->program->instructions.data[i].flags & INSTRUCTION_INDIRECT;
        for (uint32_t k = 0; k < to.count; k++) {
            fputs("  ", out);
            dump_label(name_of(sdg, function), out);
            fputs(" -> ", out);
            dump_label(dump_callee_name(sdg, &to, k), out);
            fputs(k >= to.direct ? " [style=dotted];\n"
                  : is_indirect  ? " [style=dashed];\n"
                                 : ";\n",
                  out);
        }
    }
}

static void put_piece(const struct program *program, const struct flow *flow, function_id function,
                      uint32_t node, FILE *out) {
    if (node == flow->count)
        fprintf(out, "\"f%u exit\"", function);
    else
        fprintf(out, "\"b%u i%u\"",
                program->instructions.data[flow->instructions[node].first].block,
                flow->instructions[node].first);
}

static void print_control(const struct program *program, function_id function, FILE *out) {
    struct flow *flow = flow_build(program, function, NULL);
    fprintf(out, "  subgraph cluster_f%u {\n    label=", function);
    dump_label(program->functions.data[function].name, out);
    fputs(";\n", out);
    for (uint32_t i = 0; i < flow->order_count; i++) {
        uint32_t node = flow->order[i];
        if (flow->dominator[node] != NO_ID) {
            fputs("    ", out);
            put_piece(program, flow, function, flow->dominator[node], out);
            fputs(" -> ", out);
            put_piece(program, flow, function, node, out);
            fputs(";\n", out);
        }
        if (flow->post_dominator[node] != NO_ID) {
            fputs("    ", out);
            put_piece(program, flow, function, flow->post_dominator[node], out);
            fputs(" -> ", out);
            put_piece(program, flow, function, node, out);
            fputs(" [color=gray, constraint=false];\n", out);
        }
        for (uint32_t k = flow->controls.start[node]; k < flow->controls.start[node + 1]; k++) {
            fputs("    ", out);
            put_piece(program, flow, function, flow->controls.to[k], out);
            fputs(" -> ", out);
            put_piece(program, flow, function, node, out);
            fputs(" [style=dashed, constraint=false];\n", out);
        }
    }
    fputs("  }\n", out);
    flow_free(flow);
}

static void print_threads(const struct sdg *sdg, FILE *out) {
    struct order *order = order_build(sdg);
    uint32_t count = order ? order_instance_count(order) : threads_count(sdg->threads);
    for (uint32_t t = 0; t < count; t++) {
        function_id entry = order ? order_entry(order, t) : threads_entry(sdg->threads, t);
        struct order_place creation = {.at = NO_ID};
        if (order)
            creation = order_creation(order, t);
        fprintf(out, "  t%u [label=", t);
        dump_label(entry == NO_ID ? "main" : name_of(sdg, entry), out);
        fputs(order && order_is_many(order, t) ? ", peripheries=2];\n" : "];\n", out);
        if (creation.at == NO_ID)
            continue;
        char *place CLEANUP_FREE =
            dump_location_text(sdg->program, sdg->program->instructions.data[creation.at].location);
        fprintf(out, "  t%u -> t%u [label=", order_instance(order, creation.context), t);
        dump_label(place, out);
        fputs("];\n", out);
    }
    order_free(order);
}

static void print_parts(const struct sdg *sdg, const struct moduse *moduse, function_id function,
                        FILE *out) {
    struct part_list parts = parts_of(sdg->parts, function);
    for (uint32_t p = 0; p < parts.count; p++) {
        const struct part *part = &parts.parts[p];
        bool is_read = moduse_has(moduse, function, p, MODUSE_READS);
        bool is_written = moduse_has(moduse, function, p, MODUSE_WRITES);
        for (uint32_t i = 0; part->is_formal && part->argument == NO_ID && i < part->cell_count;
             i++) {
            char *text CLEANUP_FREE = cells_text(effects_cells(sdg->effects),
                                                 parts_cells(sdg->parts)[part->first_cell + i]);
            fputs("  ", out);
            dump_label(name_of(sdg, function), out);
            fputs(" -> ", out);
            dump_label(text, out);
            fprintf(out, " [dir=%s];\n",
                    is_read && is_written ? "both"
                    : is_read             ? "back"
                    : is_written          ? "forward"
                                          : "none");
        }
    }
}

static void print_sdg_function(const struct sdg *sdg, function_id function, FILE *out) {
    fprintf(out, "  subgraph cluster_f%u {\n    label=", function);
    dump_label(name_of(sdg, function), out);
    fputs(";\n", out);
    for (node_id n = 0; n < sdg->nodes.count; n++) {
        const struct sdg_node *node = &sdg->nodes.data[n];
        if (node->function != function)
            continue;
        fprintf(out, "    n%u [label=\"%s", n, sdg_node_kind_name(node->kind));
        if (node->kind == NODE_INSTRUCTION || node->kind == NODE_PROBE) {
            char *place CLEANUP_FREE = dump_location_text(
                sdg->program, sdg->program->instructions.data[node->of].location);
            fprintf(out, " i%u\\n%s", node->of, place);
        }
        fputs("\"];\n", out);
    }
    fputs("  }\n", out);
}

static void print_sdg_edges(const struct sdg *sdg, function_id function, FILE *out) {
    static const char *const styles[EDGE_KIND_COUNT] = {
        [EDGE_CONTROL] = " [style=dashed]",    [EDGE_CALL] = " [style=dotted]",
        [EDGE_PARAMETER_IN] = " [color=blue]", [EDGE_PARAMETER_OUT] = " [color=blue]",
        [EDGE_SUMMARY] = " [style=bold]",      [EDGE_HUB] = " [color=gray]",
        [EDGE_INTERFERENCE] = " [color=red]",
    };
    for (node_id n = 0; n < sdg->nodes.count; n++)
        for (uint64_t i = sdg->in.start[n];
             sdg->nodes.data[n].function == function && i < sdg->in.start[n + 1]; i++) {
            enum sdg_edge_kind kind = sdg->in.edges[i].kind;
            fprintf(out, "  n%u -> n%u%s;\n", sdg->in.edges[i].node, n,
                    styles[kind] ? styles[kind] : "");
        }
}

void dump_graph_dot(const struct sdg *sdg, const struct dump_options *options, FILE *out) {
    const struct program *program = sdg->program;
    if (options->what == DUMP_PARALLEL) {
        dump_parallel_dot(sdg, options, out);
        return;
    }
    struct moduse *moduse = options->what == DUMP_PARTS ? moduse_build(sdg) : NULL;
    fputs("digraph program {\n  node [shape=box, fontname=monospace];\n", out);
    if (options->what == DUMP_THREADS)
        print_threads(sdg, out);
    for (function_id f = 0; f < program->functions.count; f++) {
        if (options->what == DUMP_THREADS || !dump_shows(sdg, options, f))
            continue;
        if (options->what == DUMP_CALLS)
            print_calls(sdg, f, out);
        else if (options->what == DUMP_CONTROL)
            print_control(program, f, out);
        else if (options->what == DUMP_PARTS)
            print_parts(sdg, moduse, f, out);
        else
            print_sdg_function(sdg, f, out);
    }
    for (function_id f = 0; options->what == DUMP_SDG && f < program->functions.count; f++)
        if (dump_shows(sdg, options, f))
            print_sdg_edges(sdg, f, out);
    moduse_free(moduse);
    fputs("}\n", out);
}
