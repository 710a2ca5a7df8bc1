/*
 * What the files of statements.h share.
 */
#ifndef RECUT_SLICE_STATEMENTS_IMPL_H
#define RECUT_SLICE_STATEMENTS_IMPL_H

#include "slice/completes.h"
#include "slice/statements.h"

/* Units have ids across all trees: those of tree t from first[t] on, by statement; behind all of
 * them one for each function of the program, for those whose source is in no tree. */
typedef uint32_t unit_id;

struct unit_instruction {
    unit_id unit;
    instruction_id instruction;
};

struct named_function {
    const char *name;
    uint32_t tree, function;
};

struct statements {
    const struct sdg *sdg;
    struct syntax_tree **trees;
    uint32_t count;
    unit_id *first; /* by tree, and one more: the first of the program's functions */
    unit_id total;
    uint32_t *tree_of;                   /* by file: the tree that is its text, or NO_ID */
    VEC(struct named_function) names;    /* ascending by name */
    VEC(struct unit_instruction) places; /* ascending by unit */
    uint32_t *place_of;                  /* by unit, and one more */
    VEC(struct unit_instruction) gotos;  /* what goto statements are made of, by instruction */
    VEC(function_id) strangers;          /* functions of the program whose source is in no tree */
    uint32_t *use_of, *uses;             /* by unit, and one more: numbers of the tree's uses */
    bool *branches, *ends;               /* by unit; struct completes_facts */
    uint8_t *stay;                       /* by unit */
    bool *referred;                      /* by entry of `names` */
    VEC(unit_id) work;
};

/* statements_map.c: from code to units. */
struct error *statements_map(struct statements *all);
/* Has it no meaning of its own in a source: jumps to where control goes anyway, bookkeeping? */
bool statements_is_silent(const struct program *program, instruction_id id);
/* Functions of a name: entries of `names` from the result on; the number of them if none. */
size_t statements_find_name(const struct statements *all, const char *name);

static inline unit_id statements_unit(const struct statements *all, uint32_t tree,
                                      uint32_t statement) {
    return all->first[tree] + all->trees[tree]->statements.data[statement].unit;
}

#endif
