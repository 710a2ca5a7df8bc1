/*
 * Files of cuts, damaged: what cut_parse() takes names what is in the program, and written and read
 * again it is the same.
 *
 * The checksum is set right first: it keeps accidents away, and would keep the fuzzer away, too.
 * An input of no bytes is a whole cut.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/io.h"
#include "cut/cut.h"

enum { functions = 6, instructions = 12 };

/* Functions of 12 instructions: loads, stores and calls; the last function is external. */
static void make_program(struct program *program) {
    *program = (struct program){.path = "program", .build_id = {0xab, 0xcd}};
    for (uint32_t f = 0; f < functions; f++) {
        bool is_defined = f + 1 < functions;
        struct range range = {f * instructions, is_defined ? instructions : 0};
        VEC_PUSH(&program->functions, (struct function){.name = f ? "next" : "a\nname",
                                                        .flags = is_defined ? FUNCTION_DEFINED : 0,
                                                        .instructions = range});
        for (uint32_t i = 0; is_defined && i < instructions; i++) {
            static const uint32_t kinds[] = {INSTRUCTION_READS, INSTRUCTION_WRITES,
                                             INSTRUCTION_CALL, 0};
            VEC_PUSH(&program->instructions, (struct instruction){.flags = kinds[i % 4]});
        }
    }
}

static char *with_checksum(const uint8_t *data, size_t size, size_t *ret_size) {
    enum { LENGTH = 4 + 16 + 1 };
    size_t body = size < LENGTH ? size : size - LENGTH;
    char *copy = malloc(body + LENGTH + 1);
    memcpy(copy, data, body);
    snprintf(copy + body, LENGTH + 1, "end %016" PRIx64 "\n", XXH3_64bits(copy, body));
    *ret_size = body + LENGTH;
    return copy;
}

static void check_members(const struct program *program, const struct cut *cut) {
    BITSET_EACH(f, &cut->replay)
    if (f >= program->functions.count || !(program->functions.data[f].flags & FUNCTION_DEFINED))
        abort();
    const struct bitset *sets[] = {&cut->logged, &cut->unread, &cut->blind};
    for (int i = 0; i < 3; i++)
        BITSET_EACH(instruction, sets[i]) {
            if (instruction >= program->instructions.count)
                abort();
            uint32_t flags = program->instructions.data[instruction].flags;
            bool is_replay = bitset_has(&cut->replay, instruction / instructions);
            if (i ? !is_replay || !(flags & INSTRUCTION_CALL) : !flags)
                abort();
        }
}

static bool is_same(const struct bitset *a, const struct bitset *b) {
    return bitset_includes(a, b) && bitset_includes(b, a);
}

static void check_again(const struct program *program, const struct cut *cut) {
    static char path[64];
    if (!*path)
        snprintf(path, sizeof path, "/tmp/cut-fuzz-%ld", (long)getpid());
    struct cut again;
    if (cut_write(cut, program, path) || cut_read(path, program, &again))
        abort();
    unlink(path);
    if (!is_same(&cut->replay, &again.replay) || !is_same(&cut->logged, &again.logged) ||
        !is_same(&cut->unread, &again.unread) || !is_same(&cut->blind, &again.blind) ||
        cut->strategy != again.strategy)
        abort();
    cut_deinit(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct program program;
    if (!program.path)
        make_program(&program);
    size_t length;
    char *text = with_checksum(data, size, &length);
    struct cut cut;
    struct error *err = cut_parse(text, length, "cut", &program, &cut);
    if (!err) {
        check_members(&program, &cut);
        check_again(&program, &cut);
        cut_deinit(&cut);
    } else if (err->code != ERROR_INPUT) {
        abort();
    }
    error_free(err);
    free(text);
    return 0;
}
