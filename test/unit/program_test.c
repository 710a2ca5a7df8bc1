/*
 * The program model, on a small program that recut-cc builds here, with and
 * without optimisation: against what is known of its source.
 */
#include "program_fixture.h"

static const struct function *find_function(const struct program *program, const char *name) {
    function_id id = program_find_function(program, name, 0);
    assert_int_not_equal(id, NO_ID);
    return &program->functions.data[id];
}

static const struct memory *find_global(const struct program *program, const char *name) {
    for (size_t i = 0; i < program->memory.count; i++)
        if (program->memory.data[i].kind == MEMORY_GLOBAL &&
            strcmp(program->memory.data[i].name, name) == 0)
            return &program->memory.data[i];
    fail_msg("no global %s", name);
    return NULL;
}

/* The variable of this name that is declared on this line. */
static const struct variable *find_variable(const struct program *program, const char *name,
                                            uint32_t line) {
    for (size_t i = 0; i < program->variables.count; i++)
        if (program->variables.data[i].line == line &&
            strcmp(program->variables.data[i].name, name) == 0)
            return &program->variables.data[i];
    return NULL;
}

static struct range line_of(const struct program *program, uint32_t line) {
    file_id file = program_find_file(program, "list.c", 0);
    assert_int_not_equal(file, NO_ID);
    return program_find_line(program, file, line);
}

/* An instruction with this opcode that comes from this line. */
static const struct instruction *find_on_line(const struct program *program, uint32_t line,
                                              enum opcode opcode) {
    struct range range = line_of(program, line);
    for (uint32_t i = 0; i < range.count; i++) {
        instruction_id id = program->line_instructions.data[range.first + i];
        if (program->instructions.data[id].opcode == opcode)
            return &program->instructions.data[id];
    }
    return NULL;
}

static void models_are_consistent(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        struct error *err = program_check(build->program);
        if (err)
            fail_msg("%s: %s", build->level, err->message);
    }
}

static void functions_are_as_written(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        const struct program *program = build->program;
        const struct function *push = find_function(program, "push");
        assert_string_equal(push->source_name, "push");
        assert_int_equal(push->line, 18);
        assert_int_equal(push->arguments.count, 2);
        assert_true(push->flags & FUNCTION_DEFINED && push->flags & FUNCTION_STATIC);
        assert_false(push->flags & FUNCTION_VARIADIC);
        assert_null(push->left_out);
        assert_int_not_equal(push->address, 0);
        char *text CLEANUP_FREE = program_source_type_text(program, push->source_type);
        assert_string_equal(text, "struct node *(const char *, int)");
        assert_true(find_function(program, "main")->flags & FUNCTION_VISIBLE);
        assert_true(find_function(program, "abort")->flags & FUNCTION_NO_RETURN);
        assert_true(find_function(program, "abs")->flags & FUNCTION_ADDRESS_TAKEN);
        assert_false(find_function(program, "strncpy")->flags & FUNCTION_DEFINED);
        assert_int_equal(program_find_function(program, "absent", 0), NO_ID);
    }
    /* Optimisation drops the result, which nobody uses. */
    const struct function *plain = find_function(builds[0].program, "push");
    char *type CLEANUP_FREE = program_type_text(builds[0].program, plain->type);
    assert_string_equal(type, "ptr (ptr, i32)");
    assert_true(plain->flags & FUNCTION_UNOPTIMISED);
    assert_false(find_function(builds[1].program, "push")->flags & FUNCTION_UNOPTIMISED);
}

static void frames_have_their_locals(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        const struct program *program = build->program;
        const struct variable *table = find_variable(program, "table", 35);
        assert_non_null(table);
        assert_int_not_equal(table->memory, NO_ID);
        const struct memory *slot = &program->memory.data[table->memory];
        assert_int_equal(slot->kind, MEMORY_SLOT);
        assert_int_equal(slot->size, 32);
        assert_true(slot->flags & MEMORY_SIZE_EXACT);
        assert_string_equal(slot->name, "table");
        const struct function *total = find_function(program, "total");
        assert_ptr_equal(&program->functions.data[slot->function], total);
        assert_true(total->flags & FUNCTION_FRAME && total->frame_size >= 32);
        char *type CLEANUP_FREE = program_source_type_text(program, table->type);
        assert_string_equal(type, "int [8]");
        /* The call of fill passes the slot's address. */
        const struct instruction *call = find_on_line(program, 36, OP_CALL);
        int64_t offset;
        value_id passed =
            program_strip_offsets(program, program->operands.data[call->operands.first], &offset);
        assert_int_equal(passed, slot->value);
        assert_int_equal(offset, 0);
    }
}

