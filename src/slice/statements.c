/*
 * What stays of sources; statements.h.
 */
#include "slice/statements.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "slice/statements_impl.h"

static void mark(struct statements *all, unit_id unit, enum stay stay) {
    if (all->stay[unit] >= stay)
        return;
    all->stay[unit] = (uint8_t)stay;
    VEC_PUSH(&all->work, unit);
}

static const struct statement *at(const struct statements *all, uint32_t tree, uint32_t id) {
    return &all->trees[tree]->statements.data[id];
}

static void mark_jump(struct statements *all, uint32_t tree, uint32_t id) {
    const struct statement *jump = at(all, tree, id);
    bool is_bare =
        jump->unit == id && jump->kind == STATEMENT_RETURN && jump->has_value && jump->is_scalar;
    mark(all, statements_unit(all, tree, id), is_bare ? STAY_JUMP : STAY_ALL);
}

/* All that leaves a statement, or may. */
static void mark_jumps(struct statements *all, uint32_t tree, uint32_t id) {
    const struct statement *statement = at(all, tree, id);
    bool is_jump = statement->kind >= STATEMENT_BREAK;
    if (is_jump || statement->has_jump || all->ends[statements_unit(all, tree, id)])
        mark_jump(all, tree, id);
    for (uint32_t child = statement->first_child; child != NO_STATEMENT;
         child = at(all, tree, child)->next)
        mark_jumps(all, tree, child);
}

static void mark_cases(struct statements *all, uint32_t tree, uint32_t id) {
    if (at(all, tree, id)->is_case)
        mark(all, statements_unit(all, tree, id), STAY_ALL);
    for (uint32_t child = at(all, tree, id)->first_child; child != NO_STATEMENT;
         child = at(all, tree, child)->next)
        if (at(all, tree, child)->kind != STATEMENT_SWITCH)
            mark_cases(all, tree, child);
}

static void mark_parts(struct statements *all, uint32_t tree, uint32_t id) {
    const struct statement *statement = at(all, tree, id);
    unit_id base = all->first[tree];
    struct completes_facts facts = {all->branches + base, all->ends + base};
    if (statement->kind == STATEMENT_SWITCH)
        mark_cases(all, tree, id);
    /* An endless loop must be left as before. */
    if ((statement->kind == STATEMENT_LOOP || statement->kind == STATEMENT_DO) &&
        !all->branches[base + id])
        mark_jumps(all, tree, id);
    for (uint32_t child = statement->first_child; child != NO_STATEMENT;
         child = at(all, tree, child)->next) {
        if (statement->kind == STATEMENT_FUNCTION || at(all, tree, child)->kind == STATEMENT_TYPES)
            mark(all, statements_unit(all, tree, child), STAY_ALL);
        if (all->stay[statements_unit(all, tree, child)] == STAY_NOT &&
            !completes(all->trees[tree], &facts, child))
            mark_jumps(all, tree, child);
    }
}

/* A function is named: its text is there anyway if it cannot be cut out of where it is, and
 * then it has to work. */
static void mark_function(struct statements *all, const char *name) {
    for (size_t n = statements_find_name(all, name);
         n < all->names.count && strcmp(all->names.data[n].name, name) == 0; n++) {
        const struct named_function *named = &all->names.data[n];
        const struct syntax_function *function =
            &all->trees[named->tree]->functions.data[named->function];
        all->referred[n] = true;
        if (!function->has_body)
            mark(all, all->first[named->tree] + function->statement, STAY_ALL);
    }
    for (size_t i = 0; i < all->strangers.count; i++) {
        const struct function *function =
            &all->sdg->program->functions.data[all->strangers.data[i]];
        if (strcmp(function->source_name, name) == 0 || strcmp(function->name, name) == 0)
            mark(all, all->first[all->count] + all->strangers.data[i], STAY_ALL);
    }
}

/* Blocks from which `from` is reached without `head`: the loop that a jump back is the end of. */
static void find_loop(const struct program *program, block_id head, block_id from,
                      struct bitset *ret) {
    VEC(block_id) work = {0};
    bitset_add(ret, head);
    if (bitset_add(ret, from))
        VEC_PUSH(&work, from);
    while (work.count) {
        struct range before = program->blocks.data[work.data[--work.count]].predecessors;
        for (uint32_t i = 0; i < before.count; i++) {
            block_id block = program->edges.data[before.first + i];
            if (bitset_add(ret, block))
                VEC_PUSH(&work, block);
        }
    }
    VEC_DEINIT(&work);
}

