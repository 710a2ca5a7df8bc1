/*
 * recut dump --environment: where the program meets its environment.
 *
 *     i88    load  read  handle                              a.c:30:7
 */
#include "analysis/environment.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "cmd/dump.h"

static const struct {
    uint8_t bit;
    const char *name;
} bit_names[] = {
    {ENVIRONMENT_OWNED, "owned"},     {ENVIRONMENT_WRITTEN, "written"},
    {ENVIRONMENT_HANDLE, "handle"},   {ENVIRONMENT_DESCRIBED, "described"},
    {ENVIRONMENT_UNKNOWN, "unknown"}, {ENVIRONMENT_ALWAYS, "always"},
    {ENVIRONMENT_SHARED, "shared"},
};

struct environment_dump {
    const struct program *program;
    FILE *out;
    bool json, first;
};

/* One address; `what` is "read", "write" or "argument". */
static void print_bits(struct environment_dump *dump, instruction_id id, const char *what,
                       uint32_t argument, uint8_t bits) {
    const struct instruction *instruction = &dump->program->instructions.data[id];
    if (!bits)
        return;
    char *place = dump_location_text(dump->program, instruction->location);
    const char *function =
        dump->program->functions.data[program_function_of(dump->program, id)].name;
    if (dump->json) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddNumberToObject(item, "instruction", id);
        cJSON_AddStringToObject(item, "function", function);
        cJSON_AddStringToObject(item, "access", what);
        if (argument != NO_ID)
            cJSON_AddNumberToObject(item, "argument", argument);
        cJSON *array = cJSON_AddArrayToObject(item, "bits");
        for (size_t i = 0; i < sizeof bit_names / sizeof *bit_names; i++)
            if (bits & bit_names[i].bit)
                cJSON_AddItemToArray(array, cJSON_CreateString(bit_names[i].name));
        cJSON_AddStringToObject(item, "source", place);
        dump_json_item(dump->out, item, &dump->first);
    } else {
        fprintf(dump->out, "i%-6u %-24s %-6s %s", id, function, opcode_name(instruction->opcode),
                what);
        if (argument != NO_ID)
            fprintf(dump->out, " %u", argument);
        for (size_t i = 0; i < sizeof bit_names / sizeof *bit_names; i++)
            if (bits & bit_names[i].bit)
                fprintf(dump->out, "  %s", bit_names[i].name);
        fprintf(dump->out, "%s%s\n", *place ? "    " : "", place);
    }
    free(place);
}

static void print_environment(struct environment_dump *dump, const struct dump_options *options,
                              const struct environment *environment) {
    for (function_id f = 0; f < dump->program->functions.count; f++) {
        struct range instructions = dump->program->functions.data[f].instructions;
        for (uint32_t n = 0; dump_wants(dump->program, options, f) && n < instructions.count; n++) {
            instruction_id id = instructions.first + n;
            print_bits(dump, id, "read", NO_ID,
                       environment_of_access(environment, id, ACCESS_READ));
            print_bits(dump, id, "write", NO_ID,
                       environment_of_access(environment, id, ACCESS_WRITE));
            uint32_t count = dump->program->instructions.data[id].operands.count;
            for (uint32_t i = 0; i < count; i++)
                print_bits(dump, id, "argument", i, environment_of_argument(environment, id, i));
        }
    }
}

static void print_figures(const struct pta *pta, const struct environment *environment, FILE *out) {
    const struct program *program = pta_program(pta);
    struct environment_figures figures = environment_figures(environment);
    uint32_t count;
    const function_id *callbacks = environment_callbacks(environment, &count);
    fputs("called by the environment:", out);
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, " %s", program->functions.data[callbacks[i]].name);
    fputs("\nwithout a model:", out);
    for (function_id f = 0; f < program->functions.count; f++)
        if (pta_is_unmodelled(pta, f))
            fprintf(out, " %s", program->functions.data[f].name);
    fprintf(out,
            "\n%u of %u accesses may meet the environment: %u its memory, %u a handle, %u memory "
            "that it writes\n",
            figures.logged, figures.accesses, figures.owned, figures.handle, figures.written);
}

void dump_environment(const struct pta *pta, const struct dump_options *options, bool json,
                      FILE *out) {
    struct environment *environment = environment_build(pta);
    struct environment_dump dump = {pta_program(pta), out, json, true};
    if (json)
        fputs("{\"format\": \"recut-dump\", \"version\": 1, \"environment\": [", out);
    print_environment(&dump, options, environment);
    if (json)
        fputs("\n]}\n", out);
    else if (!options->function)
        print_figures(pta, environment, out);
    environment_free(environment);
}
