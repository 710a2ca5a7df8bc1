/*
 * Memory that was captured, place by place, as far as types lead: from the variables of the
 * program, the parameters of a call and what else somebody knows the type of, through all pointers.
 *
 *     struct walk walk = {.program = program, .capture = capture, .state = state, .secrets =
 * secrets, .visit = print, .data = out}; walk_variables(&walk); walk_parameters(&walk);
 *     walk_all(&walk);
 *
 * A pointer into a block of the heap is taken to lead to an array up to the block's end, any other
 * to one object.  Not followed are pointers to void and to functions, and numbers that are
 * pointers; of a union each member is one.  A place is visited once with each type.
 */
#ifndef RECUT_TESTGEN_WALK_H
#define RECUT_TESTGEN_WALK_H

#include "base/idmap.h"
#include "testgen/capture.h"
#include "testgen/secrets.h"

struct walk_place {
    const char *path;       /* "shop.first->name" */
    const char *secret;     /* what is private there, as it is named; NULL if nothing is */
    source_type_id type;    /* plain */
    uint64_t address, size; /* address 0: bytes of a parameter */
    const uint8_t *bytes;
};

struct walk_item {
    char *path;
    source_type_id type;
    uint64_t address, count;
};

struct walk {
    const struct program *program;
    const struct capture *capture;
    const struct capture_state *state;
    const struct secrets *secrets; /* NULL: nothing is private */
    /* Of numbers, pointers and texts; of what is private, whatever it is, as a whole, and of what
     * it points to. */
    void (*visit)(const struct walk_place *place, void *data);
    void *data;
    VEC(struct walk_item) items;
    struct idmap seen;
};

void walk_variables(struct walk *walk);
void walk_parameters(struct walk *walk);
/* A local variable. */
void walk_local(struct walk *walk, variable_id variable, uint64_t address);
/* Visits all, and ends the walk. */
void walk_all(struct walk *walk);

/* How much there is from an address on: to the end of the heap's block or of the variable; 0 if
 * neither is there. */
uint64_t walk_extent(const struct program *program, const struct capture *capture,
                     uint64_t address);

#endif
