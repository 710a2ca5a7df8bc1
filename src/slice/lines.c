/*
 * From nodes of a slice to lines; lines.h.
 */
#include "slice/lines.h"

#include <stdlib.h>
#include <string.h>

/* Gets all lines of a slice, in the order of the nodes that bring them in. */
struct taker {
    void (*take)(void *data, struct slice_line line);
    void *data;
};

static void add(const struct taker *taker, const struct program *program, location_id location,
                node_id node) {
    for (; location != NO_ID; location = program->locations.data[location].inlined_at) {
        const struct location *at = &program->locations.data[location];
        if (at->file != NO_ID && at->line)
            taker->take(taker->data, (struct slice_line){at->file, at->line, node});
    }
}

/* The slot that a function's result waits in, if all that a block does is to return it. */
static value_id result_slot(const struct program *program, block_id id) {
    struct range range = program->blocks.data[id].instructions;
    value_id slot = NO_ID;
    if (program->instructions.data[range.first + range.count - 1].opcode != OP_RETURN)
        return NO_ID;
    for (uint32_t i = 0; i + 1 < range.count; i++) {
        const struct instruction *at = &program->instructions.data[range.first + i];
        if (at->flags & INSTRUCTION_SYNTHETIC)
            continue;
        if (at->opcode != OP_LOAD || slot != NO_ID)
            return NO_ID;
        slot = at->read_at;
    }
    return slot;
}

/* Is there another instruction of the block at the very place?  Then a branch there is
 * only the end of a statement, and no jump; but `return` also stores what it returns. */
static bool has_company(const struct program *program, const struct instruction *branch) {
    if (branch->location == NO_ID)
        return true;
    const struct location *at = &program->locations.data[branch->location];
    const struct block *block = &program->blocks.data[branch->block];
    value_id slot = result_slot(program, program->edges.data[block->successors.first]);
    for (uint32_t i = 0; i + 1 < block->instructions.count; i++) {
        const struct instruction *other =
            &program->instructions.data[block->instructions.first + i];
        bool is_result = other->opcode == OP_STORE && slot != NO_ID && other->written_at == slot;
        if (!is_result && other->location != NO_ID &&
            program->locations.data[other->location].line == at->line &&
            program->locations.data[other->location].column == at->column)
            return true;
    }
    return false;
}

/* Does an unconditional branch go elsewhere than to the next block?  clang writes blocks in
 * the order of the source. */
static bool is_jump(const struct program *program, const struct instruction *branch) {
    const struct block *block = &program->blocks.data[branch->block];
    return branch->opcode == OP_BRANCH && !branch->operands.count &&
           program->edges.data[block->successors.first] != branch->block + 1 &&
           !has_company(program, branch);
}

/* A call that ends the program, or never comes back: what follows depends on its not
 * being reached. */
static bool is_end(const struct program *program, instruction_id id) {
    return program->instructions.data[id].flags & INSTRUCTION_NO_RETURN;
}

/* Is a branch that decides about the block of this node in the slice? */
static bool is_decided(const struct sdg *sdg, const bool *in, node_id node) {
    for (uint64_t i = sdg->in.start[node]; i < sdg->in.start[node + 1]; i++) {
        node_id block = sdg->in.edges[i].node;
        if (sdg->nodes.data[block].kind != NODE_BLOCK)
            continue;
        for (uint64_t k = sdg->in.start[block]; k < sdg->in.start[block + 1]; k++) {
            node_id by = sdg->in.edges[k].node;
            if (sdg->nodes.data[by].kind == NODE_INSTRUCTION && in[by])
                return true;
        }
    }
    return false;
}

/* By function: is it entered by such a call, so that its own are why that does not return?  NULL
 * if there is none; the caller frees. */
static bool *find_ending(const struct sdg *sdg, const bool *in) {
    const struct program *program = sdg->program;
    bool *ending = NULL;
    for (bool changed = true; changed;) {
        changed = false;
        for (instruction_id i = 0; i < program->instructions.count; i++) {
            function_id callee = is_end(program, i) ? program->instructions.data[i].callee : NO_ID;
            if (callee == NO_ID || !(program->functions.data[callee].flags & FUNCTION_DEFINED) ||
                (ending && ending[callee]) ||
                !(in[i] || is_decided(sdg, in, i) ||
                  (ending && ending[program_function_of(program, i)])))
                continue;
            if (!ending)
                ending = mem_zalloc(program->functions.count + 1, sizeof *ending);
            ending[callee] = changed = true;
        }
    }
    return ending;
}