static bool leaves_loop(const struct program *program, const struct bitset *loop, block_id id) {
    struct range after = program->blocks.data[id].successors;
    for (uint32_t i = 0; i < after.count; i++)
        if (!bitset_has(loop, program->edges.data[after.first + i]))
            return true;
    return false;
}

/* A goto that stays and goes back makes a loop: what leaves it stays, too. */
static void mark_leaving(struct statements *all, unit_id unit) {
    const struct program *program = all->sdg->program;
    for (size_t g = 0; g < all->gotos.count; g++) {
        if (all->gotos.data[g].unit != unit)
            continue;
        block_id from = program->instructions.data[all->gotos.data[g].instruction].block;
        block_id head = program->edges.data[program->blocks.data[from].successors.first];
        struct bitset loop = {0};
        if (head <= from)
            find_loop(program, head, from, &loop);
        for (size_t i = 0; i < all->places.count && !bitset_is_empty(&loop); i++) {
            const struct instruction *at =
                &program->instructions.data[all->places.data[i].instruction];
            if (at->flags & INSTRUCTION_TERMINATOR && bitset_has(&loop, at->block) &&
                leaves_loop(program, &loop, at->block))
                mark(all, all->places.data[i].unit, STAY_ALL);
        }
        bitset_deinit(&loop);
    }
}

static void spread(struct statements *all) {
    while (all->work.count) {
        unit_id unit = all->work.data[--all->work.count];
        if (unit >= all->first[all->count])
            continue;
        uint32_t tree = 0;
        while (unit >= all->first[tree + 1])
            tree++;
        uint32_t id = unit - all->first[tree];
        const struct statement *statement = at(all, tree, id);
        if (statement->parent != NO_STATEMENT)
            mark(all, statements_unit(all, tree, statement->parent), STAY_ALL);
        if (all->stay[unit] != STAY_ALL)
            continue;
        for (uint32_t i = all->use_of[unit]; i < all->use_of[unit + 1]; i++) {
            const struct syntax_use *use = &all->trees[tree]->uses.data[all->uses[i]];
            if (use->function)
                mark_function(all, use->function);
            else
                mark(all, statements_unit(all, tree, use->used), STAY_ALL);
        }
        if (statement->kind == STATEMENT_GOTO)
            mark_leaving(all, unit);
        mark_parts(all, tree, id);
    }
}

/* Is what a call reads that of a function outside of the program?  It reads it whatever the
 * slice wants of it. */
static bool is_external(const struct sdg *sdg, instruction_id id) {
    uint32_t count;
    return sdg->program->instructions.data[id].flags & INSTRUCTION_CALL &&
           (effects_callees(sdg->effects, id, &count), count == 0);
}

static void add_code(const struct statements *all, const struct slice *slice, instruction_id id,
                     node_vec *more) {
    const struct sdg *sdg = all->sdg;
    if (!slice_has(slice, id))
        VEC_PUSH(more, id);
    if (!is_external(sdg, id))
        return;
    for (uint64_t e = sdg->out.start[id]; e < sdg->out.start[id + 1]; e++) {
        node_id to = sdg->out.edges[e].node;
        if (sdg->nodes.data[to].kind == NODE_ACTUAL_IN && sdg->nodes.data[to].of == id &&
            !slice_has(slice, to))
            VEC_PUSH(more, to);
    }
}

void statements_complete(void *data, const struct slice *slice, node_vec *more) {
    struct statements *all = data;
    for (size_t i = 0; i < all->places.count; i++)
        if (slice_has(slice, all->places.data[i].instruction))
            mark(all, all->places.data[i].unit, STAY_ALL);
    spread(all);
    for (size_t i = 0; i < all->places.count; i++)
        if (all->stay[all->places.data[i].unit] == STAY_ALL)
            add_code(all, slice, all->places.data[i].instruction, more);
}

enum stay statements_stay(const struct statements *all, uint32_t tree, uint32_t statement) {
    return all->stay[statements_unit(all, tree, statement)];
}

bool statements_refer(const struct statements *all, uint32_t tree, uint32_t function) {
    const char *name = all->trees[tree]->functions.data[function].name;
    for (size_t n = statements_find_name(all, name);
         n < all->names.count && strcmp(all->names.data[n].name, name) == 0; n++)
        if (all->names.data[n].tree == tree && all->names.data[n].function == function)
            return all->referred[n];
    return false;
}

/* Building. */

