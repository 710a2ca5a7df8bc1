/*
 * recut dump as JSON; docs/formats.md describes it.
 *
 * One function, variable or other thing at a time, so that memory stays small;
 * the array around them is written by hand.
 */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/hex.h"
#include "cmd/dump.h"

/* 64-bit numbers do not all fit the doubles that cJSON keeps. */
static void add_number(cJSON *object, const char *name, int64_t number) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, number);
    cJSON_AddRawToObject(object, name, text);
}

static void add_text(cJSON *object, const char *name, char *text) {
    if (text)
        cJSON_AddStringToObject(object, name, text);
    free(text);
}

static void add_string(cJSON *object, const char *name, const char *text) {
    if (text)
        cJSON_AddStringToObject(object, name, text);
}

static void add_id(cJSON *object, const char *name, uint32_t id) {
    if (id != NO_ID)
        add_number(object, name, id);
}

static void add_ids(cJSON *object, const char *name, const uint32_t *ids, struct range range) {
    cJSON *array = cJSON_AddArrayToObject(object, name);
    for (uint32_t i = 0; i < range.count; i++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber(ids[range.first + i]));
}

struct flag_name {
    uint32_t flag;
    const char *name;
};

static void add_flags(cJSON *object, uint32_t flags, const struct flag_name *names, size_t count) {
    cJSON *array = cJSON_AddArrayToObject(object, "flags");
    for (size_t i = 0; i < count; i++)
        if (flags & names[i].flag)
            cJSON_AddItemToArray(array, cJSON_CreateString(names[i].name));
}
#define ADD_FLAGS(object, flags, names)                                                            \
    add_flags(object, flags, names, sizeof names / sizeof *names)

static void add_place(const struct program *program, cJSON *object, file_id file, uint32_t line) {
    if (file == NO_ID)
        return;
    cJSON_AddStringToObject(object, "file", program->files.data[file].path);
    add_number(object, "line", line);
}

/* The innermost place first. */
static void add_locations(const struct program *program, cJSON *object, location_id id) {
    if (id == NO_ID)
        return;
    cJSON *array = cJSON_AddArrayToObject(object, "source");
    for (; id != NO_ID; id = program->locations.data[id].inlined_at) {
        const struct location *location = &program->locations.data[id];
        const struct scope *scope = &program->scopes.data[location->scope];
        while (scope->kind == SCOPE_BLOCK)
            scope = &program->scopes.data[scope->parent];
        cJSON *entry = cJSON_CreateObject();
        add_place(program, entry, location->file, location->line);
        add_number(entry, "column", location->column);
        add_string(entry, "function", scope->name);
        cJSON_AddItemToArray(array, entry);
    }
}

static cJSON *value_json(const struct program *program, value_id id) {
    cJSON *object = cJSON_CreateObject();
    add_number(object, "value", id);
    cJSON_AddStringToObject(object, "kind", value_kind_name(program->values.data[id].kind));
    add_text(object, "type", program_type_text(program, program->values.data[id].type));
    add_text(object, "text", program_value_text(program, id));
    return object;
}

static void add_details(const struct program *program, cJSON *object,
                        const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_CALL:
    case OP_INVOKE:
    case OP_CALL_BRANCH:
        cJSON_AddItemToObject(object, "called", value_json(program, instruction->called));
        add_id(object, "callee", instruction->callee);
        if (instruction->intrinsic)
            cJSON_AddStringToObject(object, "intrinsic", intrinsic_name(instruction->intrinsic));
        break;
    case OP_GEP:
        add_number(object, "offset", instruction->offset);
        cJSON_AddBoolToObject(object, "constant_offset",
                              (instruction->flags & INSTRUCTION_CONSTANT_OFFSET) != 0);
        add_text(object, "path", program_gep_text(program, instruction));
        break;
    case OP_PHI:
        add_ids(object, "from", program->edges.data, instruction->blocks);
        break;
    default:
        break;
    }
}

