/*
 * recut dump as text.
 *
 *     f3 push (ptr %v12, i32 %v13) -> ptr   a.c:21  frame 32
 *       b5 <- b4
 *         i23   %v45 = load ptr %v44  8 bytes           a.c:22:4
 *         i24 ~ store %v45 -> @__recut_self  8 bytes    (~ is recut's own)
 *         i25   br %v46 -> b6 b7
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/dump.h"

static void print_text(FILE *out, char *text) {
    fputs(text ? text : "", out);
    free(text);
}

static void print_place(const struct program *program, FILE *out, file_id file, uint32_t line) {
    if (file == NO_ID)
        fputs("-", out);
    else
        fprintf(out, "%s:%u", program->files.data[file].name, line);
}

static const char *function_state(const struct function *function) {
    if (function->flags & FUNCTION_INTRINSIC)
        return "intrinsic";
    if (!(function->flags & FUNCTION_DEFINED))
        return function->flags & FUNCTION_RUNTIME ? "runtime" : "external";
    return function->left_out                   ? "left-out"
           : function->flags & FUNCTION_VISIBLE ? "visible"
                                                : "local";
}

static void print_function_line(const struct program *program, FILE *out, function_id id) {
    const struct function *function = &program->functions.data[id];
    fprintf(out, "f%-5u %-9s ", id, function_state(function));
    if (function->flags & FUNCTION_DEFINED)
        fprintf(out, "%5u blocks %6u instructions %6llu frame  ", function->blocks.count,
                function->instructions.count, (unsigned long long)function->frame_size);
    fputs(function->name, out);
    if (strcmp(function->name, function->source_name) != 0)
        fprintf(out, " (%s)", function->source_name);
    if (function->file != NO_ID) {
        fputs("  ", out);
        print_place(program, out, function->file, function->line);
    }
    if (function->left_out)
        fprintf(out, "  left out: %s", function->left_out);
    if (function->copy_of != NO_ID)
        fprintf(out, "  copy of f%u", function->copy_of);
    fputc('\n', out);
}

static void print_header(const struct program *program, FILE *out, function_id id) {
    const struct function *function = &program->functions.data[id];
    const struct type *type = &program->types.data[function->type];
    fprintf(out, "f%u %s (", id, function->name);
    for (uint32_t i = 0; i < function->arguments.count; i++) {
        fputs(i ? ", " : "", out);
        print_text(out, program_type_text(
                            program, program->values.data[function->arguments.first + i].type));
        fprintf(out, " %%v%u", function->arguments.first + i);
    }
    if (function->flags & FUNCTION_VARIADIC)
        fputs(function->arguments.count ? ", ..." : "...", out);
    fputs(") -> ", out);
    print_text(out, program_type_text(program, type->element));
    if (function->file != NO_ID) {
        fputs("  ", out);
        print_place(program, out, function->file, function->line);
    }
    if (function->frame_base != NO_ID)
        fprintf(out, "  frame %llu", (unsigned long long)function->frame_size);
    if (function->left_out)
        fprintf(out, "  left out: %s", function->left_out);
    fputc('\n', out);
}

static void print_edges(const struct program *program, FILE *out, struct range edges) {
    for (uint32_t i = 0; i < edges.count; i++)
        fprintf(out, " b%u", program->edges.data[edges.first + i]);
}

static void print_block_line(const struct program *program, FILE *out, block_id id) {
    const struct block *block = &program->blocks.data[id];
    fprintf(out, "  b%u%s", id, block->synthetic ? " ~" : "");
    if (block->predecessors.count) {
        fputs(" <-", out);
        print_edges(program, out, block->predecessors);
    }
}

static void print_operand(const struct program *program, FILE *out,
                          const struct instruction *instruction, uint32_t index) {
    print_text(out, program_value_text(
                        program, program->operands.data[instruction->operands.first + index]));
}

static void print_operands(const struct program *program, FILE *out,
                           const struct instruction *instruction, uint32_t from) {
    for (uint32_t i = from; i < instruction->operands.count; i++) {
        fputs(i > from ? ", " : "", out);
        print_operand(program, out, instruction, i);
    }
}

static void print_gep(const struct program *program, FILE *out,
                      const struct instruction *instruction) {
    print_operand(program, out, instruction, 0);
    for (uint32_t i = 0; i < instruction->steps.count; i++) {
        const struct step *step = &program->steps.data[instruction->steps.first + i];
        if (step->is_constant)
            continue;
        fputs(" + ", out);
        print_text(out, program_value_text(program, step->index));
        fprintf(out, "*%llu", (unsigned long long)step->stride);
    }
    if (instruction->offset || instruction->flags & INSTRUCTION_CONSTANT_OFFSET)
        fprintf(out, " + %lld", (long long)instruction->offset);
    char *path = program_gep_text(program, instruction);
    if (path)
        fprintf(out, "  (%s)", path);
    free(path);
}

static void print_phi(const struct program *program, FILE *out,
                      const struct instruction *instruction) {
    for (uint32_t i = 0; i < instruction->operands.count; i++) {
        fprintf(out, "%sb%u: ", i ? ", " : "", program->edges.data[instruction->blocks.first + i]);
        print_operand(program, out, instruction, i);
    }
}

static void print_details(const struct program *program, FILE *out,
                          const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_GEP:
        print_gep(program, out, instruction);
        break;
    case OP_PHI:
        print_phi(program, out, instruction);
        break;
    case OP_STORE:
        print_operand(program, out, instruction, 0);
        fputs(" -> ", out);
        print_operand(program, out, instruction, 1);
        break;
    case OP_CALL:
    case OP_INVOKE:
    case OP_CALL_BRANCH:
        print_text(out, program_value_text(program, instruction->called));
        fputs("(", out);
        print_operands(program, out, instruction, 0);
        fputs(")", out);
        break;
    default:
        print_operands(program, out, instruction, 0);
    }
}

static void print_access(FILE *out, const struct instruction *instruction) {
    static const struct {
        uint32_t flag;
        const char *word;
    } words[] = {
        {INSTRUCTION_VOLATILE, "volatile"},           {INSTRUCTION_ATOMIC, "atomic"},
        {INSTRUCTION_INDIRECT, "indirect"},           {INSTRUCTION_NO_RETURN, "noreturn"},
        {INSTRUCTION_RETURNS_TWICE, "returns twice"},
    };
    if (instruction->flags & (INSTRUCTION_READS | INSTRUCTION_WRITES)) {
        if (instruction->access_size)
            fprintf(out, "  %llu bytes", (unsigned long long)instruction->access_size);
        else
            fputs("  ? bytes", out);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (instruction->flags & words[i].flag)
            fprintf(out, "  %s", words[i].word);
}

static void print_instruction(const struct program *program, FILE *out, instruction_id id) {
    const struct instruction *instruction = &program->instructions.data[id];
    char *line;
    size_t size;
    FILE *text = open_memstream(&line, &size);
    if (instruction->result != NO_ID)
        fprintf(text, "%%v%u = ", instruction->result);
    fputs(opcode_name(instruction->opcode), text);
    const char *predicate = instruction_predicate_name(instruction);
    if (*predicate)
        fprintf(text, " %s", predicate);
    if (instruction->result != NO_ID) {
        fputc(' ', text);
        print_text(text, program_type_text(program, instruction->type));
    }
    if (instruction->operands.count || instruction->flags & INSTRUCTION_CALL)
        fputc(' ', text);
    print_details(program, text, instruction);
    print_access(text, instruction);
    if (instruction->flags & INSTRUCTION_TERMINATOR &&
        program->blocks.data[instruction->block].successors.count) {
        fputs(" ->", text);
        print_edges(program, text, program->blocks.data[instruction->block].successors);
    }
    if (instruction->object != NO_ID) {
        const struct memory *memory = &program->memory.data[instruction->object];
        fprintf(text, "  [m%u %s%s%s]", instruction->object, memory_kind_name(memory->kind),
                memory->name ? " " : "", memory->name ? memory->name : "");
    }
    if (instruction->result != NO_ID && program->values.data[instruction->result].variable != NO_ID)
        fprintf(text, "  is %s",
                program->variables.data[program->values.data[instruction->result].variable].name);
    fclose(text);
    char *place = dump_location_text(program, instruction->location);
    fprintf(out, "    i%-6u%s %-*s%s%s\n", id,
            instruction->flags & INSTRUCTION_SYNTHETIC ? "~" : " ", *place ? 60 : 0, line,
            *place ? "  " : "", place);
    free(place);
    free(line);
}

static void print_slots(const struct program *program, FILE *out, const struct function *function) {
    for (uint32_t i = 0; i < function->slots.count; i++) {
        const struct memory *slot = &program->memory.data[function->slots.first + i];
        fprintf(out, "  m%u +%lld %llu bytes%s%s\n", function->slots.first + i,
                (long long)slot->offset, (unsigned long long)slot->size, slot->name ? "  " : "",
                slot->name ? slot->name : "");
    }
}

static void print_function(const struct program *program, const struct dump_options *options,
                           FILE *out, function_id id) {
    const struct function *function = &program->functions.data[id];
    if (options->what == DUMP_FUNCTIONS) {
        print_function_line(program, out, id);
        return;
    }
    print_header(program, out, id);
    if (options->what == DUMP_IR)
        print_slots(program, out, function);
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        block_id block = function->blocks.first + b;
        struct range instructions = program->blocks.data[block].instructions;
        print_block_line(program, out, block);
        if (options->what == DUMP_CFG) {
            fprintf(out, "  %u instructions", instructions.count);
            if (program->blocks.data[block].successors.count) {
                fputs(" ->", out);
                print_edges(program, out, program->blocks.data[block].successors);
            }
            fputc('\n', out);
            continue;
        }
        fputc('\n', out);
        for (uint32_t i = 0; i < instructions.count; i++)
            print_instruction(program, out, instructions.first + i);
    }
    fputc('\n', out);
}

static void print_memory(const struct program *program, const struct dump_options *options,
                         FILE *out) {
    for (uint32_t i = 0; i < program->memory.count; i++) {
        const struct memory *memory = &program->memory.data[i];
        if (options->function &&
            (memory->function == NO_ID || !dump_wants(program, options, memory->function)))
            continue;
        fprintf(out, "m%-5u %-12s ", i, memory_kind_name(memory->kind));
        if (memory->size)
            fprintf(out, "%8llu bytes", (unsigned long long)memory->size);
        else
            fputs("       ? bytes", out);
        fprintf(out, "%s", memory->flags & MEMORY_SIZE_EXACT || !memory->size ? "  " : "? ");
        if (memory->name)
            fprintf(out, " %s", memory->name);
        if (memory->function != NO_ID)
            fprintf(out, " in %s", program->functions.data[memory->function].name);
        if (memory->kind == MEMORY_SLOT || memory->kind == MEMORY_THREAD_LOCAL)
            fprintf(out, " at +%lld", (long long)memory->offset);
        if (memory->site != NO_ID)
            fprintf(out, " i%u", memory->site);
        if (memory->flags & MEMORY_CONSTANT)
            fputs(" constant", out);
        if (memory->flags & MEMORY_EXTERNAL)
            fputs(" external", out);
        if (memory->flags & MEMORY_NATIVE_THREAD_LOCAL)
            fputs(" thread-local", out);
        if (memory->pointers.count)
            fprintf(out, " %u pointers", memory->pointers.count);
        if (memory->initial != NO_ID) {
            fputs(" = ", out);
            print_text(out, program_value_text(program, memory->initial));
        }
        fputc('\n', out);
    }
}

static void print_variable_place(const struct program *program, FILE *out,
                                 const struct place *place) {
    switch (place->kind) {
    case PLACE_VALUE:
        print_text(out, program_value_text(program, place->value));
        break;
    case PLACE_MEMORY:
        fputs("at ", out);
        print_text(out, program_value_text(program, place->value));
        break;
    case PLACE_OBJECT:
        fprintf(out, "in m%u", place->memory);
        break;
    case PLACE_DERIVED:
        fputs("derived", out);
        break;
    default:
        fputs("gone", out);
    }
    if (place->offset)
        fprintf(out, " + %lld", (long long)place->offset);
    if (place->fragment_bits)
        fprintf(out, " bits %u..%u", place->fragment_offset,
                place->fragment_offset + place->fragment_bits - 1);
}

static void print_variables(const struct program *program, const struct dump_options *options,
                            FILE *out) {
    for (uint32_t i = 0; i < program->variables.count; i++) {
        const struct variable *variable = &program->variables.data[i];
        const struct scope *scope =
            variable->scope == NO_ID ? NULL : &program->scopes.data[variable->scope];
        function_id function = scope ? scope->function : NO_ID;
        if (options->function && (function == NO_ID || !dump_wants(program, options, function)))
            continue;
        while (scope && scope->kind == SCOPE_BLOCK)
            scope = &program->scopes.data[scope->parent];
        fprintf(out, "s%-5u %s : ", i, variable->name);
        print_text(out, program_source_type_text(program, variable->type));
        fputs("  ", out);
        print_place(program, out, variable->file, variable->line);
        if (scope)
            fprintf(out, "  %s", scope->name ? scope->name : "?");
        if (variable->argument)
            fprintf(out, "  parameter %u", variable->argument);
        if (variable->memory != NO_ID)
            fprintf(out, "  in m%u", variable->memory);
        else if (!variable->places.count)
            fputs("  optimised away", out);
        fputc('\n', out);
        for (uint32_t n = 0; n < variable->places.count && variable->memory == NO_ID; n++) {
            const struct place *place = &program->places.data[variable->places.first + n];
            fprintf(out, "         from i%-6u ", place->instruction);
            print_variable_place(program, out, place);
            if (place->inlined_at != NO_ID) {
                fputs("  inlined at ", out);
                print_text(out, dump_location_text(program, place->inlined_at));
            }
            fputc('\n', out);
        }
    }
}

static void print_types(const struct program *program, FILE *out) {
    for (uint32_t i = 0; i < program->source_types.count; i++) {
        const struct source_type *type = &program->source_types.data[i];
        fprintf(out, "t%-5u %-8s %6llu bytes  ", i, source_type_kind_name(type->kind),
                (unsigned long long)type->size);
        print_text(out, program_source_type_text(program, i));
        fputs(type->incomplete ? "  incomplete\n" : "\n", out);
        if (type->kind == SOURCE_FUNCTION)
            continue;
        for (uint32_t n = 0; n < type->fields.count; n++) {
            const struct field *field = &program->fields.data[type->fields.first + n];
            if (type->kind == SOURCE_ENUM) {
                fprintf(out, "         %s = %lld\n", field->name, (long long)field->number);
                continue;
            }
            fprintf(out, "         +%-4llu ", (unsigned long long)field->bit_offset / 8);
            if (field->is_bit_field)
                fprintf(out, "bit %llu, %llu bits ", (unsigned long long)field->bit_offset % 8,
                        (unsigned long long)field->bit_size);
            fprintf(out, "%s : ", field->name ? field->name : "(unnamed)");
            print_text(out, program_source_type_text(program, field->type));
            fputc('\n', out);
        }
    }
}

void dump_text(const struct program *program, const struct dump_options *options, FILE *out) {
    switch (options->what) {
    case DUMP_MEMORY:
        print_memory(program, options, out);
        break;
    case DUMP_VARIABLES:
        print_variables(program, options, out);
        break;
    case DUMP_TYPES:
        print_types(program, out);
        break;
    default:
        for (uint32_t i = 0; i < program->functions.count; i++)
            if (dump_wants(program, options, i))
                print_function(program, options, out, i);
    }
}

void dump_dot(const struct program *program, const struct dump_options *options, FILE *out) {
    fputs("digraph cfg {\n  node [shape=box, fontname=monospace];\n", out);
    for (uint32_t f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        if (!dump_wants(program, options, f) || !function->blocks.count)
            continue;
        fprintf(out, "  subgraph cluster_f%u {\n    label=\"%s\";\n", f, function->name);
        for (uint32_t n = 0; n < function->blocks.count; n++) {
            block_id b = function->blocks.first + n;
            const struct block *block = &program->blocks.data[b];
            const struct instruction *first =
                &program->instructions.data[block->instructions.first];
            char *place = dump_location_text(program, first->location);
            fprintf(out, "    b%u [label=\"b%u\\n%s\"%s];\n", b, b, place,
                    block->synthetic ? ", style=dashed" : "");
            free(place);
            for (uint32_t i = 0; i < block->successors.count; i++)
                fprintf(out, "    b%u -> b%u;\n", b,
                        program->edges.data[block->successors.first + i]);
        }
        fputs("  }\n", out);
    }
    fputs("}\n", out);
}
