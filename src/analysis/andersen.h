/*
 * Inclusion constraints over memory, and their least solution.
 *
 * A node holds a set of locations: a value of the program, or a cell of memory.
 * A location is a place in an object:
 *
 *     (base, stride 0)               the byte `base`
 *     (base, stride s, extent e)     base + k*s for 0 <= k*s < e: an element of an
 *                                    array of which the length is known
 *     (base, stride s)               base + k*s for every whole k: of one of which it
 *                                    is not
 *     (0, stride 1)                  anywhere
 *     (OUTSIDE, stride 0)            far from an object of which the size is known
 *
 * and of an array that is a part of an object it may say where that begins and ends: then indices
 * do not lead out of it.  The array may itself lie in each element of another one; then a location
 * may be all of it, in each:
 *
 *     (base, stride s, extent e, width w)    base + k*s + j for 0 <= j < w
 *
 * Memory is cut into granules of eight bytes, the size of a pointer: an access
 * touches the granules that its bytes lie in, whatever the types are.  The cells
 * of an object are made when something first accesses them:
 *
 *     granule 0   granule 1   granule 2       one node each
 *        ^ v         ^ v         ^ v
 *     written, every m-th     read, every m-th      two nodes for a stride
 *
 * so that what is stored through an unknown index reaches all loads it can
 * meet, and no others.
 *
 * The constraints, with pts() the set of a node:
 *
 *     address  a {o + k}          o + k in pts(a)
 *     copy     a <- b             pts(b) in pts(a)
 *     shift    a <- b + k (+ n*s) pts(b), moved, in pts(a); n*s below an extent or not, by an
 *                                 index or by any arithmetic; maybe into an array
 *     load     a <- *(b + k)      what the cells at pts(b) + k hold in pts(a)
 *     store    *(a + k) <- b      pts(b) in the cells at pts(a) + k
 *     watch    a                  the client is told of each location in pts(a)
 *
 * A shift on a cycle, `p = p + 8`, goes by its stride, so that it ends.  An
 * offset far outside of any struct is anywhere.  An object with very many cells
 * becomes one cell; so do the cells that one access with very many targets can go
 * to, which is not what is least but far quicker where nothing much is left to tell.
 *
 * Nothing here knows of programs.  Solving is deterministic: the same calls in
 * the same order give the same ids.
 */
#ifndef RECUT_ANALYSIS_ANDERSEN_H
#define RECUT_ANALYSIS_ANDERSEN_H

#include "base/bitset.h"

#define OUTSIDE INT32_MIN /* as a base: of an object, and nothing there is its */

enum {
    GRANULE = 8,
    /* Offsets that are told apart. */
    LOWEST_OFFSET = -1024,
    HIGHEST_OFFSET = 1 << 20,
    /* Cells and locations of one object that are told apart. */
    MOST_CELLS = 512,
    MOST_STRIDES = 64,
    MOST_LOCATIONS = 256,
    /* Targets of one access that are told apart. */
    MOST_TARGETS = 1000,
    ANYWHERE = 1, /* as a stride */
    /* A pointer may leave its object by so much and come back by a constant. */
    SLACK = 16,
};

enum object_flag {
    OBJECT_ONE_CELL = 1 << 0, /* nothing in it is told apart */
    OBJECT_ANYWHERE = 1 << 1, /* pointers to it point anywhere in it, but what is written
                                 and what is read are two nodes */
    OBJECT_OPAQUE = 1 << 2,   /* and what is written is not read */
    OBJECT_CONSTANT = 1 << 3, /* no store changes it */
};

struct memory_location {
    uint32_t object;
    int32_t base;
    uint32_t stride, extent;
    int32_t low, high; /* of an array that it is in: its first byte, and the first behind it; the
                          same if it is in none.  For a stride as large as that, or larger: of the
                          array in the first element. */
    uint32_t width;    /* 0: a byte of each element */
};

struct andersen;

/* A location has come into the set of a watched node.  May add constraints. */
typedef void andersen_hook(void *context, uint32_t datum, uint32_t location);

