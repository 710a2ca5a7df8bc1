/*
 * What the files cells*.c share.
 *
 *   cells.c         regions: what accesses name, each once
 *   cells_cut.c     from regions to atoms, and from atoms to cells
 *   cells_query.c   questions about cells
 */
#ifndef RECUT_ANALYSIS_CELLS_IMPL_H
#define RECUT_ANALYSIS_CELLS_IMPL_H

#include "analysis/cells.h"
#include "analysis/pieces.h"
#include "analysis/spans.h"
#include "base/idmap.h"

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

struct object_atoms {
    VEC(int32_t) cuts; /* where atoms begin; the last is the end */
    uint32_t first;    /* atom */
    int32_t fold;      /* bytes from FIRST_FOLDED on are taken modulo this; 0: they are not */
};

typedef VEC(struct interval) interval_vec;

/* Bytes that an access touches, from where it points on. */
struct access {
    int64_t offset;
    uint64_t size;
};

struct cells {
    const struct program *program;
    const struct pta *pta;
    uint32_t object_count; /* of pta; states follow */
    struct pieces *pieces;
    struct spans access_ids, pattern_ids; /* accesses and patterns are spans of one */
    VEC(struct access) accesses;
    VEC(struct pattern) patterns;
    VEC(uint32_t) making;  /* shapes of a region that may be there already */
    struct idmap known;    /* by list of pieces and access: regions */
    struct idmap shape_of; /* by piece, or object, and access: a place in */
    VEC(uint32_t) made;    /* shapes */
    /* Before the cut a shape is a list of patterns in one object, and a region one of shapes. */
    struct spans shapes, regions;
    VEC(uint32_t) shape_patterns, region_shapes;
    /* From then on, shapes and regions are sets of cells. */
    struct spans sets; /* of `words` */
    VEC(struct bitset_word) words;
    VEC(uint32_t) pattern_sets, region_sets; /* NO_ID: not asked for yet */
    VEC(uint32_t) region_of_set;             /* NO_ID: it is none */
    struct object_atoms *objects;
    uint32_t atom_count, cell_count;
    uint32_t *cell_of_atom;
    struct pattern *place; /* by cell: one place of it */
    uint32_t *place_count; /* by cell: atoms */
    function_id *owner;
    interval_vec scratch;
    struct bitset_collect collect;
    bool is_cut;
};

/* Once there are cells: the set of those of a pattern; of what was collected; and the region of a
 * set. */
uint32_t cells_pattern_set(struct cells *cells, uint32_t pattern);
uint32_t cells_take_set(struct cells *cells);
void cells_collect_set(struct cells *cells, uint32_t set);
uint32_t cells_region_of_set(struct cells *cells, uint32_t set);

#endif