static void index_uses(struct statements *all) {
    uint64_t count = 0;
    for (uint32_t t = 0; t < all->count; t++)
        count += all->trees[t]->uses.count;
    all->uses = mem_zalloc(count + 1, sizeof *all->uses);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t t = all->count; t-- > 0;)
            for (size_t i = all->trees[t]->uses.count; i-- > 0;) {
                uint32_t user = all->trees[t]->uses.data[i].statement;
                if (user == NO_STATEMENT)
                    continue;
                unit_id unit = statements_unit(all, t, user);
                if (pass == 0)
                    all->use_of[unit]++;
                else
                    all->uses[--all->use_of[unit]] = (uint32_t)i;
            }
        for (unit_id u = 0; pass == 0 && u < all->total; u++)
            all->use_of[u + 1] += all->use_of[u];
    }
}

/* Is the text of a use there whatever stays? */
static bool is_fixed(const struct statements *all, const bool *fixed, uint32_t tree,
                     const struct syntax_use *use) {
    return use->statement == NO_STATEMENT || fixed[statements_unit(all, tree, use->statement)];
}

/* Functions that such text names; and those that have to be there though nothing names them. */
static void refer_always(struct statements *all) {
    bool *fixed CLEANUP_FREE = mem_zalloc(all->total + 1, sizeof *fixed);
    for (size_t n = 0; n < all->names.count; n++) {
        const struct named_function *named = &all->names.data[n];
        const struct syntax_function *function =
            &all->trees[named->tree]->functions.data[named->function];
        fixed[all->first[named->tree] + function->statement] = !function->has_body;
        function_id f = program_find_function(all->sdg->program, named->name, 0);
        for (; f != NO_ID; f = program_find_function(all->sdg->program, named->name, f + 1))
            all->referred[n] |=
                (all->sdg->program->functions.data[f].flags & FUNCTION_ADDRESS_TAKEN) != 0;
        all->referred[n] |= strcmp(named->name, "main") == 0;
    }
    for (uint32_t t = 0; t < all->count; t++)
        for (size_t i = 0; i < all->trees[t]->uses.count; i++) {
            const struct syntax_use *use = &all->trees[t]->uses.data[i];
            if (!use->function || !is_fixed(all, fixed, t, use))
                continue;
            for (size_t n = statements_find_name(all, use->function);
                 n < all->names.count && strcmp(all->names.data[n].name, use->function) == 0; n++)
                all->referred[n] = true;
        }
}

/* Files by their real names: debug information may spell one in several ways. */
static void find_trees(struct statements *all) {
    const struct program *program = all->sdg->program;
    for (file_id f = 0; f < program->files.count; f++) {
        char path[PATH_MAX];
        all->tree_of[f] = NO_ID;
        if (!realpath(program->files.data[f].path, path))
            continue;
        for (uint32_t t = 0; t < all->count; t++)
            if (strcmp(all->trees[t]->path, path) == 0)
                all->tree_of[f] = t;
    }
}

struct error *statements_new(const struct sdg *sdg, struct syntax_tree **trees, size_t count,
                             struct statements **ret) {
    struct statements *all = mem_zalloc(1, sizeof *all);
    all->sdg = sdg;
    all->trees = trees;
    all->count = (uint32_t)count;
    all->first = mem_zalloc(count + 1, sizeof *all->first);
    for (size_t t = 0; t < count; t++)
        all->first[t + 1] = all->first[t] + (unit_id)trees[t]->statements.count;
    all->total = all->first[count] + (unit_id)sdg->program->functions.count;
    all->tree_of = mem_zalloc(sdg->program->files.count + 1, sizeof *all->tree_of);
    all->place_of = mem_zalloc(all->total + 1, sizeof *all->place_of);
    all->use_of = mem_zalloc(all->total + 1, sizeof *all->use_of);
    all->branches = mem_zalloc(all->total + 1, sizeof *all->branches);
    all->ends = mem_zalloc(all->total + 1, sizeof *all->ends);
    all->stay = mem_zalloc(all->total + 1, sizeof *all->stay);
    find_trees(all);
    struct error *err = statements_map(all);
    if (err) {
        statements_free(all);
        return err;
    }
    all->referred = mem_zalloc(all->names.count + 1, sizeof *all->referred);
    index_uses(all);
    refer_always(all);
    *ret = all;
    return NULL;
}

void statements_free(struct statements *all) {
    if (!all)
        return;
    free(all->first);
    free(all->tree_of);
    free(all->place_of);
    free(all->use_of);
    free(all->uses);
    free(all->branches);
    free(all->ends);
    free(all->stay);
    free(all->referred);
    VEC_DEINIT(&all->names);
    VEC_DEINIT(&all->places);
    VEC_DEINIT(&all->gotos);
    VEC_DEINIT(&all->strangers);
    VEC_DEINIT(&all->work);
    free(all);
}
