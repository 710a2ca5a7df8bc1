/*
 * The program model as a whole: against LLVM's own text of the same bitcode,
 * counted by other means; against itself, read again; and what is no program.
 */
#include "program_fixture.h"

/* What can be counted in LLVM's text, line by line. */
struct counts {
    size_t functions, blocks, instructions, loads, stores, calls, geps;
};

static struct counts count_text(char *text) {
    struct counts counts = {0};
    bool in_body = false, in_switch = false;
    char *rest;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "define ", 7) == 0) {
            in_body = true;
            counts.functions++;
            counts.blocks++; /* the entry's label may be left out */
        } else if (line[0] == '}') {
            in_body = false;
        } else if (in_switch) {
            in_switch = strncmp(line, "  ]", 3) != 0;
        } else if (in_body && line[0] != ' ' && line[0] != ';') {
            bool is_entry = !strstr(line, "preds =");
            counts.blocks += !is_entry;
        } else if (in_body && strncmp(line, "    #dbg", 8) != 0 && strncmp(line, "  ", 2) == 0) {
            counts.instructions++;
            counts.loads += strstr(line, " = load ") != NULL;
            counts.stores += strncmp(line, "  store ", 8) == 0;
            counts.geps += strstr(line, " = getelementptr ") != NULL;
            counts.calls += strncmp(line, "  call ", 7) == 0 || strstr(line, " = call ") ||
                            strncmp(line, "  tail call ", 12) == 0 || strstr(line, " = tail call ");
            in_switch = strncmp(line, "  switch ", 9) == 0;
        }
    }
    return counts;
}

static struct counts count_model(const struct program *program) {
    struct counts counts = {0};
    for (size_t i = 0; i < program->functions.count; i++)
        counts.functions += (program->functions.data[i].flags & FUNCTION_DEFINED) != 0;
    counts.blocks = program->blocks.count;
    counts.instructions = program->instructions.count;
    for (size_t i = 0; i < program->instructions.count; i++) {
        enum opcode opcode = program->instructions.data[i].opcode;
        counts.loads += opcode == OP_LOAD;
        counts.stores += opcode == OP_STORE;
        counts.geps += opcode == OP_GEP;
        counts.calls += opcode == OP_CALL;
    }
    return counts;
}

static void counts_agree_with_llvm_dis(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        char *bitcode CLEANUP_FREE = mem_printf("%s/list.bc", build->directory);
        char *ll CLEANUP_FREE = mem_printf("%s/list.ll", build->directory);
        char *text CLEANUP_FREE = NULL;
        size_t size;
        assert_null(program_llvm_text(build->path, NULL, &text));
        assert_null(io_write_file(ll, text, strlen(text)));
        free(text);
        text = NULL;
        /* Through the assembler and the disassembler, so that it is their text. */
        run((char *const[]){(char *)"llvm-as-19", ll, (char *)"-o", bitcode, NULL});
        run((char *const[]){(char *)"llvm-dis-19", bitcode, (char *)"-o", ll, NULL});
        assert_null(io_read_file(ll, &text, &size));
        struct counts theirs = count_text(text), ours = count_model(build->program);
        assert_int_equal(ours.functions, theirs.functions);
        assert_int_equal(ours.blocks, theirs.blocks);
        assert_int_equal(ours.instructions, theirs.instructions);
        assert_int_equal(ours.loads, theirs.loads);
        assert_int_equal(ours.stores, theirs.stores);
        assert_int_equal(ours.geps, theirs.geps);
        assert_int_equal(ours.calls, theirs.calls);
        /* And the bitcode file opens like the executable. */
        struct program *program;
        assert_null(program_open(bitcode, &program));
        assert_null(program_check(program));
        assert_int_equal(program->instructions.count, build->program->instructions.count);
        assert_false(program->is_executable);
        program_free(program);
    }
}

#define SAME_ARRAY(a, b, array)                                                                    \
    do {                                                                                           \
        assert_int_equal((a)->array.count, (b)->array.count);                                      \
        if ((a)->array.count)                                                                      \
            assert_memory_equal((a)->array.data, (b)->array.data,                                  \
                                (a)->array.count * sizeof *(a)->array.data);                       \
    } while (0)

static void opening_twice_gives_the_same(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        struct program *again;
        assert_null(program_open(build->path, &again));
        /* These hold no pointers and no padding. */
        SAME_ARRAY(build->program, again, operands);
        SAME_ARRAY(build->program, again, edges);
        SAME_ARRAY(build->program, again, indices);
        SAME_ARRAY(build->program, again, locations);
        SAME_ARRAY(build->program, again, lines);
        SAME_ARRAY(build->program, again, line_instructions);
        SAME_ARRAY(build->program, again, type_members);
        assert_int_equal(build->program->instructions.count, again->instructions.count);
        for (instruction_id i = 0; i < again->instructions.count; i++) {
            const struct instruction *first = &build->program->instructions.data[i];
            const struct instruction *second = &again->instructions.data[i];
            assert_int_equal(first->opcode, second->opcode);
            assert_int_equal(first->flags, second->flags);
            assert_int_equal(first->location, second->location);
            assert_int_equal(first->object, second->object);
            assert_int_equal(first->access_size, second->access_size);
        }
        assert_int_equal(build->program->values.count, again->values.count);
        for (value_id i = 0; i < again->values.count; i++) {
            char *first CLEANUP_FREE = program_value_text(build->program, i);
            char *second CLEANUP_FREE = program_value_text(again, i);
            assert_string_equal(first, second);
        }
        program_free(again);
    }
}

static void what_is_no_program_is_refused(void **state) {
    (void)state;
    struct program *program = NULL;
    struct error *err = program_open("/nonexistent/program", &program);
    assert_int_equal(err->code, ERROR_FAILED);
    error_free(err);
    char *text CLEANUP_FREE = mem_printf("%s/list.c", builds[0].directory);
    err = program_open(text, &program);
    assert_int_equal(err->code, ERROR_INPUT);
    error_free(err);
    assert_null(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_agree_with_llvm_dis),
        cmocka_unit_test(opening_twice_gives_the_same),
        cmocka_unit_test(what_is_no_program_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
