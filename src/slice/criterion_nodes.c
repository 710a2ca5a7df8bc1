/*
 * What a criterion is: which accesses, in which copies of functions, and which nodes of a
 * dependence graph; criterion.h.
 */
#include <string.h>

#include "program/copies.h"
#include "slice/criterion.h"
#include "slice/criterion_field.h"

/* Does it load a variable, or store to it, and all of it? */
static bool moves_all(const struct program *program, instruction_id id, memory_id memory) {
    const struct instruction *access = &program->instructions.data[id];
    int64_t offset;
    bool is_load = access->opcode == OP_LOAD;
    return (is_load || access->opcode == OP_STORE) &&
           criterion_leads_into(program, is_load ? access->read_at : access->written_at, memory,
                                &offset) &&
           offset == 0 && access->access_size == program->memory.data[memory].size;
}

/* Does it write to a variable, or is it a call that may, since it is given its address? */
static bool may_change(const struct program *program, instruction_id id, memory_id memory) {
    const struct instruction *at = &program->instructions.data[id];
    int64_t offset;
    if (criterion_leads_into(program, at->written_at, memory, &offset))
        return true;
    for (uint32_t i = 0; at->flags & INSTRUCTION_CALL && i < at->operands.count; i++)
        if (criterion_leads_into(program, program->operands.data[at->operands.first + i], memory,
                                 &offset))
            return true;
    return false;
}

void criterion_prefer_accesses(const struct program *program, struct criterion *criterion) {
    size_t kept = 0, given = criterion->probes.count;
    for (size_t i = 0; i < given; i++) {
        struct sdg_probe probe = criterion->probes.data[i];
        function_id function = program_function_of(program, probe.instruction);
        memory_id memory = program->variables.data[probe.variable].memory;
        const struct location *at =
            &program->locations.data[program->instructions.data[probe.instruction].location];
        struct range line = program_find_line(program, at->file, at->line);
        bool is_accessed = false;
        for (uint32_t k = 0; k < line.count; k++) {
            instruction_id id = program->line_instructions.data[line.first + k];
            if (!criterion_has_code(program, id) || program_function_of(program, id) != function)
                continue;
            bool all = moves_all(program, id, memory), some = may_change(program, id, memory);
            if (all)
                VEC_PUSH(&criterion->instructions, id);
            else if (some)
                VEC_PUSH(&criterion->probes,
                         (struct sdg_probe){id, probe.variable, .is_behind = true});
            is_accessed |= all || some;
        }
        if (!is_accessed)
            VEC_PUSH(&criterion->probes, probe);
    }
    for (size_t i = given; i < criterion->probes.count; i++)
        criterion->probes.data[kept++] = criterion->probes.data[i];
    criterion->probes.count = kept;
}

/* The same in one copy of a function. */
static void add_copy(const struct program *program, function_id copy, const size_t given[4],
                     struct criterion *criterion) {
    function_id original = program->functions.data[copy].copy_of;
    for (size_t i = 0; i < given[0]; i++) {
        instruction_id id = criterion->instructions.data[i];
        if (program_function_of(program, id) == original)
            VEC_PUSH(&criterion->instructions, copies_instruction(program, copy, id));
    }
    for (size_t i = 0; i < given[1]; i++) {
        struct sdg_probe probe = criterion->probes.data[i];
        if (program_function_of(program, probe.instruction) != original)
            continue;
        probe.instruction = copies_instruction(program, copy, probe.instruction);
        probe.variable = copies_variable(program, copy, probe.variable);
        VEC_PUSH(&criterion->probes, probe);
    }
    for (size_t i = 0; i < given[2]; i++)
        if (criterion->returns.data[i] == original)
            VEC_PUSH(&criterion->returns, copy);
    for (size_t i = 0; i < given[3]; i++) {
        struct criterion_argument argument = criterion->arguments.data[i];
        const struct value *value = &program->values.data[argument.value];
        if (value->definition != original)
            continue;
        argument.value = program->functions.data[copy].arguments.first + (uint32_t)value->number;
        VEC_PUSH(&criterion->arguments, argument);
    }
}

void criterion_add_copies(const struct program *program, struct criterion *criterion) {
    size_t given[] = {criterion->instructions.count, criterion->probes.count,
                      criterion->returns.count, criterion->arguments.count};
    for (function_id f = 0; f < program->functions.count; f++)
        if (program->functions.data[f].copy_of != NO_ID)
            add_copy(program, f, given, criterion);
}

