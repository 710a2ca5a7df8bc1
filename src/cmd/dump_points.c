/*
 * recut dump --points-to: what pointers may point to.
 *
 *     f3 push  list.c:21
 *       %v45 is node  ->  heap at i23 in push (list.c:22)
 *       i31 calls  compare  reverse                          list.c:40:9
 *
 * As a graph, variables and memory: what their pointers lead to.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "cmd/dump.h"
#include "models/models.h"

/* Bytes of an object, as "+8", "+0 by 24", "+16 to 815", "anywhere". */
static void print_offset(FILE *out, const struct pta_target *target) {
    if (target->offset == OUTSIDE)
        fputs(" outside", out);
    else if (target->stride == ANYWHERE && !target->extent)
        fputs(" anywhere", out);
    else if (target->offset || target->stride)
        fprintf(out, " +%lld", (long long)target->offset);
    if (target->extent)
        fprintf(out, " to %lld", (long long)target->offset + (long long)target->extent - 1);
    if (target->stride > ANYWHERE)
        fprintf(out, " by %llu", (unsigned long long)target->stride);
}

static void print_targets(const struct pta *pta, FILE *out, value_id value) {
    struct pta_cursor cursor = {0};
    bool first = true;
    for (struct pta_target target; pta_points_to(pta, value, &cursor, &target); first = false) {
        char *text = pta_object_text(pta, target.object);
        fprintf(out, "%s%s", first ? "" : ", ", text);
        print_offset(out, &target);
        free(text);
    }
}

static void print_value(const struct pta *pta, FILE *out, value_id id) {
    const struct program *program = pta_program(pta);
    const struct value *value = &program->values.data[id];
    if (!program->types.data[value->type].has_pointers || !pta_target_count(pta, id))
        return;
    fprintf(out, "  %%v%u", id);
    if (value->variable != NO_ID)
        fprintf(out, " is %s", program->variables.data[value->variable].name);
    fputs("  ->  ", out);
    print_targets(pta, out, id);
    fputc('\n', out);
}

static void print_callees(const struct pta *pta, FILE *out, instruction_id id) {
    const struct program *program = pta_program(pta);
    const struct instruction *call = &program->instructions.data[id];
    if (!(call->flags & INSTRUCTION_INDIRECT))
        return;
    uint32_t count;
    const function_id *callees = pta_callees(pta, id, &count);
    char *place = dump_location_text(program, call->location);
    fprintf(out, "  i%u calls", id);
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "  %s",
                callees[i] == NO_ID ? "environment" : program->functions.data[callees[i]].name);
    fprintf(out, "%s%s%s\n", count ? "" : "  nothing", *place ? "    " : "", place);
    free(place);
}

static void print_contents(const struct pta *pta, FILE *out, uint32_t object) {
    const struct program *program = pta_program(pta);
    struct pta_object of = pta_object(pta, object);
    uint64_t size = of.memory == NO_ID ? 0 : program->memory.data[of.memory].size;
    if (of.kind != PTA_MEMORY || program->memory.data[of.memory].kind != MEMORY_GLOBAL ||
        program->memory.data[of.memory].flags & MEMORY_RUNTIME)
        return;
    enum { MOST_SHOWN = 256 };
    for (uint64_t offset = 0; offset < size && offset < MOST_SHOWN; offset += GRANULE) {
        struct pta_cursor cursor = {0};
        bool first = true;
        for (struct pta_target target; pta_contents(pta, object, (int64_t)offset, &cursor, &target);
             first = false) {
            char *text = pta_object_text(pta, target.object);
            if (first)
                fprintf(out, "%s +%llu  ->  ", program->memory.data[of.memory].name,
                        (unsigned long long)offset);
            fprintf(out, "%s%s", first ? "" : ", ", text);
            print_offset(out, &target);
            free(text);
        }
        if (!first)
            fputc('\n', out);
    }
}

