/* What recut info prints: aligned text for people, JSON for programs. */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex.h"
#include "cmd/cmd.h"
#include "cmd/info.h"

enum { LABEL_WIDTH = 20, LINE_WIDTH = 90 };

static void print_row(FILE *out, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void print_label(FILE *out, const char *label) {
    bool is_part = *label == ' ';
    fprintf(out, "%s%-*s%s", is_part ? "" : cmd_colour(out, COLOUR_BOLD), LABEL_WIDTH, label,
            is_part ? "" : cmd_colour(out, COLOUR_OFF));
}

static void print_row(FILE *out, const char *label, const char *format, ...) {
    print_label(out, label);
    va_list args;
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    fputc('\n', out);
}

/* "1.2 MiB"; exact below one KiB. */
static char *size_text(uint64_t bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024)
        return mem_printf("%" PRIu64 " bytes", bytes);
    double size = (double)bytes / 1024;
    size_t unit = 0;
    for (; size >= 1024 && unit < 3; unit++)
        size /= 1024;
    return mem_printf("%.1f %s", size, units[unit]);
}

/* Names in lines behind a label. */
struct names {
    FILE *out;
    size_t column; /* 0 at the beginning of a line */
};

static void print_name(struct names *names, const char *name) {
    size_t length = strlen(name);
    if (names->column > LABEL_WIDTH && names->column + 1 + length > LINE_WIDTH) {
        fputc('\n', names->out);
        names->column = 0;
    }
    if (!names->column) {
        print_label(names->out, "");
        names->column = LABEL_WIDTH;
    }
    bool is_first = names->column == LABEL_WIDTH;
    fprintf(names->out, "%s%s", is_first ? "" : " ", name);
    names->column += length + !is_first;
}

static void end_names(struct names *names) {
    if (names->column)
        fputc('\n', names->out);
    names->column = 0;
}

static void print_functions(const struct info *info, const function_id *ids, size_t count,
                            FILE *out) {
    struct names names = {out, 0};
    for (size_t i = 0; i < count; i++)
        print_name(&names, info->program->functions.data[ids[i]].name);
    end_names(&names);
}

static const char *optimisation(const struct info *info) {
    if (info->unoptimised == 0)
        return "with optimisation";
    return info->unoptimised == info->defined ? "without optimisation (-O0)"
                                              : "partly without optimisation (-O0)";
}

static void print_build(const struct info *info, FILE *out) {
    const struct program *program = info->program;
    char *bitcode CLEANUP_FREE = size_text(program->bitcode_size);
    char id[HEX_SIZE(BUILD_ID_SIZE)];
    hex_format(program->build_id, BUILD_ID_SIZE, id);
    print_row(out, "program", "%s%s", program->path,
              !program->is_executable ? " (bitcode)"
              : program->is_static    ? " (static)"
                                      : "");
    if (program->is_executable)
        print_row(out, "build id", "%s", id);
    print_row(out, "compiler", "%s", program->compiler ? program->compiler : "unknown");
    print_row(out, "compiled", "%s, %s debug information", optimisation(info),
              program->has_debug_info ? "with" : "without");
    if (program->units.count)
        print_row(out, "bitcode", "%s, from %zu source file%s", bitcode, program->units.count,
                  program->units.count == 1 ? "" : "s");
    else
        print_row(out, "bitcode", "%s", bitcode);
}

