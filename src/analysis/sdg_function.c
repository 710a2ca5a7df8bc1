/*
 * The dependence graph of one function; sdg.h.
 *
 * Callees that are not in a circle with the function are there already, so that it
 * is known what they never write; of those in a circle everything is taken to be
 * written.  Instructions are visited in the flow's order:
 *
 *     what an instruction reads     the definitions that reach it -> the instruction
 *     what it overwrites            it is the definition
 *     what it perhaps overwrites    a merge of it and of the definition before
 *
 * A call reads and writes so for each part of memory of what it may enter.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/sdg_impl.h"

/* A part, and what it becomes. */
struct part_copy {
    uint32_t part;
    node_id node;
};

struct walk {
    struct sdg *sdg;
    const struct program *program;
    function_id function;
    struct function_nodes *nodes;
    const struct flow *flow;
    struct definitions *definitions;
    struct part_list parts;
    node_id *blocks;  /* by node of the flow */
    bool *is_written; /* by part */
    uint32_t block;   /* where we are */
    part_uses uses;
    VEC(struct part_copy) copies;
};

static value_id operand(const struct walk *walk, const struct instruction *instruction,
                        uint32_t number) {
    return walk->program->operands.data[instruction->operands.first + number];
}

static void depend_on_value(struct walk *walk, node_id node, value_id value) {
    node_id from = sdg_node_of_value(walk->sdg, value);
    if (from != NO_ID)
        sdg_add_edge(walk->sdg, from, node, EDGE_DATA);
}

static void read_part(struct walk *walk, node_id node, uint32_t part) {
    node_id from = definitions_read(walk->definitions, walk->block, part);
    if (from != NO_ID && from != node)
        sdg_add_edge(walk->sdg, from, node, EDGE_DATA);
}

static node_id merge(struct walk *walk, instruction_id id, uint32_t part) {
    node_id node = sdg_add_node(
        walk->sdg,
        (struct sdg_node){.kind = NODE_MERGE, .function = walk->function, .of = id, .part = part});
    read_part(walk, node, part);
    return node;
}

static void define(struct walk *walk, uint32_t part, node_id node) {
    definitions_write(walk->definitions, walk->block, part, node);
    walk->is_written[part] = true;
}

static void use_hubs(struct walk *walk, node_id node, const struct memory_effect *effect) {
    node_id hub =
        sdg_hub_of_region(walk->sdg, &walk->sdg->impl->hubs, effect->region, effect->writes);
    if (hub == NO_ID)
        return;
    if (effect->writes)
        sdg_add_edge(walk->sdg, node, hub, EDGE_HUB);
    else
        sdg_add_edge(walk->sdg, hub, node, EDGE_HUB);
}

/* What an instruction reads is what a node depends on; or what it writes is what the node
 * defines. */
static void use_memory(struct walk *walk, instruction_id id, node_id node, bool writes) {
    struct effect_list list = effects_of(walk->sdg->effects, id);
    bool has_hubs = parts_hub_count(walk->sdg->parts) > 0;
    for (uint32_t i = 0; i < list.count; i++) {
        const struct memory_effect *effect = &list.effects[i];
        if (effect->writes != writes)
            continue;
        if (has_hubs)
            use_hubs(walk, node, effect);
        parts_of_effect(walk->sdg->parts, walk->function, effect, &walk->uses);
        for (size_t k = 0; k < walk->uses.count; k++) {
            uint32_t part = walk->uses.data[k].part;
            if (!writes) {
                read_part(walk, node, part);
            } else if (walk->uses.data[k].is_exact) {
                define(walk, part, node);
            } else {
                node_id merged = merge(walk, id, part);
                sdg_add_edge(walk->sdg, node, merged, EDGE_DATA);
                define(walk, part, merged);
            }
        }
    }
}

/* Copies of whole structs: each part of the copy is that part of the original.
 *
 *     instruction ---> copy of a part ---> definition
 *                          ^
 *     part of the original-'
 */

/* A part that a copy reads or writes, and its bytes from where the copy begins. */
struct copied {
    struct part_use use;
    int32_t low, high;
};
typedef VEC(struct copied) copied_vec;