static void points_text(const struct pta *pta, const struct dump_options *options, FILE *out) {
    const struct program *program = pta_program(pta);
    for (uint32_t i = 0; !options->function && i < pta_object_count(pta); i++)
        print_contents(pta, out, i);
    for (function_id f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        if (!dump_wants(program, options, f))
            continue;
        fprintf(out, "f%u %s%s\n", f, function->name,
                pta_is_called_back(pta, f) ? "  called by the environment" : "");
        for (uint32_t i = 0; i < function->arguments.count; i++)
            print_value(pta, out, function->arguments.first + i);
        for (uint32_t i = 0; i < function->instructions.count; i++) {
            instruction_id id = function->instructions.first + i;
            const struct instruction *instruction = &program->instructions.data[id];
            if (instruction->result != NO_ID && !(instruction->flags & INSTRUCTION_SYNTHETIC))
                print_value(pta, out, instruction->result);
            print_callees(pta, out, id);
        }
    }
}

static cJSON *target_json(const struct pta *pta, const struct pta_target *target) {
    cJSON *entry = cJSON_CreateObject();
    char *text = pta_object_text(pta, target->object);
    cJSON_AddNumberToObject(entry, "object", target->object);
    cJSON_AddStringToObject(entry, "name", text);
    if (target->offset == OUTSIDE)
        cJSON_AddBoolToObject(entry, "outside", true);
    else
        cJSON_AddNumberToObject(entry, "offset", (double)target->offset);
    if (target->stride)
        cJSON_AddNumberToObject(entry, "stride", (double)target->stride);
    if (target->extent)
        cJSON_AddNumberToObject(entry, "extent", (double)target->extent);
    free(text);
    return entry;
}

static void add_value(const struct pta *pta, cJSON *values, value_id id) {
    const struct program *program = pta_program(pta);
    if (!program->types.data[program->values.data[id].type].has_pointers)
        return;
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddNumberToObject(entry, "value", id);
    cJSON *targets = cJSON_AddArrayToObject(entry, "targets");
    struct pta_cursor cursor = {0};
    for (struct pta_target target; pta_points_to(pta, id, &cursor, &target);)
        cJSON_AddItemToArray(targets, target_json(pta, &target));
    cJSON_AddItemToArray(values, entry);
}

static void add_call(const struct pta *pta, cJSON *calls, instruction_id id) {
    const struct program *program = pta_program(pta);
    uint32_t count;
    const function_id *callees = pta_callees(pta, id, &count);
    if (!(program->instructions.data[id].flags & INSTRUCTION_CALL))
        return;
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddNumberToObject(entry, "instruction", id);
    cJSON *array = cJSON_AddArrayToObject(entry, "callees");
    for (uint32_t i = 0; i < count; i++)
        cJSON_AddItemToArray(array, callees[i] == NO_ID ? cJSON_CreateNull()
                                                        : cJSON_CreateNumber(callees[i]));
    cJSON_AddItemToArray(calls, entry);
}

static void points_json(const struct pta *pta, const struct dump_options *options, FILE *out) {
    const struct program *program = pta_program(pta);
    bool first = true;
    fputs("{\"format\": \"recut-dump\", \"version\": 1, \"points_to\": [", out);
    for (function_id f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        if (!dump_wants(program, options, f))
            continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddNumberToObject(item, "function", f);
        cJSON_AddStringToObject(item, "name", function->name);
        cJSON_AddBoolToObject(item, "called_back", pta_is_called_back(pta, f));
        cJSON *values = cJSON_AddArrayToObject(item, "values");
        cJSON *calls = cJSON_AddArrayToObject(item, "calls");
        for (uint32_t i = 0; i < function->arguments.count; i++)
            add_value(pta, values, function->arguments.first + i);
        for (uint32_t i = 0; i < function->instructions.count; i++) {
            instruction_id id = function->instructions.first + i;
            if (program->instructions.data[id].result != NO_ID)
                add_value(pta, values, program->instructions.data[id].result);
            add_call(pta, calls, id);
        }
        dump_json_item(out, item, &first);
    }
    fputs("\n]}\n", out);
}