static void print_code(const struct info *info, bool details, FILE *out) {
    const struct program *program = info->program;
    char *frames CLEANUP_FREE = size_text(info->frame_bytes);
    print_row(out, "functions", "%zu", info->defined);
    print_row(out, "  canonical", "%zu", info->canonical);
    print_row(out, "  left out", "%zu", info->defined - info->canonical);
    for (size_t i = 0; i < info->left_out.count; i++)
        print_row(out, "", "%zu: %s", info->left_out.data[i].functions,
                  info->left_out.data[i].reason);
    print_row(out, "  with a frame", "%zu, %s together", info->with_frame, frames);
    print_row(out, "  blocks", "%zu", program->blocks.count);
    print_row(out, "  instructions", "%zu", program->instructions.count);
    print_row(out, "  indirect calls", "%zu", info->indirect_calls);
    print_row(out, "environment", "%zu function%s%s", info->environment.count,
              info->environment.count == 1 ? "" : "s",
              details || !info->environment.count ? "" : " (-v lists them)");
    if (details)
        print_functions(info, info->environment.data, info->environment.count, out);
    print_row(out, "  without a model", "%zu%s", info->unmodelled.count,
              info->unmodelled.count ? ": memory they can reach is logged when it is read" : "");
    print_functions(info, info->unmodelled.data, info->unmodelled.count, out);
    print_row(out, "  by the runtime", "%zu", info->runtime.count);
    if (details)
        print_functions(info, info->runtime.data, info->runtime.count, out);
}

static void print_data(const struct info *info, FILE *out) {
    const struct program *program = info->program;
    char *globals CLEANUP_FREE = size_text(info->global_bytes);
    char *constants CLEANUP_FREE = size_text(info->constant_bytes);
    print_row(out, "globals", "%zu, %s", info->globals, globals);
    print_row(out, "  constant", "%zu, %s", info->constants, constants);
    print_row(out, "  imported", "%zu", info->imported);
    print_row(out, "thread-locals", "%zu",
              info->thread_locals_moved + info->thread_locals_native.count);
    print_row(out, "  moved", "%zu", info->thread_locals_moved);
    print_row(out, "  native", "%zu", info->thread_locals_native.count);
    struct names names = {out, 0};
    for (size_t i = 0; i < info->thread_locals_native.count; i++)
        print_name(&names, program->memory.data[info->thread_locals_native.data[i]].name);
    end_names(&names);
    print_row(out, "heap", "allocated in %zu place%s", info->heap_sites,
              info->heap_sites == 1 ? "" : "s");
}

static void print_executable(const struct info *info, bool details, FILE *out) {
    const struct program *program = info->program;
    if (!program->is_executable)
        return;
    struct names names = {out, LABEL_WIDTH};
    print_label(out, "libraries");
    if (!program->libraries[0])
        print_name(&names, "none");
    for (size_t i = 0; program->libraries[i]; i++)
        print_name(&names, program->libraries[i]);
    end_names(&names);
    if (!info->native.is_known)
        print_row(out, "native code", "unknown: stripped");
    else if (program->is_static)
        print_row(out, "native code", "%zu functions, the C library's among them",
                  info->native.count);
    else
        print_row(out, "native code", "%zu function%s without bitcode", info->native.count,
                  info->native.count == 1 ? "" : "s");
    for (size_t i = 0; details && i < info->native.count; i++)
        print_name(&names, info->native.names[i]);
    end_names(&names);
}

void info_print_text(const struct info *info, bool details, FILE *out) {
    print_build(info, out);
    print_code(info, details, out);
    print_data(info, out);
    print_executable(info, details, out);
    for (size_t i = 0; i < info->warnings.count; i++)
        fprintf(out, "%swarning:%s %s\n", cmd_colour(out, COLOUR_YELLOW),
                cmd_colour(out, COLOUR_OFF), info->warnings.data[i]);
}

static void add_number(cJSON *object, const char *name, uint64_t number) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    cJSON_AddRawToObject(object, name, text);
}

static void add_names(cJSON *object, const char *name, const struct program *program,
                      const function_id *ids, size_t count) {
    cJSON *array = cJSON_AddArrayToObject(object, name);
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(array, cJSON_CreateString(program->functions.data[ids[i]].name));
}

