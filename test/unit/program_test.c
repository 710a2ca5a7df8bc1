/*
 * The program model, on small programs that recut-cc builds here, with and
 * without optimisation: against what is known of their source, and against
 * LLVM's own text of the same bitcode, counted by other means.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/io.h"
#include "program/program.h"

static const char source[] = "#include <stdlib.h>\n"                                     /* 1 */
                             "#include <string.h>\n"                                     /* 2 */
                             "enum colour { RED, GREEN = 5, BLUE = -2 };\n"              /* 3 */
                             "typedef struct point { int x, y; } point;\n"               /* 4 */
                             "struct node {\n"                                           /* 5 */
                             "    struct node *next;\n"                                  /* 6 */
                             "    point where;\n"                                        /* 7 */
                             "    unsigned flags : 3, more : 5;\n"                       /* 8 */
                             "    char name[12];\n"                                      /* 9 */
                             "    enum colour colour;\n"                                 /* 10 */
                             "};\n"                                                      /* 11 */
                             "static struct node *head;\n"                               /* 12 */
                             "int counter = 3;\n"                                        /* 13 */
                             "static const char *const names[] = {\"one\", \"two\"};\n"  /* 14 */
                             "static __thread long calls = 7;\n"                         /* 15 */
                             "static volatile int flag;\n"                               /* 16 */
                             "__attribute__((noinline))\n"                               /* 17 */
                             "static struct node *push(const char *name, int x) {\n"     /* 18 */
                             "    struct node *n = malloc(sizeof *n);\n"                 /* 19 */
                             "    calls++;\n"                                            /* 20 */
                             "    n->where.y = x;\n"                                     /* 21 */
                             "    strncpy(n->name, name, sizeof n->name);\n"             /* 22 */
                             "    n->next = head;\n"                                     /* 23 */
                             "    return head = n;\n"                                    /* 24 */
                             "}\n"                                                       /* 25 */
                             "__attribute__((noinline))\n"                               /* 26 */
                             "static void fill(int *table, int n) {\n"                   /* 27 */
                             "    for (int i = 0; i < n; i++)\n"                         /* 28 */
                             "        table[i] = i * n;\n"                               /* 29 */
                             "}\n"                                                       /* 30 */
                             "static inline int twice(int v) { return 2 * v; }\n"        /* 31 */
                             "int (*const operations[])(int) = {twice, abs};\n"          /* 32 */
                             "__attribute__((noinline))\n"                               /* 33 */
                             "int total(int limit) {\n"                                  /* 34 */
                             "    int table[8];\n"                                       /* 35 */
                             "    fill(table, 8);\n"                                     /* 36 */
                             "    if (limit > 7)\n"                                      /* 37 */
                             "        abort();\n"                                        /* 38 */
                             "    return table[limit] + operations[limit & 1](limit);\n" /* 39 */
                             "}\n"                                                       /* 40 */
                             "int main(int argc, char **argv) {\n"                       /* 41 */
                             "    (void)argv;\n"                                         /* 42 */
                             "    push(names[argc & 1], argc);\n"                        /* 43 */
                             "    __atomic_fetch_add(&counter, 2, __ATOMIC_SEQ_CST);\n"  /* 44 */
                             "    flag = twice(argc);\n"                                 /* 45 */
                             "    switch (argc) {\n"                                     /* 46 */
                             "    case 1: return total(argc);\n"                         /* 47 */
                             "    case 5: return total(2);\n"                            /* 48 */
                             "    default: return (int)calls;\n"                         /* 49 */
                             "    }\n"                                                   /* 50 */
                             "}\n";                                                      /* 51 */

/* One build of the source. */
struct build {
    const char *level;
    char *directory, *path;
    struct program *program;
};

static char *compiler(void) {
    const char *given = getenv("RECUT_CC");
    return mem_strdup(given ? given : "build/bin/recut-cc");
}

static void run(char *const argv[]) {
    struct io_child child;
    struct error *err = io_run(argv, true, &child);
    assert_null(err);
    if (child.exit_code)
        print_error("%s: exit %d\n%s", argv[0], child.exit_code, child.err);
    assert_int_equal(child.exit_code, 0);
    io_child_deinit(&child);
}

static struct build build_at(const char *level) {
    struct build build = {.level = level};
    assert_null(io_make_temp_dir(&build.directory));
    char *c CLEANUP_FREE = mem_printf("%s/list.c", build.directory);
    char *cc CLEANUP_FREE = compiler();
    build.path = mem_printf("%s/list", build.directory);
    assert_null(io_write_file(c, source, sizeof source - 1));
    run((char *const[]){cc, (char *)"-g", (char *)level, c, (char *)"-o", build.path, NULL});
    assert_null(program_open(build.path, &build.program));
    return build;
}

static struct build builds[2];
#define FOR_EACH_BUILD(build)                                                                      \
    for (struct build *build = builds; build < builds + sizeof builds / sizeof *builds; build++)

static int set_up(void **state) {
    (void)state;
    builds[0] = build_at("-O0");
    builds[1] = build_at("-O2");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    FOR_EACH_BUILD(build) {
        program_free(build->program);
        io_remove_tree(build->directory);
        free(build->directory);
        free(build->path);
    }
    return 0;
}

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
        cmocka_unit_test(models_are_consistent),
        cmocka_unit_test(functions_are_as_written),
        cmocka_unit_test(frames_have_their_locals),
        cmocka_unit_test(globals_are_as_written),
        cmocka_unit_test(thread_locals_have_moved),
        cmocka_unit_test(structs_have_their_fields),
        cmocka_unit_test(accesses_are_described),
        cmocka_unit_test(the_heap_site_is_known),
        cmocka_unit_test(geps_name_fields),
        cmocka_unit_test(variables_are_found),
        cmocka_unit_test(inlining_is_recorded),
        cmocka_unit_test(switches_keep_their_cases),
        cmocka_unit_test(bookkeeping_is_told_apart),
        cmocka_unit_test(counts_agree_with_llvm_dis),
        cmocka_unit_test(opening_twice_gives_the_same),
        cmocka_unit_test(what_is_no_program_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