static bool find_copied(struct walk *walk, const struct memory_effect *effect, value_id address,
                        copied_vec *ret) {
    parts_of_effect(walk->sdg->parts, walk->function, effect, &walk->uses);
    for (size_t i = 0; i < walk->uses.count; i++) {
        const struct part *part = &walk->parts.parts[walk->uses.data[i].part];
        struct copied copied = {walk->uses.data[i], INT32_MAX, INT32_MIN};
        if (part->argument != NO_ID) {
            if (effect->root.argument != part->argument || effect->root.is_moved ||
                effect->root.extent || part->low == PART_LOW)
                return false;
            copied.low = part->low - effect->root.offset;
            copied.high = part->high - effect->root.offset;
        }
        for (uint32_t k = 0; part->argument == NO_ID && k < part->cell_count; k++) {
            int32_t low, high;
            if (!cells_distance(effects_cells(walk->sdg->effects),
                                parts_cells(walk->sdg->parts)[part->first_cell + k], address, &low,
                                &high))
                return false;
            copied.low = low < copied.low ? low : copied.low;
            copied.high = high > copied.high ? high : copied.high;
        }
        VEC_PUSH(ret, copied);
    }
    return true;
}

static void copy_part(struct walk *walk, instruction_id id, const struct copied *to,
                      const copied_vec *from) {
    node_id node = sdg_add_node(walk->sdg, (struct sdg_node){.kind = NODE_COPY,
                                                             .function = walk->function,
                                                             .of = id,
                                                             .part = to->use.part});
    sdg_add_edge(walk->sdg, id, node, EDGE_DATA);
    for (size_t i = 0; i < from->count; i++)
        if (from->data[i].low < to->high && from->data[i].high > to->low)
            read_part(walk, node, from->data[i].use.part);
    if (!to->use.is_exact)
        read_part(walk, node, to->use.part);
    /* Defined when all are read: the two may overlap. */
    VEC_PUSH(&walk->copies, (struct part_copy){to->use.part, node});
}

/* False if the parts cannot be told: then it is handled as any other instruction. */
static bool add_copy(struct walk *walk, instruction_id id) {
    const struct instruction *copy = &walk->program->instructions.data[id];
    if ((copy->intrinsic != INTRINSIC_MEMCPY && copy->intrinsic != INTRINSIC_MEMMOVE) ||
        !copy->access_size || parts_hub_count(walk->sdg->parts))
        return false;
    struct effect_list list = effects_of(walk->sdg->effects, id);
    copied_vec from = {0}, to = {0};
    bool is_known = list.count > 0;
    for (uint32_t i = 0; is_known && i < list.count; i++)
        is_known = list.effects[i].writes
                       ? find_copied(walk, &list.effects[i], copy->written_at, &to)
                       : find_copied(walk, &list.effects[i], copy->read_at, &from);
    walk->copies.count = 0;
    for (size_t i = 0; is_known && i < to.count; i++)
        copy_part(walk, id, &to.data[i], &from);
    for (size_t i = 0; is_known && i < walk->copies.count; i++)
        define(walk, walk->copies.data[i].part, walk->copies.data[i].node);
    VEC_DEINIT(&from);
    VEC_DEINIT(&to);
    return is_known;
}

/* Calls. */

static node_id actual(struct walk *walk, enum sdg_node_kind kind, instruction_id call,
                      uint32_t part) {
    node_id node = sdg_add_node(
        walk->sdg,
        (struct sdg_node){.kind = kind, .function = walk->function, .of = call, .part = part});
    sdg_add_edge(walk->sdg, call, node, EDGE_CONTROL);
    return node;
}

/* What each callee gets as its arguments. */
static void pass_arguments(struct walk *walk, instruction_id id, const function_id *callees,
                           uint32_t count) {
    const struct instruction *call = &walk->program->instructions.data[id];
    if (!effects_is_direct(walk->sdg->effects, id)) {
        /* Called back with what the external function makes of its own arguments. */
        for (uint32_t c = 0; c < count; c++) {
            uint32_t arguments = walk->program->functions.data[callees[c]].arguments.count;
            node_id first = walk->sdg->impl->functions[callees[c]].first_argument;
            for (uint32_t i = 0; i < arguments; i++)
                sdg_add_edge(walk->sdg, id, first + i, EDGE_PARAMETER_IN);
        }
        return;
    }
    for (uint32_t i = 0; i < call->operands.count; i++) {
        if (sdg_node_of_value(walk->sdg, operand(walk, call, i)) == NO_ID)
            continue;
        node_id node = actual(walk, NODE_ACTUAL_IN, id, NO_ID);
        depend_on_value(walk, node, operand(walk, call, i));
        for (uint32_t c = 0; c < count; c++)
            if (i < walk->program->functions.data[callees[c]].arguments.count)
                sdg_add_edge(walk->sdg, node,
                             walk->sdg->impl->functions[callees[c]].first_argument + i,
                             EDGE_PARAMETER_IN);
    }
}