static cJSON *instruction_json(const struct program *program, instruction_id id) {
    static const struct flag_name flags[] = {
        {INSTRUCTION_VOLATILE, "volatile"},   {INSTRUCTION_ATOMIC, "atomic"},
        {INSTRUCTION_INDIRECT, "indirect"},   {INSTRUCTION_SYNTHETIC, "synthetic"},
        {INSTRUCTION_NO_RETURN, "no-return"}, {INSTRUCTION_RETURNS_TWICE, "returns-twice"},
        {INSTRUCTION_TAIL, "tail"},
    };
    const struct instruction *instruction = &program->instructions.data[id];
    cJSON *object = cJSON_CreateObject();
    add_number(object, "id", id);
    cJSON_AddStringToObject(object, "opcode", opcode_name(instruction->opcode));
    const char *predicate = instruction_predicate_name(instruction);
    if (*predicate)
        cJSON_AddStringToObject(object, "predicate", predicate);
    add_text(object, "type", program_type_text(program, instruction->type));
    add_id(object, "result", instruction->result);
    cJSON *operands = cJSON_AddArrayToObject(object, "operands");
    for (uint32_t i = 0; i < instruction->operands.count; i++)
        cJSON_AddItemToArray(
            operands, value_json(program, program->operands.data[instruction->operands.first + i]));
    add_details(program, object, instruction);
    add_id(object, "read_at", instruction->read_at);
    add_id(object, "written_at", instruction->written_at);
    if (instruction->access_size)
        add_number(object, "access_size", (int64_t)instruction->access_size);
    add_id(object, "object", instruction->object);
    ADD_FLAGS(object, instruction->flags, flags);
    add_locations(program, object, instruction->location);
    return object;
}

static cJSON *block_json(const struct program *program, block_id id, bool with_instructions) {
    const struct block *block = &program->blocks.data[id];
    cJSON *object = cJSON_CreateObject();
    add_number(object, "id", id);
    cJSON_AddBoolToObject(object, "synthetic", block->synthetic);
    add_ids(object, "successors", program->edges.data, block->successors);
    add_ids(object, "predecessors", program->edges.data, block->predecessors);
    add_number(object, "first_instruction", block->instructions.first);
    add_number(object, "instruction_count", block->instructions.count);
    cJSON *array = with_instructions ? cJSON_AddArrayToObject(object, "instructions") : NULL;
    for (uint32_t i = 0; array && i < block->instructions.count; i++)
        cJSON_AddItemToArray(array, instruction_json(program, block->instructions.first + i));
    return object;
}

static cJSON *function_json(const struct program *program, uint32_t id, enum dump_what what) {
    static const struct flag_name flags[] = {
        {FUNCTION_DEFINED, "defined"},
        {FUNCTION_VISIBLE, "visible"},
        {FUNCTION_STATIC, "static"},
        {FUNCTION_VARIADIC, "variadic"},
        {FUNCTION_INTRINSIC, "intrinsic"},
        {FUNCTION_RUNTIME, "runtime"},
        {FUNCTION_NO_RETURN, "no-return"},
        {FUNCTION_RETURNS_TWICE, "returns-twice"},
        {FUNCTION_ADDRESS_TAKEN, "address-taken"},
        {FUNCTION_UNOPTIMISED, "unoptimised"},
        {FUNCTION_FRAME, "frame"},
        {FUNCTION_CALLED, "called"},
    };
    const struct function *function = &program->functions.data[id];
    cJSON *object = cJSON_CreateObject();
    add_number(object, "id", id);
    cJSON_AddStringToObject(object, "name", function->name);
    cJSON_AddStringToObject(object, "source_name", function->source_name);
    add_text(object, "type", program_type_text(program, function->type));
    if (function->source_type != NO_ID)
        add_text(object, "source_type", program_source_type_text(program, function->source_type));
    ADD_FLAGS(object, function->flags, flags);
    add_string(object, "left_out", function->left_out);
    add_place(program, object, function->file, function->line);
    add_number(object, "first_argument", function->arguments.first);
    add_number(object, "argument_count", function->arguments.count);
    add_number(object, "first_block", function->blocks.first);
    add_number(object, "block_count", function->blocks.count);
    add_number(object, "first_instruction", function->instructions.first);
    add_number(object, "instruction_count", function->instructions.count);
    add_number(object, "frame_size", (int64_t)function->frame_size);
    if (function->address)
        add_number(object, "address", (int64_t)function->address);
    if (function->copy_of != NO_ID)
        add_number(object, "copy_of", function->copy_of);
    if (what == DUMP_FUNCTIONS)
        return object;
    cJSON *blocks = cJSON_AddArrayToObject(object, "blocks");
    for (uint32_t i = 0; i < function->blocks.count; i++)
        cJSON_AddItemToArray(blocks,
                             block_json(program, function->blocks.first + i, what == DUMP_IR));
    return object;
}

