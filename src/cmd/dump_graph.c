/*
 * recut dump --calls, --control, --threads, --parts and --sdg: what slices are made of;
 * --parallel: dump_parallel.c.
 *
 *     f0 main  main.c:7
 *       b1  dominated by b0  post-dominated by b6  decided by b0 b5
 *
 *     f4 add  add.c:6
 *       p0 formal  behind argument 0: 0 to 4  read
 *       p2 formal  counter  read, written
 *
 *     n83 instruction i83  add.c:6:39
 *       data from n82 instruction i82  add.c:6:40
 */
#include <stdlib.h>

#include "analysis/flow.h"
#include "analysis/moduse.h"
#include "cmd/dump_graph.h"

void dump_function(const struct program *program, function_id id, FILE *out) {
    const struct function *function = &program->functions.data[id];
    fprintf(out, "f%u %s", id, function->name);
    if (function->file != NO_ID)
        fprintf(out, "  %s:%u", program->files.data[function->file].name, function->line);
    if (function->copy_of != NO_ID)
        fprintf(out, "  copy of f%u", function->copy_of);
    fputc('\n', out);
}

/* A node of a flow graph, by the block that it is, or is a piece of. */
static void print_block(const struct program *program, const struct flow *flow, uint32_t node,
                        FILE *out) {
    if (node == flow->count) {
        fputs("exit", out);
        return;
    }
    instruction_id first = flow->instructions[node].first;
    block_id block = program->instructions.data[first].block;
    fprintf(out, "b%u", block);
    if (program->blocks.data[block].instructions.first != first)
        fprintf(out, "(from i%u)", first);
}

static void print_control(const struct program *program, function_id function, FILE *out) {
    struct flow *flow = flow_build(program, function, NULL);
    for (uint32_t i = 0; i < flow->order_count; i++) {
        uint32_t node = flow->order[i];
        fputs("  ", out);
        print_block(program, flow, node, out);
        if (flow->dominator[node] != NO_ID) {
            fputs("  dominated by ", out);
            print_block(program, flow, flow->dominator[node], out);
        }
        if (flow->post_dominator[node] != NO_ID) {
            fputs("  post-dominated by ", out);
            print_block(program, flow, flow->post_dominator[node], out);
        }
        for (uint32_t k = flow->controls.start[node]; k < flow->controls.start[node + 1]; k++) {
            fputs(k == flow->controls.start[node] ? "  decided by " : " ", out);
            print_block(program, flow, flow->controls.to[k], out);
        }
        fputc('\n', out);
    }
    flow_free(flow);
}

static void print_part(const struct sdg *sdg, function_id function, uint32_t number, FILE *out) {
    const struct part *part = &parts_of(sdg->parts, function).parts[number];
    fprintf(out, "p%u %s", number, part->is_formal ? "formal" : "own");
    if (part->argument != NO_ID && part->low == PART_LOW)
        fprintf(out, "  behind argument %u", part->argument);
    else if (part->argument != NO_ID)
        fprintf(out, "  behind argument %u: %d to %d", part->argument, part->low, part->high);
    for (uint32_t i = 0; part->argument == NO_ID && i < part->cell_count; i++) {
        char *text =
            cells_text(effects_cells(sdg->effects), parts_cells(sdg->parts)[part->first_cell + i]);
        fprintf(out, "%s%s", i ? ", " : "  ", text);
        free(text);
    }
}

static void print_parts(const struct sdg *sdg, const struct moduse *moduse, function_id function,
                        FILE *out) {
    for (uint32_t p = 0; p < parts_of(sdg->parts, function).count; p++) {
        bool is_read = moduse_has(moduse, function, p, MODUSE_READS);
        fputs("  ", out);
        print_part(sdg, function, p, out);
        fputs(is_read ? "  read" : "", out);
        if (moduse_has(moduse, function, p, MODUSE_WRITES))
            fputs(is_read ? ", written" : "  written", out);
        fputc('\n', out);
    }
}

static void print_node(const struct sdg *sdg, node_id id, FILE *out) {
    const struct sdg_node *node = &sdg->nodes.data[id];
    fprintf(out, "n%u %s", id, sdg_node_kind_name(node->kind));
    bool is_formal = node->kind == NODE_FORMAL_IN || node->kind == NODE_FORMAL_OUT;
    if (node->kind == NODE_HUB && node->of == NO_ID) {
        fputs("  calls from outside", out);
    } else if (node->kind == NODE_HUB) {
        char *text = cells_text(effects_cells(sdg->effects), node->of);
        fprintf(out, "  %s", text);
        free(text);
    } else if (is_formal && node->part != NO_ID) {
        fputs("  ", out);
        print_part(sdg, node->function, node->part, out);
    } else if (node->kind == NODE_FORMAL_IN) {
        fprintf(out, "  argument %u", node->of);
    } else if (node->kind == NODE_FORMAL_OUT) {
        fputs("  result", out);
    } else if (node->of != NO_ID) {
        char *place =
            dump_location_text(sdg->program, sdg->program->instructions.data[node->of].location);
        fprintf(out, "  i%u%s%s", node->of, *place ? "  " : "", place);
        free(place);
    }
    fputc('\n', out);
}

static void print_sdg(const struct sdg *sdg, function_id function, FILE *out) {
    for (node_id n = 0; n < sdg->nodes.count; n++) {
        if (sdg->nodes.data[n].function != function)
            continue;
        fputs("  ", out);
        print_node(sdg, n, out);
        for (uint64_t i = sdg->in.start[n]; i < sdg->in.start[n + 1]; i++) {
            fprintf(out, "    %s from ", sdg_edge_kind_name(sdg->in.edges[i].kind));
            print_node(sdg, sdg->in.edges[i].node, out);
        }
    }
}