static void globals_are_as_written(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        const struct program *program = build->program;
        const struct memory *counter = find_global(program, "counter");
        assert_int_equal(counter->size, 4);
        assert_int_equal(counter->initial_kind, INITIAL_DATA);
        assert_int_equal(program->values.data[counter->initial].number, 3);
        assert_false(counter->flags & MEMORY_CONSTANT);
        assert_int_equal(program->variables.data[counter->variable].line, 13);
        assert_int_equal(find_global(program, "head")->initial_kind, INITIAL_ZERO);
        const struct memory *names = find_global(program, "names");
        assert_true(names->flags & MEMORY_CONSTANT);
        assert_int_equal(names->pointers.count, 2);
        const struct initial_pointer *second =
            &program->initial_pointers.data[names->pointers.first + 1];
        assert_int_equal(second->offset, 8);
        memory_id literal = program->values.data[second->value].definition;
        assert_true(program->memory.data[literal].flags & MEMORY_STRING);
        assert_string_equal(program->values.data[program->memory.data[literal].initial].text,
                            "two");
    }
}

static void thread_locals_have_moved(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        const struct program *program = build->program;
        size_t count = 0;
        for (size_t i = 0; i < program->memory.count; i++)
            if (program->memory.data[i].kind == MEMORY_THREAD_LOCAL) {
                count++;
                assert_int_equal(program->memory.data[i].size, 8);
            }
        assert_int_equal(count, 1);
        const struct instruction *store = find_on_line(program, 20, OP_STORE);
        assert_non_null(store);
        assert_false(store->flags & INSTRUCTION_SYNTHETIC);
        const struct value *address = &program->values.data[store->written_at];
        memory_id object = program->instructions.data[address->definition].object;
        assert_int_equal(program->memory.data[object].kind, MEMORY_THREAD_LOCAL);
    }
}

static void structs_have_their_fields(void **state) {
    (void)state;
    static const struct {
        const char *name, *type;
        uint64_t bit_offset, bit_size;
    } wanted[] = {
        {"next", "struct node *", 0, 64},  {"where", "point", 64, 64},
        {"flags", "unsigned int", 128, 3}, {"more", "unsigned int", 131, 5},
        {"name", "char [12]", 136, 96},    {"colour", "enum colour", 256, 32},
    };
    FOR_EACH_BUILD(build) {
        const struct program *program = build->program;
        source_type_id id = 0;
        while (id < program->source_types.count &&
               (program->source_types.data[id].kind != SOURCE_STRUCT ||
                strcmp(program->source_types.data[id].name, "node") != 0))
            id++;
        assert_true(id < program->source_types.count);
        const struct source_type *node = &program->source_types.data[id];
        assert_int_equal(node->size, 40);
        assert_int_equal(node->line, 5);
        assert_int_equal(node->fields.count, sizeof wanted / sizeof *wanted);
        for (uint32_t i = 0; i < node->fields.count; i++) {
            const struct field *field = &program->fields.data[node->fields.first + i];
            char *type CLEANUP_FREE = program_source_type_text(program, field->type);
            assert_string_equal(field->name, wanted[i].name);
            assert_string_equal(type, wanted[i].type);
            assert_int_equal(field->bit_offset, wanted[i].bit_offset);
            assert_int_equal(field->bit_size, wanted[i].bit_size);
        }
        char *text CLEANUP_FREE = program_field_text(program, id, 12);
        assert_string_equal(text, "where.y");
        char *element CLEANUP_FREE = program_field_text(program, id, 20);
        assert_string_equal(element, "name[3]");
        source_type_id colour = program->fields.data[node->fields.first + 5].type;
        const struct field *blue =
            &program->fields.data[program->source_types.data[colour].fields.first + 2];
        assert_string_equal(blue->name, "BLUE");
        assert_int_equal(blue->number, -2);
    }
}

static void accesses_are_described(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        const struct program *program = build->program;
        const struct instruction *update = find_on_line(program, 44, OP_ATOMICRMW);
        assert_true(update->flags & INSTRUCTION_ATOMIC && update->flags & INSTRUCTION_READS &&
                    update->flags & INSTRUCTION_WRITES);
        assert_int_equal(update->ordering, ORDERING_SEQ_CST);
        assert_int_equal(update->access_size, 4);
        assert_string_equal(instruction_predicate_name(update), "add");
        assert_int_equal(program->values.data[update->read_at].definition,
                         find_global(program, "counter") - program->memory.data);
        const struct instruction *flag = find_on_line(program, 45, OP_STORE);
        assert_true(flag->flags & INSTRUCTION_VOLATILE);
        const struct instruction *indirect = NULL;
        struct range line = line_of(program, 39);
        for (uint32_t i = 0; i < line.count; i++) {
            const struct instruction *at =
                &program->instructions.data[program->line_instructions.data[line.first + i]];
            if (at->flags & INSTRUCTION_INDIRECT)
                indirect = at;
        }
        assert_non_null(indirect);
        assert_int_equal(indirect->callee, NO_ID);
    }
}

