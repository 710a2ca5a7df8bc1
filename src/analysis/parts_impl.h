/*
 * What the files parts*.c share.
 *
 *   parts.c          runs them; questions
 *   parts_touch.c    what each function touches: bytes behind parameters, cells
 *   parts_group.c    cells that belong together, and what may be the same memory
 */
#ifndef RECUT_ANALYSIS_PARTS_IMPL_H
#define RECUT_ANALYSIS_PARTS_IMPL_H

#include "analysis/parts.h"
#include "base/idmap.h"

struct byte_range {
    int32_t low, high;
};

/* Bytes behind one parameter; distinct, in any order until parts are made. */
typedef VEC(struct byte_range) byte_ranges;

typedef VEC(uint32_t) number_vec;

struct function_parts {
    byte_ranges *ranges; /* by argument */
    struct bitset
        *behind;       /* by argument: cells that what is accessed through it may be, in any call */
    struct bitset own; /* cells that it touches itself, in its frame or not */
    struct bitset regions;                    /* that these cells come from */
    uint32_t first, count;                    /* in `all` */
    uint32_t root_count;                      /* parts behind parameters come first, */
    uint32_t own_count;                       /* then private groups, then those of the component */
    number_vec private_cells, private_groups; /* parallel; the number of the group */
    number_vec *aliases; /* by part behind a parameter: other parts; and the way back */
};

struct component_parts {
    struct bitset touched;    /* cells, without those that no caller sees */
    number_vec cells, groups; /* parallel: shared cells, ascending, and their group's number */
    number_vec first_cell;    /* by group: in `cell_pool`; one more at the end */
};

struct parts {
    const struct program *program;
    struct effects *effects;
    struct cells *cells;
    const struct callgraph *graph;
    struct function_parts *functions;
    struct component_parts *components;
    VEC(struct part) all;
    number_vec cell_pool;
    function_id *toucher; /* by cell: the only function that touches it; NO_ID: several */
    bool *is_hub;         /* by cell */
    uint32_t hub_count;
    struct idmap narrow;    /* by region, plus one: where its cells that are no hubs are, in */
    number_vec narrow_pool; /* this, behind their number */
    uint32_t *seen;         /* by part of a function: place in a list of uses plus one */
};

/* Where bytes behind a parameter of a callee lie in a call: behind a parameter of the
 * caller, or in a region. */
struct translated {
    uint32_t argument; /* NO_ID: a region */
    struct byte_range bytes;
    bool is_spread;  /* behind a parameter: it is somewhere in the bytes, not all of them */
    uint32_t region; /* NO_ID if there is none */
    value_id value;  /* what the region is behind; NO_ID: of an external caller */
};
struct translated parts_translate(const struct parts *parts, instruction_id call,
                                  function_id callee, uint32_t argument, struct byte_range bytes);
/* The bytes behind a parameter that an access with a root may touch. */
struct byte_range parts_range_of_effect(const struct memory_effect *effect);
/* Where bytes behind a parameter lie if that has a value. */
uint32_t parts_region(const struct parts *parts, function_id function, uint32_t argument,
                      value_id value, struct byte_range bytes);

static inline bool parts_is_all(struct byte_range bytes) { return bytes.low == PART_LOW; }

/* Components that the functions of one call, without itself; the caller deinits. */
struct bitset parts_called(const struct parts *parts, uint32_t component);

/* A local that its function alone touches. */
bool parts_is_private(const struct parts *parts, uint32_t cell);

struct cell_list {
    const uint32_t *cells; /* ascending */
    uint32_t count;
};

/* The cells of a region that are no hubs, until the next call. */
struct cell_list parts_narrow(struct parts *parts, uint32_t region);

/* The part of a function that a cell is in, NO_ID if it has none. */
uint32_t parts_find(const struct parts *parts, function_id function, uint32_t cell);

void parts_find_touched(struct parts *parts);
void parts_choose_hubs(struct parts *parts, uint64_t most_actuals);
void parts_make_groups(struct parts *parts);

#endif