/* Is it thread-local memory alone?  Each thread has its own. */
static bool is_of_thread(struct walk *walk, function_id callee, uint32_t part) {
    const struct part *of = &parts_of(walk->sdg->parts, callee).parts[part];
    bool is_local = of->argument == NO_ID && of->cell_count;
    for (uint32_t i = 0; is_local && i < of->cell_count; i++)
        is_local = cells_is_thread_local(effects_cells(walk->sdg->effects),
                                         parts_cells(walk->sdg->parts)[of->first_cell + i]);
    return is_local;
}

static void pass_memory(struct walk *walk, instruction_id id, function_id callee, bool creates) {
    const struct instruction *call = &walk->program->instructions.data[id];
    const struct function_nodes *to = &walk->sdg->impl->functions[callee];
    struct part_list formals = parts_of(walk->sdg->parts, callee);
    for (uint32_t p = 0; p < formals.count; p++) {
        if (to->formal_in[p] == NO_ID || (creates && is_of_thread(walk, callee, p)))
            continue;
        node_id node = actual(walk, NODE_ACTUAL_IN, id, p);
        sdg_add_edge(walk->sdg, node, to->formal_in[p], EDGE_PARAMETER_IN);
        parts_of_formal(walk->sdg->parts, id, callee, p, &walk->uses);
        for (size_t k = 0; k < walk->uses.count; k++)
            read_part(walk, node, walk->uses.data[k].part);
        if (!to->is_variadic || !to->is_variadic[p])
            continue;
        for (uint32_t i = walk->program->functions.data[callee].arguments.count;
             i < call->operands.count; i++)
            depend_on_value(walk, node, operand(walk, call, i));
        if (call->flags & INSTRUCTION_BY_VALUE)
            use_memory(walk, id, node, false);
    }
}

/* A part that a call defines: by which actual outs, and whether there is no way past
 * them. */
struct defined {
    uint32_t part;
    node_id node;
    bool is_exact;
};
typedef VEC(struct defined) defined_vec;