static void add_variable(const struct taker *taker, const struct program *program, memory_id memory,
                         node_id node) {
    variable_id variable = program->memory.data[memory].variable;
    if (variable == NO_ID)
        return;
    const struct variable *of = &program->variables.data[variable];
    if (of->file != NO_ID && of->line)
        taker->take(taker->data, (struct slice_line){of->file, of->line, node});
}

bool slice_line_of(const struct sdg *sdg, node_id node, file_id *ret_file, uint32_t *ret_line) {
    const struct sdg_node *at = &sdg->nodes.data[node];
    if (at->kind != NODE_INSTRUCTION && at->kind != NODE_ACTUAL_IN && at->kind != NODE_ACTUAL_OUT &&
        at->kind != NODE_PROBE && at->kind != NODE_COPY)
        return false;
    location_id location = sdg->program->instructions.data[at->of].location;
    if (location == NO_ID || sdg->program->locations.data[location].file == NO_ID ||
        !sdg->program->locations.data[location].line)
        return false;
    *ret_file = sdg->program->locations.data[location].file;
    *ret_line = sdg->program->locations.data[location].line;
    return true;
}

static void visit(const struct sdg *sdg, const bool *in, const struct taker *taker) {
    const struct program *program = sdg->program;
    bool *ending = find_ending(sdg, in);
    for (node_id n = 0; n < sdg->nodes.count; n++) {
        const struct sdg_node *node = &sdg->nodes.data[n];
        bool is_in = in[n];
        switch (node->kind) {
        case NODE_INSTRUCTION: {
            const struct instruction *instruction = &program->instructions.data[n];
            if (instruction->flags & INSTRUCTION_SYNTHETIC)
                break;
            bool ends = is_end(program, n), leaves = ends || is_jump(program, instruction);
            if (is_in || (leaves && is_decided(sdg, in, n)) ||
                (ends && ending && ending[node->function]))
                add(taker, program, instruction->location, n);
            break;
        }
        case NODE_ACTUAL_IN:
        case NODE_ACTUAL_OUT:
        case NODE_PROBE:
        case NODE_COPY:
            if (is_in)
                add(taker, program, program->instructions.data[node->of].location, n);
            break;
        default:
            break;
        }
        for (uint32_t i = sdg->initial.start[n]; is_in && i < sdg->initial.start[n + 1]; i++)
            add_variable(taker, program, sdg->initial.list[i], n);
    }
    free(ending);
}

static int compare(const void *a, const void *b) {
    const struct slice_line *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static void take_all(void *data, struct slice_line line) {
    slice_lines *lines = data;
    VEC_PUSH(lines, line);
}

void slice_find_line_nodes(const struct sdg *sdg, const bool *in, slice_lines *ret) {
    ret->count = 0;
    visit(sdg, in, &(struct taker){take_all, ret});
    if (ret->count)
        qsort(ret->data, ret->count, sizeof *ret->data, compare);
}

/* By file and line, the first node that brings it in, plus one: a large slice has a hundred
 * nodes for each line, too many to sort. */
struct first_nodes {
    VEC(node_id) *files;
};

static void take_first(void *data, struct slice_line line) {
    struct first_nodes *first = data;
    while (first->files[line.file].count <= line.line)
        VEC_PUSH(&first->files[line.file], 0);
    node_id *node = &first->files[line.file].data[line.line];
    if (!*node)
        *node = line.node + 1;
}

void slice_find_lines(const struct sdg *sdg, const bool *in, slice_lines *ret) {
    size_t count = sdg->program->files.count;
    struct first_nodes first = {mem_zalloc(count + 1, sizeof *first.files)};
    ret->count = 0;
    visit(sdg, in, &(struct taker){take_first, &first});
    for (file_id file = 0; file < count; file++) {
        for (uint32_t line = 0; line < first.files[file].count; line++)
            if (first.files[file].data[line])
                VEC_PUSH(ret, (struct slice_line){file, line, first.files[file].data[line] - 1});
        VEC_DEINIT(&first.files[file]);
    }
    free(first.files);
}
