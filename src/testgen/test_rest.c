/*
 * What is passed behind `...`?  See test_impl.h.
 *
 * The record of the call has the registers and the stack (struct shadow_rest).  Which of them are
 * arguments, the call tells that was made: its line is known, and so are the types that are passed
 * there.  Where that is not clear, the test passes them all, in the order that brings each to its
 * place again: numbers until the registers are full, floating-point numbers until theirs are, and
 * what is left on the stack.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "format/shadow.h"
#include "testgen/test_impl.h"

enum { registers = 6, vectors = 8, head_words = sizeof(struct shadow_rest) / 8 };

struct rest {
    struct writer *writer;
    struct shadow_rest head;
    const uint64_t *stack;
    size_t stack_count;
    size_t integer, vector, on_stack; /* taken so far */
    char *text;
};

static void add(struct rest *rest, char *argument) {
    char *before CLEANUP_FREE = rest->text, *one CLEANUP_FREE = argument;
    rest->text = mem_printf("%s%s%s", before ? before : "", before ? ", " : "", one);
}

static char *double_text(uint64_t bits) {
    char *text = test_double(bits);
    return text ? text : mem_printf("recut_double(%#" PRIx64 "UL)", bits);
}

/* --- by the call -------------------------------------------------------------------------- */

static bool take_stack(struct rest *rest, uint64_t *ret) {
    if (rest->on_stack >= rest->stack_count)
        return false;
    *ret = rest->stack[rest->on_stack++];
    return true;
}

static bool take_word(struct rest *rest, uint64_t *ret) {
    if (rest->integer >= registers)
        return take_stack(rest, ret);
    *ret = rest->head.registers[rest->integer++];
    return true;
}

static bool take_double(struct rest *rest, uint64_t *ret) {
    if (rest->vector >= vectors)
        return take_stack(rest, ret);
    *ret = rest->head.vectors[rest->vector++][0];
    return true;
}

static char *word_text(struct rest *rest, const struct type *type, uint64_t word) {
    if (type->kind == TYPE_POINTER)
        return !word ? mem_strdup("(void *)0") : test_any_pointer(rest->writer, word);
    if (type->bits > 32)
        return mem_printf("%" PRId64 "L", (int64_t)word);
    return mem_printf("%" PRId32, (int32_t)word);
}

/* Of the type that the call passes; false if that is none that is passed in one word. */
static bool add_typed(struct rest *rest, const struct type *type) {
    uint64_t word;
    bool is_double = type->kind == TYPE_FLOAT && type->bits == 64;
    bool is_word = type->kind == TYPE_POINTER || (type->kind == TYPE_INT && type->bits <= 64);
    if (is_double && take_double(rest, &word))
        add(rest, double_text(word));
    else if (is_word && take_word(rest, &word))
        add(rest, word_text(rest, type, word));
    else
        return false;
    return true;
}

static bool add_by_call(struct rest *rest, instruction_id call, uint32_t named) {
    const struct program *program = rest->writer->program;
    if (call == NO_ID || program->instructions.data[call].flags & INSTRUCTION_BY_VALUE)
        return false;
    struct range operands = program->instructions.data[call].operands;
    for (uint32_t i = named; i < operands.count; i++) {
        value_id value = program->operands.data[operands.first + i];
        if (!add_typed(rest, &program->types.data[program->values.data[value].type]))
            return false;
    }
    return true;
}

/* --- by the convention -------------------------------------------------------------------- */

static void add_all(struct rest *rest) {
    while (rest->stack_count && !rest->stack[rest->stack_count - 1])
        rest->stack_count--;
    for (size_t i = rest->integer; i < registers; i++)
        add(rest, test_any_pointer(rest->writer, rest->head.registers[i]));
    for (size_t i = rest->vector; i < vectors; i++)
        add(rest, double_text(rest->head.vectors[i][0]));
    for (size_t i = 0; i < rest->stack_count; i++)
        add(rest, test_any_pointer(rest->writer, rest->stack[i]));
}

char *test_rest(struct writer *writer, const struct signature *signature, function_id function) {
    const struct capture_state *state = writer->input->state;
    struct rest rest = {.writer = writer};
    if (state->word_count < signature->words + head_words)
        return NULL;
    memcpy(&rest.head, state->words + signature->words, sizeof rest.head);
    rest.stack = state->words + signature->words + head_words;
    rest.stack_count = state->word_count - signature->words - head_words;
    size_t integer = rest.integer = rest.head.integer / 8;
    size_t vector = rest.vector =
        rest.head.vector < sizeof rest.head.registers
            ? 0
            : (rest.head.vector - sizeof rest.head.registers) / sizeof *rest.head.vectors;
    uint32_t named = writer->program->functions.data[function].arguments.count;
    if (!add_by_call(&rest, writer->input->call, named)) {
        free(rest.text);
        rest.text = NULL;
        rest.integer = integer;
        rest.vector = vector;
        add_all(&rest);
    }
    return rest.text ? rest.text : mem_strdup("");
}