static void add_build(const struct info *info, cJSON *root) {
    const struct program *program = info->program;
    char id[HEX_SIZE(BUILD_ID_SIZE)];
    hex_format(program->build_id, BUILD_ID_SIZE, id);
    cJSON_AddStringToObject(root, "format", "recut-info");
    cJSON_AddNumberToObject(root, "version", 1);
    cJSON_AddStringToObject(root, "program", program->path);
    cJSON_AddStringToObject(root, "kind", program->is_executable ? "executable" : "bitcode");
    if (program->is_executable) {
        cJSON_AddStringToObject(root, "build_id", id);
        cJSON_AddBoolToObject(root, "static", program->is_static);
    }
    cJSON_AddBoolToObject(root, "canonical", program->is_canonical);
    if (program->compiler)
        cJSON_AddStringToObject(root, "compiler", program->compiler);
    cJSON_AddStringToObject(root, "target", program->target);
    cJSON_AddBoolToObject(root, "debug_info", program->has_debug_info);
    add_number(root, "bitcode_size", program->bitcode_size);
    cJSON *sources = cJSON_AddArrayToObject(root, "sources");
    for (size_t i = 0; i < program->units.count; i++)
        if (program->units.data[i].file != NO_ID)
            cJSON_AddItemToArray(
                sources, cJSON_CreateString(program->files.data[program->units.data[i].file].path));
}

static void add_code(const struct info *info, cJSON *root) {
    cJSON *functions = cJSON_AddObjectToObject(root, "functions");
    add_number(functions, "defined", info->defined);
    add_number(functions, "canonical", info->canonical);
    add_number(functions, "unoptimised", info->unoptimised);
    add_number(functions, "with_frame", info->with_frame);
    add_number(functions, "frame_bytes", info->frame_bytes);
    add_number(functions, "blocks", info->program->blocks.count);
    add_number(functions, "instructions", info->program->instructions.count);
    add_number(functions, "indirect_calls", info->indirect_calls);
    cJSON *left_out = cJSON_AddArrayToObject(functions, "left_out");
    for (size_t i = 0; i < info->left_out.count; i++) {
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "reason", info->left_out.data[i].reason);
        add_number(entry, "functions", info->left_out.data[i].functions);
        add_names(root, "without_model", info->program, info->unmodelled.data,
                  info->unmodelled.count);
        cJSON_AddItemToArray(left_out, entry);
    }
    add_names(root, "environment", info->program, info->environment.data, info->environment.count);
    add_names(root, "runtime", info->program, info->runtime.data, info->runtime.count);
}

static void add_data(const struct info *info, cJSON *root) {
    const struct program *program = info->program;
    cJSON *globals = cJSON_AddObjectToObject(root, "globals");
    add_number(globals, "count", info->globals);
    add_number(globals, "bytes", info->global_bytes);
    add_number(globals, "constants", info->constants);
    add_number(globals, "constant_bytes", info->constant_bytes);
    add_number(globals, "imported", info->imported);
    cJSON *thread_locals = cJSON_AddObjectToObject(root, "thread_locals");
    add_number(thread_locals, "moved", info->thread_locals_moved);
    cJSON *native = cJSON_AddArrayToObject(thread_locals, "native");
    for (size_t i = 0; i < info->thread_locals_native.count; i++)
        cJSON_AddItemToArray(
            native,
            cJSON_CreateString(program->memory.data[info->thread_locals_native.data[i]].name));
    add_number(root, "heap_sites", info->heap_sites);
}

void info_print_json(const struct info *info, FILE *out) {
    const struct program *program = info->program;
    cJSON *root = cJSON_CreateObject();
    add_build(info, root);
    add_code(info, root);
    add_data(info, root);
    if (program->is_executable) {
        cJSON *libraries = cJSON_AddArrayToObject(root, "libraries");
        for (size_t i = 0; program->libraries[i]; i++)
            cJSON_AddItemToArray(libraries, cJSON_CreateString(program->libraries[i]));
        if (info->native.is_known) {
            cJSON *native = cJSON_AddArrayToObject(root, "native_functions");
            for (size_t i = 0; i < info->native.count; i++)
                cJSON_AddItemToArray(native, cJSON_CreateString(info->native.names[i]));
        }
    }
    cJSON *warnings = cJSON_AddArrayToObject(root, "warnings");
    for (size_t i = 0; i < info->warnings.count; i++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(info->warnings.data[i]));
    char *text = cJSON_Print(root);
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(root);
}
