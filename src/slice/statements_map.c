/*
 * Which code belongs to which statement.
 *
 * By the line and column of its debug location, which is where the statement, or the macro that
 * it comes from, begins.  Code without a location is no statement's: it is what functions begin and
 * end with.  Code that was inlined is also the statement's that calls it.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "slice/statements_impl.h"

bool statements_is_silent(const struct program *program, instruction_id id) {
    const struct instruction *at = &program->instructions.data[id];
    return at->flags & INSTRUCTION_SYNTHETIC || at->opcode == OP_UNREACHABLE ||
           ((at->opcode == OP_BRANCH || at->opcode == OP_RETURN) && !at->operands.count);
}

/* Names. */

static int compare_names(const void *a, const void *b) {
    const struct named_function *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (order)
        return order;
    return x->tree != y->tree ? (x->tree < y->tree ? -1 : 1)
                              : (x->function < y->function ? -1 : x->function > y->function);
}

static void collect_names(struct statements *all) {
    for (uint32_t t = 0; t < all->count; t++)
        for (uint32_t f = 0; f < all->trees[t]->functions.count; f++)
            VEC_PUSH(&all->names,
                     (struct named_function){all->trees[t]->functions.data[f].name, t, f});
    if (all->names.count)
        qsort(all->names.data, all->names.count, sizeof *all->names.data, compare_names);
}