static cJSON *memory_json(const struct program *program, uint32_t id) {
    static const struct flag_name flags[] = {
        {MEMORY_CONSTANT, "constant"}, {MEMORY_EXTERNAL, "external"},
        {MEMORY_VISIBLE, "visible"},   {MEMORY_NATIVE_THREAD_LOCAL, "native-thread-local"},
        {MEMORY_RUNTIME, "runtime"},   {MEMORY_SIZE_EXACT, "size-exact"},
        {MEMORY_STRING, "string"},
    };
    static const char *const initial[] = {"none", "zero", "data", "pointers"};
    const struct memory *memory = &program->memory.data[id];
    cJSON *object = cJSON_CreateObject();
    add_number(object, "id", id);
    cJSON_AddStringToObject(object, "kind", memory_kind_name(memory->kind));
    add_string(object, "name", memory->name);
    add_string(object, "section", memory->section);
    add_number(object, "size", (int64_t)memory->size);
    ADD_FLAGS(object, memory->flags, flags);
    if (memory->type != NO_ID)
        add_text(object, "type", program_type_text(program, memory->type));
    cJSON_AddStringToObject(object, "initial", initial[memory->initial_kind]);
    cJSON *pointers = cJSON_AddArrayToObject(object, "pointers");
    for (uint32_t i = 0; i < memory->pointers.count; i++) {
        const struct initial_pointer *pointer =
            &program->initial_pointers.data[memory->pointers.first + i];
        cJSON *entry = value_json(program, pointer->value);
        add_number(entry, "offset", (int64_t)pointer->offset);
        cJSON_AddItemToArray(pointers, entry);
    }
    add_id(object, "value", memory->value);
    add_id(object, "function", memory->function);
    add_id(object, "site", memory->site);
    add_id(object, "out_argument", memory->out_argument);
    if (memory->kind == MEMORY_SLOT || memory->kind == MEMORY_THREAD_LOCAL)
        add_number(object, "offset", memory->offset);
    add_id(object, "variable", memory->variable);
    if (memory->address)
        add_number(object, "address", (int64_t)memory->address);
    return object;
}

static cJSON *place_json(const struct program *program, const struct place *place) {
    static const char *const kinds[] = {"value", "memory", "object", "derived", "gone"};
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kind", kinds[place->kind]);
    add_number(object, "from", place->instruction);
    cJSON_AddBoolToObject(object, "declaration", place->is_declaration);
    if (place->value != NO_ID)
        cJSON_AddItemToObject(object, "value", value_json(program, place->value));
    add_id(object, "memory", place->memory);
    add_number(object, "offset", place->offset);
    if (place->fragment_bits) {
        add_number(object, "first_bit", place->fragment_offset);
        add_number(object, "bits", place->fragment_bits);
    }
    add_locations(program, object, place->inlined_at);
    return object;
}

static cJSON *variable_json(const struct program *program, uint32_t id) {
    const struct variable *variable = &program->variables.data[id];
    cJSON *object = cJSON_CreateObject();
    add_number(object, "id", id);
    cJSON_AddStringToObject(object, "name", variable->name);
    add_text(object, "type", program_source_type_text(program, variable->type));
    add_id(object, "type_id", variable->type);
    cJSON_AddBoolToObject(object, "global", variable->is_global);
    add_place(program, object, variable->file, variable->line);
    if (variable->scope != NO_ID) {
        const struct scope *scope = &program->scopes.data[variable->scope];
        while (scope->kind == SCOPE_BLOCK)
            scope = &program->scopes.data[scope->parent];
        add_string(object, "function", scope->name);
        add_id(object, "function_id", scope->function);
    }
    if (variable->argument)
        add_number(object, "parameter", variable->argument);
    add_id(object, "memory", variable->memory);
    cJSON *places = cJSON_AddArrayToObject(object, "places");
    for (uint32_t i = 0; i < variable->places.count; i++)
        cJSON_AddItemToArray(
            places, place_json(program, &program->places.data[variable->places.first + i]));
    return object;
}