/* Does an instruction read or write memory of a variable? */
static bool touches(const struct sdg *sdg, instruction_id id, memory_id memory) {
    const struct instruction *at = &sdg->program->instructions.data[id];
    uint32_t object = pta_object_of_memory(sdg->pta, memory);
    return object != NO_ID &&
           ((at->read_at != NO_ID && pta_may_point_to(sdg->pta, at->read_at, object)) ||
            (at->written_at != NO_ID && pta_may_point_to(sdg->pta, at->written_at, object)));
}

/* What begins to flow from a variable on a line: what the line reads and writes of it; if
 * that is nothing, what it held there. */
static void add_beginnings(const struct sdg *sdg, const struct sdg_probe *probe, node_id node,
                           node_vec *ret) {
    const struct program *program = sdg->program;
    location_id location = program->instructions.data[probe->instruction].location;
    const struct location *at = &program->locations.data[location];
    memory_id memory = program->variables.data[probe->variable].memory;
    struct range line = program_find_line(program, at->file, at->line);
    size_t before = ret->count;
    for (uint32_t i = 0; memory != NO_ID && i < line.count; i++) {
        instruction_id id = program->line_instructions.data[line.first + i];
        if (criterion_has_code(program, id) && touches(sdg, id, memory))
            VEC_PUSH(ret, id);
    }
    for (uint64_t i = sdg->in.start[node]; ret->count == before && i < sdg->in.start[node + 1]; i++)
        if (sdg->in.edges[i].kind == EDGE_DATA)
            VEC_PUSH(ret, sdg->in.edges[i].node);
}

/* An instruction, and what it passes if it is a call, or the parts if it copies a struct: that is
 * part of its line. */
static void add_instruction(const struct sdg *sdg, instruction_id id, node_vec *ret) {
    VEC_PUSH(ret, id);
    for (uint64_t e = sdg->out.start[id]; e < sdg->out.start[id + 1]; e++) {
        node_id to = sdg->out.edges[e].node;
        bool is_part =
            sdg->nodes.data[to].kind == NODE_ACTUAL_IN || sdg->nodes.data[to].kind == NODE_COPY;
        if (is_part && sdg->nodes.data[to].of == id)
            VEC_PUSH(ret, to);
    }
}

void criterion_add_lines(const struct criterion *criterion, const struct sdg *sdg, const bool *in,
                         slice_lines *lines) {
    for (size_t i = 0; i < criterion->arguments.count; i++) {
        const struct variable *parameter =
            &sdg->program->variables.data[criterion->arguments.data[i].parameter];
        node_id node = sdg_node_of_value(sdg, criterion->arguments.data[i].value);
        struct slice_line line = {parameter->file, parameter->line, node};
        size_t at = 0;
        while (at < lines->count &&
               (lines->data[at].file < line.file ||
                (lines->data[at].file == line.file && lines->data[at].line < line.line)))
            at++;
        if (node == NO_ID || !in[node] || line.file == NO_ID || !line.line ||
            (at < lines->count && lines->data[at].file == line.file &&
             lines->data[at].line == line.line))
            continue;
        VEC_PUSH(lines, line);
        memmove(lines->data + at + 1, lines->data + at, (lines->count - 1 - at) * sizeof line);
        lines->data[at] = line;
    }
}

void criterion_nodes(const struct criterion *criterion, const struct sdg *sdg, uint32_t first_probe,
                     bool forward, node_vec *ret) {
    for (size_t i = 0; i < criterion->instructions.count; i++)
        add_instruction(sdg, criterion->instructions.data[i], ret);
    for (size_t i = 0; i < criterion->probes.count; i++) {
        node_id node = sdg->probes[first_probe + i];
        if (node != NO_ID && forward)
            add_beginnings(sdg, &criterion->probes.data[i], node, ret);
        else if (node != NO_ID)
            VEC_PUSH(ret, node);
    }
    for (size_t i = 0; i < criterion->returns.count; i++)
        VEC_PUSH(ret, sdg->results[criterion->returns.data[i]]);
    for (size_t i = 0; i < criterion->arguments.count; i++)
        VEC_PUSH(ret, sdg_node_of_value(sdg, criterion->arguments.data[i].value));
}
