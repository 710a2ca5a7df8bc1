/* What the files andersen*.c share. */
#ifndef RECUT_ANALYSIS_ANDERSEN_IMPL_H
#define RECUT_ANALYSIS_ANDERSEN_IMPL_H

#include <stdlib.h>

#include "analysis/andersen.h"
#include "analysis/numbers.h"
#include "analysis/sets.h"
#include "base/error.h"
#include "base/mem.h"

#define NONE UINT32_MAX

enum constraint_kind { CONSTRAINT_SHIFT, CONSTRAINT_LOAD, CONSTRAINT_STORE, CONSTRAINT_WATCH };

/* Of a list that belongs to a node. */
struct constraint {
    uint8_t kind;
    bool is_cyclic; /* a shift that was made to go by its stride */
    uint32_t next;
    uint32_t node;  /* the other one; watch: datum */
    uint32_t size;  /* bytes */
    uint32_t hub;   /* load, store: the cells that it can go to, once they are too many; NONE */
    int64_t offset; /* load, store */
    struct andersen_shift shift; /* shift */
};

struct node {
    uint32_t parent;          /* itself, or the node that it was merged into */
    uint32_t first, last;     /* constraints */
    uint32_t points;          /* set of locations */
    uint32_t fresh;           /* of those of them that went nowhere yet */
    struct bitset successors; /* nodes that include this one; maybe merged since */
};

struct object {
    uint32_t flags, fold;
    uint64_t size;
    uint32_t first_cell; /* list */
    uint32_t cells, strides, locations;
};

/* The granule `granule` (modulus 0); granule + k*modulus up to `last`; or, with
 * `last` NO_LAST, for every whole k. */
#define NO_LAST INT32_MAX
struct cell {
    uint32_t object;
    int32_t granule;
    uint32_t modulus;
    int32_t last;
    uint32_t written, read; /* nodes; the same for modulus 0 */
    uint32_t next;
};

/* From four numbers to an index of an array, by open addressing. */
struct number_map {
    uint32_t *ids; /* + 1; 0 is free */
    uint32_t count, capacity;
};

static inline uint32_t hash_of(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    uint64_t h = (a * 0x9e3779b97f4a7c15ULL) ^ (b * 0xc2b2ae3d27d4eb4fULL);
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9ULL ^ (c + ((uint64_t)d << 32)) * 0x165667b19e3779f9ULL;
    return (uint32_t)(h ^ h >> 32);
}

static inline bool map_is_full(const struct number_map *map) {
    return map->count * 4 >= map->capacity * 3;
}

static inline void map_clear_larger(struct number_map *map) {
    free(map->ids);
    map->capacity = map->capacity ? 2 * map->capacity : 1024;
    map->ids = mem_zalloc(map->capacity, sizeof *map->ids);
}

typedef VEC(uint32_t) id_list;

struct andersen {
    andersen_hook *hook;
    void *context;
    struct sets *sets;
    VEC(struct node) nodes;
    VEC(struct constraint) constraints;
    VEC(struct object) objects;
    VEC(struct memory_location) locations;
    VEC(struct cell) cells;
    struct number_map location_ids, cell_ids;
    id_list order; /* of nodes: predecessors first, as far as cycles allow */
    uint64_t edges, edges_at_sort;
    uint32_t rounds, merged, collapsed;
    bool is_solving; /* before, edges are only noted */
    struct bitset_collect moved;
    struct memo *memos;
    /* When rare things happen; tests make them happen all the time. */
    uint32_t sort_every;    /* rounds */
    uint32_t most_targets;  /* MOST_TARGETS */
    uint32_t smallest_memo; /* words of a set that is worth remembering */
};

uint32_t andersen_find(const struct andersen *solver, uint32_t node);
void andersen_merge(struct andersen *solver, uint32_t into, uint32_t node);
/* Adds the locations of a set to a node. */
void andersen_include(struct andersen *solver, uint32_t to, uint32_t points);
/* Orders the nodes; merges cycles of copies, makes shifts on cycles stride. */
void andersen_sort(struct andersen *solver);

/* The memory of what a constraint did to a set: known already, or to be filled in;
 * NULL if the set is too small. */
struct memo *andersen_memo(struct andersen *solver, const struct constraint *constraint,
                           uint32_t set, bool *ret_is_known);
uint32_t *andersen_memo_set(struct memo *memo); /* of a shift */
uint32_t *andersen_memo_hub(struct memo *memo); /* of an access */
/* Marks the sets that are remembered. */
void andersen_memo_mark(struct andersen *solver);

/* The location that `location` is after a shift. */
uint32_t andersen_moved(struct andersen *solver, uint32_t location,
                        const struct andersen_shift *by);
/* Where it may be in an object, by any numbers. */
struct wide_place {
    uint32_t object;
    int64_t base;
    uint64_t stride, extent;
    int64_t low, high;
    uint64_t width;
};
uint32_t andersen_place(struct andersen *solver, struct wide_place place);
/* The cells that an access touches. */
enum { MOST_TOUCHED = 10 };
uint32_t andersen_touched(struct andersen *solver, uint32_t location, int64_t offset, uint32_t size,
                          uint32_t ret[MOST_TOUCHED]);

#endif
