/*
 * What the files cells*.c share.
 *
 *   cells.c         regions: what accesses name, each once
 *   cells_cut.c     from regions to atoms, and from atoms to cells
 *   cells_query.c   questions about cells
 */
#ifndef RECUT_ANALYSIS_CELLS_IMPL_H
#define RECUT_ANALYSIS_CELLS_IMPL_H

#include <xxhash.h>

#include "analysis/cells.h"
#include "analysis/spans.h"

enum {
    FIRST_FOLDED = 1024, /* bytes of an object with strided accesses that are not folded */
    LOWEST = -FIRST_FOLDED,
    END = 1 << 24, /* behind all bytes */
};

/* [low, high), and the same every `stride` bytes up to `limit` if that is not 0. */
struct pattern {
    uint32_t object;
    int32_t low, high;
    int32_t stride, limit;
};

struct interval {
    int32_t low, high;
};

struct region {
    uint32_t first, count; /* in region_shapes */
};

/* A set of cells: some words of `words`. */
struct cell_words {
    uint32_t first, count;
};

struct object_atoms {
    VEC(int32_t) cuts; /* where atoms begin; the last is the end */
    uint32_t first;    /* atom */
    int32_t fold;      /* bytes from FIRST_FOLDED on are taken modulo this; 0: they are not */
};

typedef VEC(struct interval) interval_vec;

/* A region that was asked for before. */
struct remembered {
    uint64_t targets; /* pta_targets(), plus one; 0: free */
    int64_t offset;
    uint64_t size;
    uint32_t region;
};

struct cells {
    const struct program *program;
    const struct pta *pta;
    uint32_t object_count; /* of pta; states follow */
    VEC(struct pattern) patterns;
    struct spans shapes; /* of patterns in one object: all that a region has in it */
    VEC(uint32_t) region_shapes;
    VEC(struct region) regions;
    struct spans region_keys; /* of `keys`, one for each region */
    VEC(XXH128_hash_t) keys;
    VEC(struct pattern) making; /* a region that may be there already */
    struct object_atoms *objects;
    uint32_t atom_count, cell_count;
    uint32_t *cell_of_atom;
    struct pattern *place; /* by cell: one place of it */
    uint32_t *place_count; /* by cell: atoms */
    function_id *owner;
    VEC(struct cell_words) shape_cells, region_cells; /* once cut */
    VEC(struct bitset_word) words;
    interval_vec scratch;
    struct remembered *memory;
    size_t memory_mask, memory_used;
    struct bitset_collect collect;
    bool is_cut;
};

/* Finds the cells of shapes and regions that are new, once there are cells. */
void cells_list(struct cells *cells);

#endif
