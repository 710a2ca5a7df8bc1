/* What is a test made of?  See test.h. */
#include "testgen/test.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "format/testing.h"
#include "testgen/names_impl.h"
#include "testgen/redact.h"
#include "testgen/signature.h"
#include "testgen/test_impl.h"

/* --- what can be named -------------------------------------------------------------------- */

static int by_address(const void *a, const void *b) {
    const struct test_variable *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static const struct program *sorted_program; /* for qsort() alone */
static int by_code(const void *a, const void *b) {
    uint64_t x = sorted_program->functions.data[*(const function_id *)a].address;
    uint64_t y = sorted_program->functions.data[*(const function_id *)b].address;
    return (x > y) - (x < y);
}

static void find_named(struct writer *writer) {
    const struct program *program = writer->program;
    for (memory_id m = 0; m < program->memory.count; m++) {
        struct test_variable one = {m, program->memory.data[m].address,
                                    program->memory.data[m].size};
        if (names_is_variable(program, m))
            VEC_PUSH(&writer->variables, one);
        else if (test_is_constant(program, m))
            VEC_PUSH(&writer->constants, one);
    }
    for (function_id f = 0; f < program->functions.count; f++)
        if ((program->functions.data[f].flags & FUNCTION_DEFINED) &&
            program->functions.data[f].address)
            VEC_PUSH(&writer->functions, f);
    if (writer->variables.count)
        qsort(writer->variables.data, writer->variables.count, sizeof *writer->variables.data,
              by_address);
    if (writer->constants.count)
        qsort(writer->constants.data, writer->constants.count, sizeof *writer->constants.data,
              by_address);
    sorted_program = program;
    if (writer->functions.count)
        qsort(writer->functions.data, writer->functions.count, sizeof *writer->functions.data,
              by_code);
}

/* --- variables ---------------------------------------------------------------------------- */

static bool has_changed(const struct writer *writer, const struct test_variable *variable,
                        uint8_t *now) {
    uint8_t *first CLEANUP_FREE = mem_zalloc(variable->size + 1, 1);
    return capture_get(writer->input->state, variable->address, now, variable->size) &&
           (!image_get(writer->input->image, variable->address, first, variable->size) ||
            memcmp(first, now, variable->size) != 0);
}

/* As it is in the file, with pointers by name. */
static void set_from_file(struct writer *writer, const struct test_variable *variable,
                          const char *name, uint8_t *bytes) {
    for (uint64_t at = -variable->address % 8; at + 8 <= variable->size; at += 8) {
        uint64_t word;
        memcpy(&word, bytes + at, 8);
        char *text CLEANUP_FREE =
            word < RECUT_ARGS_BASE && word >= RECUT_IMAGE_BASE ? test_symbol(writer, word) : NULL;
        if (text)
            fprintf(writer->code, "    recut_pointer(%s, %" PRIu64 ") = %s;\n", name, at, text);
    }
    test_keep_variable(writer, writer->kept_variables, bytes, variable->size);
}

static void set_variable(struct writer *writer, const struct test_variable *variable) {
    uint8_t *now CLEANUP_FREE = mem_zalloc(variable->size + 1, 1);
    const struct memory *memory = &writer->program->memory.data[variable->memory];
    if (memory->flags & MEMORY_CONSTANT || !has_changed(writer, variable, now))
        return;
    source_type_id type = writer->program->variables.data[memory->variable].type;
    char *name CLEANUP_FREE = names_variable(writer->program, variable->memory);
    names_add_variable(writer->names, variable->memory);
    bool is_long = names_is_part(writer->program, variable->memory) ||
                   test_lines(writer, type) + writer->lines > test_most_lines;
    if (is_long || test_holds_union(writer, type)) {
        fprintf(writer->code, "    recut->variable(STATE, %" PRIu64 ", &%s, sizeof %s);\n",
                writer->kept_variables, name, name);
        set_from_file(writer, variable, name, now);
        writer->kept_variables++;
    }
    if (!is_long)
        test_set(writer, name, type, variable->address);
}

/* --- the call ----------------------------------------------------------------------------- */

static struct error *write_call(struct writer *writer, char **ret) {
    function_id f = (function_id)writer->input->state->frame.function;
    struct signature signature;
    struct error *err = NULL;
    signature_find(writer->program, f, &signature);
    if (signature.wrong)
        err = error_new(ERROR_FAILED, "%s", signature.wrong);
    names_add_function(writer->names, f);
    char *name CLEANUP_FREE = names_function(writer->program, f);
    char *text = mem_printf("    %s(", name);
    for (size_t i = 0; !err && i < signature.parameters.count; i++) {
        const struct parameter *one = &signature.parameters.data[i];
        char *before CLEANUP_FREE = text;
        char *value CLEANUP_FREE = test_argument(writer, &signature, i);
        if (!value)
            err = error_new(ERROR_FAILED, "what it was called with is not whole");
        bool is_hidden =
            one->name &&
            redact_is_hidden_parameter(writer->input->capture,
                                       writer->program->functions.data[f].source_name, one->name);
        bool is_told = !is_hidden && (!one->name || (value && strcmp(value, one->name) == 0));
        const char *said = is_hidden                                ? ", redacted"
                           : one->is_lost && one->constant == NO_ID ? ", unused"
                                                                    : "";
        char *comment CLEANUP_FREE =
            is_told ? mem_strdup("") : mem_printf("/* %s%s */ ", one->name, said);
        text = mem_printf("%s%s%s%s", before, i ? ", " : "", comment, value ? value : "");
    }
    char *rest CLEANUP_FREE =
        err || !signature.is_variadic ? mem_strdup("") : test_rest(writer, &signature, f);
    if (!rest)
        err = error_new(ERROR_FAILED, "its arguments behind `...` are not kept");
    char *before CLEANUP_FREE = text;
    bool more = rest && *rest && signature.parameters.count;
    *ret = mem_printf("%s%s%s);\n", before, more ? ", " : "", rest ? rest : "");
    signature_deinit(&signature);
    return err;
}

/* --- all of it ---------------------------------------------------------------------------- */

static void set_wide_text(struct writer *writer, const struct test_object *object,
                          const uint8_t *bytes) {
    enum { width = 4 };
    size_t count = 0;
    while (memcmp(bytes + width * count, "\0\0\0", width) != 0)
        count++;
    char *text CLEANUP_FREE = test_wide_text(bytes, count);
    fprintf(writer->code, "    recut_text(%s, %s);\n", object->name, text ? text : "L\"\"");
    VEC_PUSH(&writer->covered, (struct test_range){object->address, width * (count + 1)});
    writer->lines++;
}

static void set_object(struct writer *writer, size_t number) {
    struct test_object object = writer->objects.data[number];
    if (object.is_text) {
        uint8_t bytes[test_most_text];
        if (!capture_get(writer->input->state, object.address, bytes, sizeof bytes))
            return;
        if (test_is_wide(writer->program, object.type)) {
            set_wide_text(writer, &object, bytes);
            return;
        }
        size_t size = strnlen((const char *)bytes, sizeof bytes - 1);
        char *text CLEANUP_FREE = test_text(bytes, size);
        bool is_hidden = redact_is_hidden(writer->input->capture, object.address, size + 1);
        fprintf(writer->code, "    recut_text(%s, %s);%s\n", object.name, text,
                is_hidden ? " /* redacted */" : "");
        VEC_PUSH(&writer->covered, (struct test_range){object.address, size + 1});
        writer->lines++;
        return;
    }
    const struct source_type *type =
        &writer->program->source_types.data[c_types_plain(writer->types, object.type)];
    bool is_struct = type->kind == SOURCE_STRUCT;
    char *path CLEANUP_FREE = mem_printf(is_struct ? "%s->" : "(*%s)", object.name);
    fprintf(writer->code, "\n");
    test_set(writer, path, object.type, object.address);
}

static void write_objects(const struct writer *writer, FILE *out) {
    for (size_t i = 0; i < writer->objects.count; i++) {
        const struct test_object *object = &writer->objects.data[i];
        char *declared CLEANUP_FREE =
            c_types_declare_pointer(writer->types, object->type, object->name);
        fprintf(out, "    %s = (void *)%#" PRIx64 ";\n", declared, object->address);
    }
}

static void write_comment(const char *comment, FILE *out) {
    fprintf(out, "/*\n");
    for (const char *line = comment; *line;) {
        size_t length = strcspn(line, "\n");
        fprintf(out, length ? " * %.*s\n" : " *\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    fprintf(out, " */\n");
}

/* The functions of the program that libraries called, a line each; NULL if there are none. */
static char *called_text(struct writer *writer) {
    const struct capture *capture = writer->input->capture;
    char *text = NULL;
    for (size_t i = 0; i < capture->called.count; i++) {
        char *before CLEANUP_FREE = text;
        char *name CLEANUP_FREE = test_symbol(writer, capture->called.data[i]);
        text = mem_printf("%s    %s,\n", before ? before : "", name ? name : "0");
    }
    return text;
}

static void write_file(struct writer *writer, const char *code, const char *call,
                       const char *called, FILE *out) {
    const struct test_input *input = writer->input;
    write_comment(input->comment, out);
    fprintf(out, "#include \"recut_test.h\"\n\n#define STATE RECUT_DIRECTORY \"/%s.state\"\n\n",
            input->name);
    if (writer->symbols.count)
        fprintf(out, "/* What memory in %s.state leads to. */\nstatic void *const symbols[] = {\n",
                input->name);
    for (size_t i = 0; i < writer->symbols.count; i++)
        fprintf(out, "    %s,\n", writer->symbols.data[i].text);
    fprintf(out, "%s", writer->symbols.count ? "};\n\n" : "");
    if (called)
        fprintf(out, "/* What libraries call. */\nstatic void *const called[] = {\n%s};\n\n",
                called);
    if (input->room)
        fprintf(out,
                "/* Of the machine stack, when it was called. */\n"
                "const unsigned long " TEST_ROOM " = %" PRIu64 ";\n\n",
                input->room);
    fprintf(out, "int recut_test_main(const struct recut_test *recut) {\n");
    fprintf(out, "    recut->memory(STATE, %s, %#" PRIx64 ");\n",
            writer->symbols.count ? "symbols" : "0", input->state->frame.data_stack);
    write_objects(writer, out);
    fprintf(out, "%s\n", code);
    if (called)
        fprintf(out, "    recut->called(called);\n");
    fprintf(out, "    recut->answers(RECUT_DIRECTORY \"/answers\", %" PRIu64 ");\n",
            input->state->answers);
    fprintf(out, "%s    return 0;\n}\n", call);
}

static void writer_deinit(struct writer *writer) {
    for (size_t i = 0; i < writer->objects.count; i++)
        free(writer->objects.data[i].name);
    for (size_t i = 0; i < writer->symbols.count; i++)
        free(writer->symbols.data[i].text);
    VEC_DEINIT(&writer->objects);
    VEC_DEINIT(&writer->covered);
    VEC_DEINIT(&writer->symbols);
    VEC_DEINIT(&writer->variables);
    VEC_DEINIT(&writer->constants);
    VEC_DEINIT(&writer->functions);
    c_types_free(writer->types);
}

static struct error *open_in(const struct test_input *input, const char *ending, FILE **ret) {
    char *path CLEANUP_FREE = mem_printf("%s/%s.%s", input->directory, input->name, ending);
    *ret = fopen(path, "w");
    return *ret ? NULL : error_errno("cannot write %s", path);
}

/* A full disk is noticed when the file is closed. */
static struct error *close_in(FILE *file, struct error *err) {
    bool failed = file && (ferror(file) | fclose(file));
    return err || !failed ? err : error_errno("cannot write a test");
}

struct error *test_write(const struct test_input *input, struct names *names) {
    struct writer writer = {
        .input = input,
        .program = input->program,
        .types = c_types_new(input->program),
        .names = names,
    };
    char *code = NULL, *call CLEANUP_FREE = NULL;
    size_t size;
    FILE *out = NULL;
    struct error *err = open_in(input, "state", &writer.state);
    if (!err)
        err = open_in(input, "c", &out);
    writer.code = open_memstream(&code, &size);
    find_named(&writer);
    if (!err)
        err = write_call(&writer, &call);
    for (size_t i = 0; !err && i < writer.variables.count; i++)
        set_variable(&writer, &writer.variables.data[i]);
    for (size_t i = 0; !err && i < writer.objects.count; i++)
        set_object(&writer, i);
    if (!err)
        test_write_state(&writer);
    char *called CLEANUP_FREE = called_text(&writer);
    fclose(writer.code);
    if (!err)
        write_file(&writer, code, call, called, out);
    err = close_in(writer.state, err);
    err = close_in(out, err);
    free(code);
    writer_deinit(&writer);
    return err;
}