/* An edge for each object that a pointer may point into, at whatever offset. */
static void put_arrows(const struct pta *pta, FILE *out, const char *from,
                       const struct bitset *to) {
    BITSET_EACH(object, to) {
        char *text = pta_object_text(pta, object);
        fputs("  ", out);
        dump_label(from, out);
        fputs(" -> ", out);
        dump_label(text, out);
        fputs(";\n", out);
        free(text);
    }
}

static void put_variable(const struct pta *pta, FILE *out, function_id function, value_id id) {
    const struct program *program = pta_program(pta);
    variable_id variable = program->values.data[id].variable;
    if (variable == NO_ID)
        return;
    struct bitset objects = {0};
    struct pta_cursor cursor = {0};
    for (struct pta_target target; pta_points_to(pta, id, &cursor, &target);)
        bitset_add(&objects, target.object);
    char *name = mem_printf("%s in %s, v%u", program->variables.data[variable].name,
                            program->functions.data[function].name, id);
    put_arrows(pta, out, name, &objects);
    free(name);
    bitset_deinit(&objects);
}

static void put_memory(const struct pta *pta, FILE *out, uint32_t object) {
    const struct program *program = pta_program(pta);
    struct pta_object of = pta_object(pta, object);
    uint64_t size = of.memory == NO_ID ? 0 : program->memory.data[of.memory].size;
    enum { MOST_SHOWN = 1024, UNKNOWN_SIZE = 256 };
    struct bitset objects = {0};
    size = !size ? UNKNOWN_SIZE : size > MOST_SHOWN ? MOST_SHOWN : size;
    for (uint64_t offset = 0; offset < size; offset += GRANULE) {
        struct pta_cursor cursor = {0};
        for (struct pta_target target;
             pta_contents(pta, object, (int64_t)offset, &cursor, &target);)
            bitset_add(&objects, target.object);
    }
    char *text = pta_object_text(pta, object);
    put_arrows(pta, out, text, &objects);
    free(text);
    bitset_deinit(&objects);
}

static void points_dot(const struct pta *pta, const struct dump_options *options, FILE *out) {
    const struct program *program = pta_program(pta);
    fputs("digraph points_to {\n  rankdir=LR;\n  node [shape=box];\n", out);
    for (uint32_t i = 0; !options->function && i < pta_object_count(pta); i++) {
        struct pta_object of = pta_object(pta, i);
        if (of.kind == PTA_HEAP ||
            (of.kind == PTA_MEMORY && !(program->memory.data[of.memory].flags & MEMORY_RUNTIME)))
            put_memory(pta, out, i);
    }
    for (function_id f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        for (uint32_t i = 0; dump_wants(program, options, f) && i < function->arguments.count; i++)
            put_variable(pta, out, f, function->arguments.first + i);
        for (uint32_t i = 0; dump_wants(program, options, f) && i < function->instructions.count;
             i++) {
            value_id result = program->instructions.data[function->instructions.first + i].result;
            if (result != NO_ID)
                put_variable(pta, out, f, result);
        }
    }
    fputs("}\n", out);
}

struct error *dump_analysis(const struct program *program, const struct dump_options *options,
                            enum dump_format format, FILE *out) {
    bool json = format == DUMP_AS_JSON;
    struct model_table *models CLEANUP_FREE = NULL;
    struct error *err = models_load(&options->models, options->models ? 1 : 0, &models);
    if (err)
        return err;
    struct pta *pta = pta_build(program, &(struct pta_options){.models = models});
    if (options->what >= DUMP_CALLS)
        dump_graph(pta, options, format, out);
    else if (options->what == DUMP_ENVIRONMENT)
        dump_environment(pta, options, json, out);
    else if (format == DUMP_AS_DOT)
        points_dot(pta, options, out);
    else if (json)
        points_json(pta, options, out);
    else
        points_text(pta, options, out);
    pta_free(pta);
    return NULL;
}