size_t statements_find_name(const struct statements *all, const char *name) {
    size_t low = 0, high = all->names.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(all->names.data[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Places. */

static uint32_t function_at(const struct statements *all, const struct named_function *named) {
    return all->trees[named->tree]->functions.data[named->function].statement;
}

/* The statement of a place; NO_STATEMENT if it is in no tree's own text. */
static uint32_t find_place(const struct statements *all, const struct location *at,
                           uint32_t *ret_tree) {
    uint32_t t = at->file == NO_ID ? NO_ID : all->tree_of[at->file];
    if (t == NO_ID || !at->line)
        return NO_STATEMENT;
    *ret_tree = t;
    return syntax_find(all->trees[t], syntax_offset(all->trees[t], at->line, at->column));
}

/* Is it a block that can be cut?  Its own code is what it ends with: the result's way out, the
 * stack's. */
static bool is_block(const struct statements *all, uint32_t tree, uint32_t id) {
    const struct statement *statement = &all->trees[tree]->statements.data[id];
    uint32_t child = statement->first_child;
    return statement->kind == STATEMENT_COMPOUND &&
           (child == NO_STATEMENT || all->trees[tree]->statements.data[child].unit == child);
}

/* What functions of a name are as a whole: those that cannot be cut, or the program's own. */
static void add_whole(struct statements *all, const char *name, function_id function,
                      instruction_id id) {
    size_t before = all->places.count;
    for (size_t n = statements_find_name(all, name);
         n < all->names.count && strcmp(all->names.data[n].name, name) == 0; n++) {
        uint32_t tree = all->names.data[n].tree, statement = function_at(all, &all->names.data[n]);
        if (all->trees[tree]->statements.data[statement].first_child == NO_STATEMENT)
            VEC_PUSH(&all->places, (struct unit_instruction){all->first[tree] + statement, id});
    }
    if (all->places.count == before && function != NO_ID)
        VEC_PUSH(&all->places, (struct unit_instruction){all->first[all->count] + function, id});
}

static void add_places(struct statements *all, instruction_id id) {
    const struct program *program = all->sdg->program;
    location_id location = program->instructions.data[id].location;
    for (; location != NO_ID; location = program->locations.data[location].inlined_at) {
        const struct location *at = &program->locations.data[location];
        uint32_t tree, statement = find_place(all, at, &tree);
        bool is_own = at->inlined_at == NO_ID;
        function_id function = is_own ? program_function_of(program, id) : NO_ID;
        scope_id scope = at->scope;
        while (scope != NO_ID && program->scopes.data[scope].kind != SCOPE_FUNCTION)
            scope = program->scopes.data[scope].parent;
        const char *name = scope != NO_ID ? program->scopes.data[scope].name : NULL;
        if (statement != NO_STATEMENT)
            VEC_PUSH(&all->places,
                     (struct unit_instruction){statements_unit(all, tree, statement), id});
        else if (at->line || function != NO_ID)
            add_whole(all, name ? name : program->functions.data[function].source_name, function,
                      id);
    }
}

/* Sources and program must fit: a function is where the debug information says. */
static struct error *check_function(const struct statements *all, function_id id) {
    const struct function *function = &all->sdg->program->functions.data[id];
    uint32_t t = function->file == NO_ID ? NO_ID : all->tree_of[function->file];
    if (!(function->flags & FUNCTION_DEFINED) || t == NO_ID || all->trees[t]->has_line_directives)
        return NULL;
    for (size_t n = statements_find_name(all, function->source_name);
         n < all->names.count && strcmp(all->names.data[n].name, function->source_name) == 0; n++)
        if (all->names.data[n].tree == t &&
            all->trees[t]->functions.data[all->names.data[n].function].line == function->line)
            return NULL;
    return error_new(ERROR_FAILED,
                     "%s has changed since the program was built, or is compiled with other "
                     "flags (--cflags): %s is not at line %u",
                     all->trees[t]->path, function->source_name, function->line);
}

static struct error *check_columns(const struct statements *all) {
    const struct program *program = all->sdg->program;
    for (size_t i = 0; i < program->locations.count; i++) {
        const struct location *at = &program->locations.data[i];
        if (at->line && !at->column && at->file != NO_ID && all->tree_of[at->file] != NO_ID)
            return error_new(ERROR_FAILED,
                             "%s: the debug information has no columns; build without "
                             "-gno-column-info",
                             program->files.data[at->file].name);
    }
    return NULL;
}

/* The statement of a call; NO_STATEMENT if it is no call, or in no tree's own text. */
static uint32_t find_call(const struct statements *all, instruction_id id, uint32_t *ret_tree) {
    const struct program *program = all->sdg->program;
    const struct instruction *call = &program->instructions.data[id];
    if (!(call->flags & INSTRUCTION_CALL) || call->location == NO_ID ||
        statements_is_silent(program, id))
        return NO_STATEMENT;
    return find_place(all, &program->locations.data[call->location], ret_tree);
}

/* Code that belongs to a block and none of its statements, as calls of destructors of variables
 * (__attribute__((cleanup))), holds the function together. */
static void find_whole(struct statements *all) {
    for (instruction_id i = 0; i < all->sdg->program->instructions.count; i++) {
        uint32_t tree, statement = find_call(all, i, &tree);
        if (statement == NO_STATEMENT || !is_block(all, tree, statement))
            continue;
        struct syntax_tree *of = all->trees[tree];
        syntax_make_whole(of, syntax_function_at(of, of->statements.data[statement].begin));
    }
}

/* What such a function calls is named in it, but not always by anything that the parser shows. */
static void name_callees(struct statements *all) {
    const struct program *program = all->sdg->program;
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        function_id callee = program->instructions.data[i].callee;
        uint32_t tree, statement = find_call(all, i, &tree);
        if (statement == NO_STATEMENT || callee == NO_ID ||
            all->trees[tree]->statements.data[statement].kind != STATEMENT_FUNCTION)
            continue;
        struct syntax_tree *of = all->trees[tree];
        char *name = mem_strdup(program->functions.data[callee].source_name);
        VEC_PUSH(&of->names, name);
        VEC_PUSH(&of->uses, (struct syntax_use){statement, NO_STATEMENT, name});
    }
}

static int compare_places(const void *a, const void *b) {
    const struct unit_instruction *x = a, *y = b;
    if (x->unit != y->unit)
        return x->unit < y->unit ? -1 : 1;
    return x->instruction < y->instruction ? -1 : x->instruction > y->instruction;
}

static void find_facts(struct statements *all) {
    const struct program *program = all->sdg->program;
    for (size_t i = 0; i < all->places.count; i++) {
        struct unit_instruction place = all->places.data[i];
        const struct instruction *at = &program->instructions.data[place.instruction];
        const struct block *block = &program->blocks.data[at->block];
        if (at->flags & INSTRUCTION_TERMINATOR && block->successors.count > 1)
            all->branches[place.unit] = true;
        if (at->flags & INSTRUCTION_NO_RETURN)
            all->ends[place.unit] = true;
    }
    /* Whose branch it is cannot be told in what is not cut. */
    for (uint32_t t = 0; t < all->count; t++)
        for (uint32_t s = 0; s < all->trees[t]->statements.count; s++) {
            const struct statement *statement = &all->trees[t]->statements.data[s];
            if (statement->unit != s && statement->parent == statement->unit)
                all->branches[all->first[t] + statement->unit] = false;
        }
}

static void find_gotos(struct statements *all) {
    const struct program *program = all->sdg->program;
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        const struct instruction *at = &program->instructions.data[i];
        uint32_t tree, statement;
        if (at->opcode != OP_BRANCH || at->operands.count || at->location == NO_ID)
            continue;
        statement = find_place(all, &program->locations.data[at->location], &tree);
        if (statement != NO_STATEMENT &&
            all->trees[tree]->statements.data[statement].kind == STATEMENT_GOTO)
            VEC_PUSH(&all->gotos,
                     (struct unit_instruction){statements_unit(all, tree, statement), i});
    }
}

struct error *statements_map(struct statements *all) {
    const struct program *program = all->sdg->program;
    collect_names(all);
    struct error *err = check_columns(all);
    for (function_id f = 0; !err && f < program->functions.count; f++)
        err = check_function(all, f);
    if (err)
        return err;
    find_whole(all);
    name_callees(all);
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        const struct instruction *at = &program->instructions.data[i];
        uint32_t tree, statement;
        if (statements_is_silent(program, i) || at->location == NO_ID)
            continue;
        statement = find_place(all, &program->locations.data[at->location], &tree);
        if (statement == NO_STATEMENT || !is_block(all, tree, statement))
            add_places(all, i);
    }
    if (all->places.count)
        qsort(all->places.data, all->places.count, sizeof *all->places.data, compare_places);
    for (size_t i = 0; i < all->places.count; i++)
        all->place_of[all->places.data[i].unit + 1]++;
    for (unit_id u = 0; u < all->total; u++)
        all->place_of[u + 1] += all->place_of[u];
    for (function_id f = 0; f < program->functions.count; f++)
        if (all->place_of[all->first[all->count] + f] <
            all->place_of[all->first[all->count] + f + 1])
            VEC_PUSH(&all->strangers, f);
    find_facts(all);
    find_gotos(all);
    return NULL;
}