static cJSON *type_json(const struct program *program, uint32_t id) {
    const struct source_type *type = &program->source_types.data[id];
    cJSON *object = cJSON_CreateObject();
    add_number(object, "id", id);
    cJSON_AddStringToObject(object, "kind", source_type_kind_name(type->kind));
    add_string(object, "name", type->name);
    add_text(object, "text", program_source_type_text(program, id));
    add_number(object, "size", (int64_t)type->size);
    if (type->kind == SOURCE_ARRAY)
        add_number(object, "length", (int64_t)type->length);
    add_id(object, "target", type->target);
    cJSON_AddBoolToObject(object, "incomplete", type->incomplete);
    add_place(program, object, type->file, type->line);
    cJSON *fields = cJSON_AddArrayToObject(object, "fields");
    for (uint32_t i = 0; i < type->fields.count; i++) {
        const struct field *field = &program->fields.data[type->fields.first + i];
        cJSON *entry = cJSON_CreateObject();
        add_string(entry, "name", field->name);
        if (type->kind == SOURCE_ENUM) {
            add_number(entry, "number", field->number);
        } else {
            add_id(entry, "type", field->type);
            add_number(entry, "bit_offset", (int64_t)field->bit_offset);
            add_number(entry, "bit_size", (int64_t)field->bit_size);
            cJSON_AddBoolToObject(entry, "bit_field", field->is_bit_field);
        }
        cJSON_AddItemToArray(fields, entry);
    }
    return object;
}

void dump_json_item(FILE *out, cJSON *item, bool *first) {
    char *text = cJSON_PrintUnformatted(item);
    fprintf(out, "%s\n  %s", *first ? "" : ",", text);
    *first = false;
    cJSON_free(text);
    cJSON_Delete(item);
}

static size_t item_count(const struct program *program, enum dump_what what) {
    switch (what) {
    case DUMP_MEMORY:
        return program->memory.count;
    case DUMP_VARIABLES:
        return program->variables.count;
    case DUMP_TYPES:
        return program->source_types.count;
    default:
        return program->functions.count;
    }
}

/* NULL if the options leave it out. */
static cJSON *item_json(const struct program *program, const struct dump_options *options,
                        uint32_t id) {
    function_id function = id;
    switch (options->what) {
    case DUMP_TYPES:
        return type_json(program, id);
    case DUMP_MEMORY:
        function = program->memory.data[id].function;
        break;
    case DUMP_VARIABLES:
        function = program->variables.data[id].scope;
        if (function != NO_ID)
            function = program->scopes.data[function].function;
        break;
    default:
        return dump_wants(program, options, id) ? function_json(program, id, options->what) : NULL;
    }
    if (options->function && (function == NO_ID || !dump_wants(program, options, function)))
        return NULL;
    return options->what == DUMP_MEMORY ? memory_json(program, id) : variable_json(program, id);
}

void dump_json(const struct program *program, const struct dump_options *options, FILE *out) {
    static const char *const names[] = {
        [DUMP_FUNCTIONS] = "functions", [DUMP_IR] = "functions",        [DUMP_CFG] = "functions",
        [DUMP_MEMORY] = "memory",       [DUMP_VARIABLES] = "variables", [DUMP_TYPES] = "types",
    };
    char id[HEX_SIZE(BUILD_ID_SIZE)];
    hex_format(program->build_id, BUILD_ID_SIZE, id);
    fprintf(out, "{\"format\": \"recut-dump\", \"version\": 1, ");
    if (program->is_executable)
        fprintf(out, "\"build_id\": \"%s\", ", id);
    fprintf(out, "\"%s\": [", names[options->what]);
    bool first = true;
    size_t count = item_count(program, options->what);
    for (uint32_t i = 0; i < count; i++) {
        cJSON *item = item_json(program, options, i);
        if (item)
            dump_json_item(out, item, &first);
    }
    fputs("\n]}\n", out);
}