struct andersen *andersen_new(andersen_hook *hook, void *context);
void andersen_free(struct andersen *solver);

uint32_t andersen_node(struct andersen *solver);
/* `count` nodes that are neighbours; returns the first. */
uint32_t andersen_nodes(struct andersen *solver, uint32_t count);
struct andersen_shape {
    uint32_t flags; /* enum object_flag */
    uint32_t fold;  /* an array whose elements, of so many bytes, are not told apart; 0 if it is
                       none, else a multiple of GRANULE */
    uint64_t size;  /* 0 if not known */
};
uint32_t andersen_object(struct andersen *solver, struct andersen_shape shape);

void andersen_address(struct andersen *solver, uint32_t to, uint32_t object, int64_t offset);
void andersen_copy(struct andersen *solver, uint32_t to, uint32_t from);
/* How a shift moves what is handed on. */
struct andersen_shift {
    int64_t offset;
    uint64_t stride, extent; /* `extent` 0 is "not known" */
    bool leaves;             /* with a stride: it may lead out of the array that it begins in */
    bool is_step; /* without: from one element to the next, or back, and never out of it */
    /* It leads into an array of `array_size` bytes that begins at `array_at` from where the shift
     * begins; 0: into none.  An array that is the last of its struct ends where the object does,
     * if that is known. */
    int64_t array_at;
    uint64_t array_size;
    bool is_last_array;
};
void andersen_shift_by(struct andersen *solver, uint32_t to, uint32_t from,
                       const struct andersen_shift *by);
/* The same without arrays; by a stride of ANYWHERE that is not bounded it leaves them. */
void andersen_shift(struct andersen *solver, uint32_t to, uint32_t from, int64_t offset,
                    uint64_t stride, uint64_t extent);
void andersen_load(struct andersen *solver, uint32_t to, uint32_t address, int64_t offset,
                   uint32_t size);
void andersen_store(struct andersen *solver, uint32_t address, uint32_t from, int64_t offset,
                    uint32_t size);
void andersen_watch(struct andersen *solver, uint32_t node, uint32_t datum);

/* The cell of one granule. */
uint32_t andersen_cell(struct andersen *solver, uint32_t object, int64_t offset);
/* What is written somewhere in an object; what may be read anywhere in it. */
uint32_t andersen_written(struct andersen *solver, uint32_t object);
uint32_t andersen_read(struct andersen *solver, uint32_t object);
/* Makes one cell of an object. */
void andersen_collapse(struct andersen *solver, uint32_t object);

/* False if there came to be more than `most_locations`, with nothing solved. */
bool andersen_solve(struct andersen *solver, uint32_t most_locations);

/* Of a solved system: locations, ascending by id. */
/* The sets that parts of an object's memory hold, one after the other: from *at, 0 at first, on;
 * false at the end.  A set may come up several times. */
bool andersen_next_set(const struct andersen *solver, uint32_t object, uint32_t *at,
                       uint32_t *ret_set);
/* Nodes with the same one hold the same set; as a node, it holds it itself. */
uint32_t andersen_set(const struct andersen *solver, uint32_t node);
const struct bitset *andersen_points_to(const struct andersen *solver, uint32_t node);
struct memory_location andersen_location(const struct andersen *solver, uint32_t location);
uint32_t andersen_node_count(const struct andersen *solver);
uint32_t andersen_location_count(const struct andersen *solver);
/* Locations in an object stand for the same in each of its elements, of so many bytes: ANYWHERE if
 * nothing in it is told apart, 0 if it has no such elements. */
uint32_t andersen_fold(const struct andersen *solver, uint32_t object);
/* Can both be the same address, or overlap within `size` bytes? */
bool andersen_overlap(const struct andersen *solver, uint32_t a, uint32_t b, uint64_t size);

struct andersen_figures {
    uint32_t nodes, merged, objects, locations, cells, collapsed, rounds;
    uint64_t edges, constraints, elements;
};
struct andersen_figures andersen_figures(const struct andersen *solver);

#endif