static void the_heap_site_is_known(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        const struct program *program = build->program;
        const struct instruction *call = find_on_line(program, 19, OP_CALL);
        assert_non_null(call);
        assert_string_equal(program->functions.data[call->callee].name, "__recut_malloc");
        const struct memory *object = &program->memory.data[call->object];
        assert_int_equal(object->kind, MEMORY_HEAP);
        assert_int_equal(object->size, 40);
        assert_ptr_equal(&program->instructions.data[object->site], call);
    }
}

static void geps_name_fields(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        const struct program *program = build->program;
        bool found = false;
        struct range line = line_of(program, 21);
        for (uint32_t i = 0; i < line.count; i++) {
            const struct instruction *at =
                &program->instructions.data[program->line_instructions.data[line.first + i]];
            char *text CLEANUP_FREE = program_gep_text(program, at);
            found |= text && (strcmp(text, "node.where.y") == 0 || strcmp(text, "point.y") == 0);
        }
        assert_true(found);
    }
}

static void variables_are_found(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        const struct program *program = build->program;
        const struct variable *x = find_variable(program, "x", 18);
        assert_non_null(x);
        assert_int_equal(x->argument, 2);
        assert_int_equal(program->scopes.data[x->scope].function,
                         program_find_function(program, "push", 0));
        assert_true(x->places.count > 0);
        assert_non_null(find_variable(program, "n", 19));
        assert_int_equal(find_variable(program, "n", 19)->argument, 0);
        assert_non_null(find_variable(program, "i", 28));
    }
    const struct program *optimised = builds[1].program;
    const struct place *place =
        &optimised->places.data[find_variable(optimised, "x", 18)->places.first];
    assert_int_equal(place->kind, PLACE_VALUE);
    assert_int_equal(optimised->values.data[place->value].kind, VALUE_ARGUMENT);
    assert_int_equal(optimised->values.data[place->value].number, 1);
    const struct program *plain = builds[0].program;
    assert_int_not_equal(find_variable(plain, "x", 18)->memory, NO_ID);
}

static void inlining_is_recorded(void **state) {
    (void)state;
    const struct program *program = builds[1].program;
    struct range line = line_of(program, 31);
    bool found = false;
    for (uint32_t i = 0; i < line.count; i++) {
        const struct instruction *at =
            &program->instructions.data[program->line_instructions.data[line.first + i]];
        const struct location *location = &program->locations.data[at->location];
        if (location->inlined_at == NO_ID)
            continue;
        assert_int_equal(program->locations.data[location->inlined_at].line, 45);
        assert_string_equal(program->scopes.data[location->scope].name, "twice");
        found = true;
    }
    assert_true(found);
}

static void switches_keep_their_cases(void **state) {
    (void)state;
    const struct program *program = builds[0].program;
    const struct instruction *choice = find_on_line(program, 46, OP_SWITCH);
    assert_int_equal(choice->operands.count, 3);
    assert_int_equal(
        program->values.data[program->operands.data[choice->operands.first + 2]].number, 5);
    assert_int_equal(program->blocks.data[choice->block].successors.count, 3);
}

/* Bookkeeping is marked, and nothing that a line of the program asks for is. */
static void bookkeeping_is_told_apart(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        const struct program *program = build->program;
        value_id self = find_global(program, "__recut_self")->value;
        for (size_t i = 0; i < program->instructions.count; i++) {
            const struct instruction *at = &program->instructions.data[i];
            value_id address = at->read_at != NO_ID ? at->read_at : at->written_at;
            int64_t offset;
            bool is_self =
                address != NO_ID && program_strip_offsets(program, address, &offset) == self;
            if (is_self || program->blocks.data[at->block].synthetic)
                assert_true(at->flags & INSTRUCTION_SYNTHETIC);
            else if (at->flags & (INSTRUCTION_READS | INSTRUCTION_WRITES | INSTRUCTION_CALL) &&
                     at->location != NO_ID)
                assert_false(at->flags & INSTRUCTION_SYNTHETIC);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_consistent),     cmocka_unit_test(functions_are_as_written),
        cmocka_unit_test(frames_have_their_locals),  cmocka_unit_test(globals_are_as_written),
        cmocka_unit_test(thread_locals_have_moved),  cmocka_unit_test(structs_have_their_fields),
        cmocka_unit_test(accesses_are_described),    cmocka_unit_test(the_heap_site_is_known),
        cmocka_unit_test(geps_name_fields),          cmocka_unit_test(variables_are_found),
        cmocka_unit_test(inlining_is_recorded),      cmocka_unit_test(switches_keep_their_cases),
        cmocka_unit_test(bookkeeping_is_told_apart),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