/* The order of threads is not known. */
static void print_entries(const struct sdg *sdg, FILE *out) {
    for (uint32_t t = 0; t < threads_count(sdg->threads); t++) {
        function_id entry = threads_entry(sdg->threads, t);
        fprintf(out, "thread %u begins in %s\n", t,
                entry == NO_ID ? "main" : sdg->program->functions.data[entry].name);
    }
}

static void print_place(const struct sdg *sdg, instruction_id at, FILE *out) {
    char *place CLEANUP_FREE =
        dump_location_text(sdg->program, sdg->program->instructions.data[at].location);
    fputs(place, out);
}

static void print_instances(const struct sdg *sdg, struct order *order, FILE *out) {
    const struct program *program = sdg->program;
    for (uint32_t t = 0; t < order_instance_count(order); t++) {
        struct order_place creation = order_creation(order, t);
        fprintf(out, "thread %u begins in %s", t,
                program->functions.data[order_entry(order, t)].name);
        if (creation.at != NO_ID) {
            fprintf(out, ", created by thread %u at ", order_instance(order, creation.context));
            print_place(sdg, creation.at, out);
        } else if (t) {
            fputs(", entered by the environment", out);
        }
        fputs(order_is_many(order, t) ? ", stands for many\n" : "\n", out);
        for (instruction_id i = 0; i < program->instructions.count; i++)
            if (order_ends(order, i, t)) {
                fputs("  over at ", out);
                print_place(sdg, i, out);
                fputc('\n', out);
            }
    }
}

static void print_threads(const struct sdg *sdg, FILE *out) {
    struct cells *cells = effects_cells(sdg->effects);
    struct order *order = order_build(sdg);
    if (order)
        print_instances(sdg, order, out);
    else
        print_entries(sdg, out);
    order_free(order);
    for (uint32_t c = 0; c < cells_count(cells); c++)
        if (threads_share(sdg->threads, c)) {
            char *text = cells_text(cells, c);
            fprintf(out, "shared  %s\n", text);
            free(text);
        }
}

struct dump_callees dump_callees_of(const struct sdg *sdg, instruction_id call) {
    struct dump_callees callees = {0};
    uint32_t entered;
    if (!(sdg->program->instructions.data[call].flags & INSTRUCTION_CALL))
        return callees;
    callees.called = pta_callees(sdg->pta, call, &callees.direct);
    callees.entered = effects_callees(sdg->effects, call, &entered);
    callees.count = callees.direct + (effects_is_direct(sdg->effects, call) ? 0 : entered);
    return callees;
}

/* Functions of the program that a call enters itself are in both lists. */
const char *dump_callee_name(const struct sdg *sdg, const struct dump_callees *callees,
                             uint32_t number) {
    function_id function = number < callees->direct ? callees->called[number]
                                                    : callees->entered[number - callees->direct];
    return function == NO_ID ? "?" : sdg->program->functions.data[function].name;
}

static void print_calls(const struct sdg *sdg, function_id function, FILE *out) {
    struct range all = sdg->program->functions.data[function].instructions;
    for (uint32_t i = all.first; i < all.first + all.count; i++) {
        struct dump_callees to = dump_callees_of(sdg, i);
        if (!to.count)
            continue;
        fprintf(out, "  i%u", i);
        for (uint32_t k = 0; k < to.count; k++)
            fprintf(out, "%s%s", k == to.direct ? "  back to " : "  ",
                    dump_callee_name(sdg, &to, k));
        fputs("  ", out);
        print_place(sdg, i, out);
        fputc('\n', out);
    }
}

bool dump_shows(const struct sdg *sdg, const struct dump_options *options, function_id function) {
    return sdg->program->functions.data[function].flags & FUNCTION_DEFINED &&
           dump_wants(sdg->program, options, function);
}

void dump_graph_text(const struct sdg *sdg, const struct dump_options *options, FILE *out) {
    const struct program *program = sdg->program;
    if (options->what == DUMP_THREADS) {
        print_threads(sdg, out);
        return;
    }
    if (options->what == DUMP_PARALLEL) {
        dump_parallel_text(sdg, options, out);
        return;
    }
    struct moduse *moduse = options->what == DUMP_PARTS ? moduse_build(sdg) : NULL;
    for (function_id f = 0; f < program->functions.count; f++) {
        if (!dump_shows(sdg, options, f))
            continue;
        dump_function(program, f, out);
        if (options->what == DUMP_CALLS)
            print_calls(sdg, f, out);
        else if (options->what == DUMP_CONTROL)
            print_control(program, f, out);
        else if (options->what == DUMP_PARTS)
            print_parts(sdg, moduse, f, out);
        else
            print_sdg(sdg, f, out);
    }
    moduse_free(moduse);
}

void dump_graph(const struct pta *pta, const struct dump_options *options, enum dump_format format,
                FILE *out) {
    static void (*const print[])(const struct sdg *, const struct dump_options *, FILE *) = {
        [DUMP_AS_TEXT] = dump_graph_text,
        [DUMP_AS_JSON] = dump_graph_json,
        [DUMP_AS_DOT] = dump_graph_dot,
    };
    /* These two need no more than that. */
    if (options->what == DUMP_CONTROL || options->what == DUMP_CALLS) {
        struct sdg part = {.program = pta_program(pta), .pta = pta, .effects = effects_build(pta)};
        print[format](&part, options, out);
        effects_free(part.effects);
        return;
    }
    struct sdg *sdg = sdg_build(pta, &(struct sdg_options){0});
    print[format](sdg, options, out);
    sdg_free(sdg);
}