static int compare_defined(const void *a, const void *b) {
    const struct defined *x = a, *y = b;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static void receive_memory(struct walk *walk, instruction_id id, function_id callee,
                           enum sdg_edge_kind kind, defined_vec *defined) {
    const struct function_nodes *from = &walk->sdg->impl->functions[callee];
    struct part_list formals = parts_of(walk->sdg->parts, callee);
    for (uint32_t p = 0; p < formals.count; p++) {
        if (from->formal_out[p] == NO_ID ||
            (kind == EDGE_INTERFERENCE && is_of_thread(walk, callee, p)))
            continue;
        node_id node = actual(walk, NODE_ACTUAL_OUT, id, p);
        sdg_add_edge(walk->sdg, from->formal_out[p], node, kind);
        parts_of_formal(walk->sdg->parts, id, callee, p, &walk->uses);
        for (size_t k = 0; k < walk->uses.count; k++)
            VEC_PUSH(defined,
                     (struct defined){walk->uses.data[k].part, node, walk->uses.data[k].is_exact});
    }
}

/* `kind`: of the edges from the actual outs on. */
static void define_by_call(struct walk *walk, instruction_id id, defined_vec *defined, bool is_only,
                           enum sdg_edge_kind kind) {
    if (defined->count)
        qsort(defined->data, defined->count, sizeof *defined->data, compare_defined);
    for (size_t i = 0, end; i < defined->count; i = end) {
        bool is_exact = false;
        for (end = i; end < defined->count && defined->data[end].part == defined->data[i].part;
             end++)
            is_exact |= defined->data[end].is_exact && is_only;
        uint32_t part = defined->data[i].part;
        if (is_exact && end == i + 1) {
            define(walk, part, defined->data[i].node);
            continue;
        }
        node_id node = sdg_add_node(
            walk->sdg, (struct sdg_node){
                           .kind = NODE_MERGE, .function = walk->function, .of = id, .part = part});
        if (!is_exact)
            read_part(walk, node, part);
        for (size_t k = i; k < end; k++)
            sdg_add_edge(walk->sdg, defined->data[k].node, node, kind);
        define(walk, part, node);
    }
}

/* Whether a call returns depends on what it calls. */
static void add_end(struct walk *walk, instruction_id id, const function_id *callees,
                    uint32_t count) {
    const struct sdg_impl *impl = walk->sdg->impl;
    for (uint32_t c = 0; c < count; c++)
        if (impl->ends[callees[c]] != NO_ID) {
            node_id out = actual(walk, NODE_ACTUAL_OUT, id, NO_ID);
            sdg_add_edge(walk->sdg, impl->ends[callees[c]], out, EDGE_PARAMETER_OUT);
            sdg_add_edge(walk->sdg, out, id, EDGE_CONTROL);
        }
}

/* What threads leave behind is there when their end was waited for. */
static void add_join(struct walk *walk, instruction_id id) {
    uint32_t called, count;
    effects_callees(walk->sdg->effects, id, &called);
    const function_id *shown = effects_shown(walk->sdg->effects, id, &count);
    defined_vec defined = {0};
    for (uint32_t i = called; i < count; i++)
        receive_memory(walk, id, shown[i], EDGE_INTERFERENCE, &defined);
    define_by_call(walk, id, &defined, false, EDGE_INTERFERENCE);
    VEC_DEINIT(&defined);
}

static bool returns_value(const struct walk *walk, function_id function) {
    const struct type *type =
        &walk->program->types.data[walk->program->functions.data[function].type];
    return walk->program->types.data[type->element].kind != TYPE_VOID;
}

static void add_call(struct walk *walk, instruction_id id) {
    uint32_t count;
    const function_id *callees = effects_callees(walk->sdg->effects, id, &count);
    bool creates = count && threads_creates(walk->sdg->threads, id);
    add_join(walk, id);
    if (!count)
        return;
    walk->sdg->impl->call_ranks[id] = ++walk->sdg->impl->call_count;
    pass_arguments(walk, id, callees, count);
    defined_vec defined = {0};
    for (uint32_t c = 0; c < count; c++) {
        sdg_add_edge(walk->sdg, id, walk->sdg->entries[callees[c]], EDGE_CALL);
        pass_memory(walk, id, callees[c], creates);
    }
    if (!creates)
        add_end(walk, id, callees, count);
    /* A thread that begins leaves nothing yet. */
    for (uint32_t c = 0; c < count && !creates; c++) {
        receive_memory(walk, id, callees[c], EDGE_PARAMETER_OUT, &defined);
        node_id result = walk->sdg->results[callees[c]], out = walk->sdg->impl->call_results[id];
        if (result != NO_ID && out != NO_ID)
            sdg_add_edge(walk->sdg, result, out, EDGE_PARAMETER_OUT);
        else if (result != NO_ID && !effects_is_direct(walk->sdg->effects, id) &&
                 returns_value(walk, callees[c])) /* what a comparison says decides in qsort() */
            sdg_add_edge(walk->sdg, result, id, EDGE_PARAMETER_OUT);
    }
    define_by_call(walk, id, &defined, count == 1 && effects_is_direct(walk->sdg->effects, id),
                   EDGE_DATA);
    VEC_DEINIT(&defined);
}

/* What a function leaves behind where it ends. */
static void leave(struct walk *walk) {
    for (uint32_t p = 0; p < walk->parts.count; p++)
        if (walk->nodes->formal_out[p] != NO_ID)
            read_part(walk, walk->nodes->formal_out[p], p);
}

/* Probes: the values of variables in front of an instruction, or behind it. */

/* The place of a variable that holds there: the last before the instruction in the
 * order of the function, or one that holds everywhere; if there is none yet, the first. */
static const struct place *place_of(const struct walk *walk, const struct sdg_probe *probe) {
    const struct variable *variable = &walk->program->variables.data[probe->variable];
    const struct place *found = NULL;
    for (uint32_t i = 0; i < variable->places.count; i++) {
        const struct place *place = &walk->program->places.data[variable->places.first + i];
        if (place->is_declaration || place->kind == PLACE_OBJECT)
            return place;
        if (place->instruction <= probe->instruction || !found)
            found = place;
    }
    return found;
}

static void add_probe(struct walk *walk, uint32_t number) {
    const struct sdg_probe *probe = &walk->sdg->impl->options->probes[number];
    node_id node = sdg_add_node(walk->sdg, (struct sdg_node){.kind = NODE_PROBE,
                                                             .function = walk->function,
                                                             .of = probe->instruction,
                                                             .part = NO_ID});
    walk->sdg->probes[number] = node;
    sdg_add_edge(walk->sdg, walk->blocks[walk->block], node, EDGE_CONTROL);
    const struct variable *variable = &walk->program->variables.data[probe->variable];
    const struct place *place = place_of(walk, probe);
    memory_id memory = variable->memory != NO_ID              ? variable->memory
                       : place && place->kind == PLACE_OBJECT ? place->memory
                                                              : NO_ID;
    if (memory != NO_ID && pta_object_of_memory(walk->sdg->pta, memory) != NO_ID) {
        struct cells *cells = effects_cells(walk->sdg->effects);
        struct memory_effect effect = {
            .region = cells_region_object(cells, pta_object_of_memory(walk->sdg->pta, memory)),
            .root = {.argument = NO_ID}};
        if (parts_hub_count(walk->sdg->parts))
            use_hubs(walk, node, &effect);
        parts_of_effect(walk->sdg->parts, walk->function, &effect, &walk->uses);
        for (size_t k = 0; k < walk->uses.count; k++)
            read_part(walk, node, walk->uses.data[k].part);
    } else if (place && place->value != NO_ID) {
        depend_on_value(walk, node, place->value);
    }
}

static void add_probes(struct walk *walk, instruction_id id, bool is_behind) {
    const struct sdg_options *options = walk->sdg->impl->options;
    for (uint32_t i = 0; i < options->probe_count; i++)
        if (options->probes[i].instruction == id && options->probes[i].is_behind == is_behind)
            add_probe(walk, i);
}

static void add_instruction(struct walk *walk, instruction_id id) {
    const struct instruction *instruction = &walk->program->instructions.data[id];
    if (instruction->flags & INSTRUCTION_SYNTHETIC)
        return;
    sdg_add_edge(walk->sdg, walk->blocks[walk->block], id, EDGE_CONTROL);
    uint32_t callees;
    effects_callees(walk->sdg->effects, id, &callees);
    if (!(instruction->flags & INSTRUCTION_CALL) || !callees ||
        !effects_is_direct(walk->sdg->effects, id))
        for (uint32_t i = 0; i < instruction->operands.count; i++)
            depend_on_value(walk, id, operand(walk, instruction, i));
    if (instruction->flags & INSTRUCTION_CALL)
        depend_on_value(walk, id, instruction->called);
    if (instruction->opcode == OP_PHI) /* which way it came from */
        for (uint32_t i = 0; i < instruction->blocks.count; i++) {
            const struct block *from =
                &walk->program->blocks
                     .data[walk->program->edges.data[instruction->blocks.first + i]];
            uint32_t node =
                flow_node(walk->flow, from->instructions.first + from->instructions.count - 1);
            if (walk->blocks[node] != NO_ID)
                sdg_add_edge(walk->sdg, walk->blocks[node], id, EDGE_CONTROL);
        }
    if (add_copy(walk, id))
        return;
    bool passes =
        instruction->flags & INSTRUCTION_BY_VALUE &&
        effects_is_direct(walk->sdg->effects, id); /* what is read is, see pass_memory() */
    if (!passes)
        use_memory(walk, id, id, false);
    add_call(walk, id);
    use_memory(walk, id, id, true);
    if (walk->sdg->impl->ends[walk->function] != NO_ID && walk->sdg->impl->calls[id] & FLOW_WAITS)
        sdg_add_edge(walk->sdg, id, walk->sdg->impl->ends[walk->function], EDGE_DATA);
    if (instruction->opcode == OP_RETURN) {
        sdg_add_edge(walk->sdg, id, walk->sdg->results[walk->function], EDGE_DATA);
        leave(walk);
    } else if (walk->sdg->impl->calls[id] & FLOW_JUMPS) {
        leave(walk);
    }
}

/* Where a call has failed, errno is what it left, and nothing that was there before. */
static void begin_node(struct walk *walk) {
    uint32_t region = effects_errno(walk->sdg->effects), from;
    if (region == NO_ID || !definitions_only_way(walk->definitions, walk->block, &from))
        return;
    instruction_id call =
        sdg_failed_call(walk->sdg, walk->definitions, walk->flow, from, walk->block);
    if (call == NO_ID)
        return;
    struct memory_effect effect = {.region = region, .writes = true, .root = {.argument = NO_ID}};
    parts_of_effect(walk->sdg->parts, walk->function, &effect, &walk->uses);
    for (size_t i = 0; i < walk->uses.count; i++) {
        uint32_t part = walk->uses.data[i].part;
        node_id left = definitions_read(walk->definitions, from, part);
        if (left == NO_ID || walk->parts.parts[part].cell_count != 1)
            continue;
        const struct sdg_node *node = &walk->sdg->nodes.data[left];
        if (node->kind == NODE_MERGE && node->of == call && node->part == part)
            define(walk, part, call);
    }
}

static void add_blocks(struct walk *walk) {
    const struct flow *flow = walk->flow;
    walk->blocks = mem_alloc((flow->count + 1) * sizeof *walk->blocks);
    memset(walk->blocks, 0xff, (flow->count + 1) * sizeof *walk->blocks);
    for (uint32_t i = 0; i < flow->order_count; i++)
        walk->blocks[flow->order[i]] = sdg_add_node(
            walk->sdg, (struct sdg_node){.kind = NODE_BLOCK,
                                         .function = walk->function,
                                         .of = flow->instructions[flow->order[i]].first,
                                         .part = NO_ID});
    for (uint32_t i = 0; i < flow->order_count; i++) {
        uint32_t block = flow->order[i];
        const struct flow_lists *by = &flow->controls;
        if (by->start[block] == by->start[block + 1])
            sdg_add_edge(walk->sdg, walk->sdg->entries[walk->function], walk->blocks[block],
                         EDGE_CONTROL);
        for (uint32_t k = by->start[block]; k < by->start[block + 1]; k++) {
            struct range piece = flow->instructions[by->to[k]];
            sdg_add_edge(walk->sdg, piece.first + piece.count - 1, walk->blocks[block],
                         EDGE_CONTROL);
        }
    }
}

void sdg_add_function(struct sdg *sdg, function_id function) {
    struct flow *flow = flow_build(sdg->program, function, sdg->impl->calls);
    struct walk walk = {
        .sdg = sdg,
        .program = sdg->program,
        .function = function,
        .nodes = &sdg->impl->functions[function],
        .flow = flow,
        .parts = parts_of(sdg->parts, function),
    };
    walk.is_written = mem_zalloc(walk.parts.count + 1, sizeof *walk.is_written);
    walk.definitions = definitions_new(sdg, flow, walk.nodes->formal_in);
    add_blocks(&walk);
    /* A block is sealed once its last predecessor in order was visited. */
    uint32_t *waits = mem_zalloc(flow->count + 1, sizeof *waits);
    bool *is_reached = mem_zalloc(flow->count + 1, sizeof *is_reached);
    for (uint32_t i = 0; i < flow->order_count; i++)
        is_reached[flow->order[i]] = true;
    for (uint32_t b = 0; b < flow->count; b++)
        for (uint32_t k = flow->predecessors.start[b]; k < flow->predecessors.start[b + 1]; k++)
            waits[b] += is_reached[flow->predecessors.to[k]];
    for (uint32_t b = 0; b < flow->count; b++)
        if (!waits[b])
            definitions_seal(walk.definitions, b);
    for (uint32_t i = 0; i < flow->order_count; i++) {
        walk.block = flow->order[i];
        struct range piece = flow->instructions[walk.block];
        begin_node(&walk);
        for (uint32_t k = 0; k < piece.count; k++) {
            add_probes(&walk, piece.first + k, false);
            add_instruction(&walk, piece.first + k);
            add_probes(&walk, piece.first + k, true);
        }
        for (uint32_t k = flow->successors.start[walk.block];
             k < flow->successors.start[walk.block + 1]; k++)
            if (--waits[flow->successors.to[k]] == 0 && flow->successors.to[k] != flow->count)
                definitions_seal(walk.definitions, flow->successors.to[k]);
    }
    /* What was never written in the end is no formal out for callers to come. */
    for (uint32_t p = 0; p < walk.parts.count; p++)
        if (!walk.is_written[p] && !sdg->graph->is_recursive[sdg->graph->component[function]])
            walk.nodes->formal_out[p] = NO_ID;
    free(waits);
    free(is_reached);
    free(walk.blocks);
    free(walk.is_written);
    VEC_DEINIT(&walk.uses);
    VEC_DEINIT(&walk.copies);
    definitions_free(walk.definitions);
    flow_free(flow);
}
