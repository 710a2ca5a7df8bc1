/*
 * Memory cut into cells: the smallest parts that some access of the program tells
 * apart from others.
 *
 *     struct cells *cells = cells_new(pta);
 *     uint32_t a = cells_region(cells, load->read_at, 0, 4);
 *     ...                                    one for each access
 *     cells_cut(cells);
 *     struct bitset set = cells_of(cells, a);
 *
 * A region is a set of places, as accesses name them: what a pointer may point to,
 * from an offset on for a number of bytes.  Two bytes are in one cell if no region
 * holds one without the other.  So a region is a set of whole cells, and two accesses
 * can meet if their sets do.  Cells may be in several objects: the buffers that one
 * function alone works on, always through one pointer.
 *
 * Besides memory there is the state of the environment: how far an input has been
 * read, what the file system holds (enum cell_state); each is a cell of its own.
 *
 * Constant memory is in no region.
 *
 * Fields of array elements are told apart, elements are not: bytes from
 * FIRST_FOLDED on are folded by the common stride of the accesses to an object.
 *
 * Cost: what sets of targets have in one object, times the accesses through it, each pair once; and
 * for each region its objects.  Imprecise as points-to is.
 */
#ifndef RECUT_ANALYSIS_CELLS_H
#define RECUT_ANALYSIS_CELLS_H

#include "analysis/pta.h"

enum cell_state {
    STATE_INPUT,   /* what getchar() reads next */
    STATE_OUTPUT,  /* what was printed */
    STATE_RANDOM,  /* what rand() returns next */
    STATE_KEYS,    /* what threads keep by pthread_setspecific() */
    STATE_SIGNALS, /* which were sent, are blocked, and have handlers */
    STATE_OTHER,   /* files, clocks, processes, locale, ... */
    STATE_COUNT
};

struct cells;

/* `pta` must outlive it. */
struct cells *cells_new(const struct pta *pta);
void cells_free(struct cells *cells);

/* NO_ID is the empty region. */

/* As a size: not known, but a text, which ends where the array ends that it begins in.  What is no
 * text may go on into the next field: buffers are filled by the address of their first part. */
#define SIZE_OF_TEXT UINT64_MAX

/* `size` bytes, 0 if not known, from `offset` behind what `address` points to. */
uint32_t cells_region(struct cells *cells, value_id address, int64_t offset, uint64_t size);
/* All of what it points to, in front of it too. */
uint32_t cells_region_whole(struct cells *cells, value_id address);
/* Everything with one of the flags (enum pta_object_flag), and memory of the environment. */
uint32_t cells_region_flagged(struct cells *cells, uint8_t flags);
uint32_t cells_region_objects(struct cells *cells, const struct bitset *objects);
uint32_t cells_region_object(struct cells *cells, uint32_t object);
uint32_t cells_region_state(struct cells *cells, enum cell_state state);
/* Once cut: what of a region is in a set of cells. */
uint32_t cells_region_within(struct cells *cells, uint32_t region, const struct bitset *set);

/* No region is new from here on; what is asked for then is rounded up to cells. */
void cells_cut(struct cells *cells);
uint32_t cells_count(const struct cells *cells);

/* Not to be changed, and gone when a region is asked for that was not before. */
struct bitset cells_of(const struct cells *cells, uint32_t region);

/* A number below the points-to analysis's objects and the states together: of the object that
 * the cell's first place is in.  It does not fall from one cell to the next. */
uint32_t cells_object(const struct cells *cells, uint32_t cell);
/* The function that has all places of a cell in its frame, else NO_ID. */
function_id cells_owner(const struct cells *cells, uint32_t cell);
/* Once cut: are `size` bytes from `offset` behind `address` always one place, of which there
 * is one at a time, and do they hold all of the cells that they touch?  Of locals, only
 * those in the frame of `frame` are one; that it is recursive is the caller's concern. */
bool cells_is_exact(struct cells *cells, value_id address, int64_t offset, uint64_t size,
                    function_id frame);
/* Where a cell lies, from where `address` points on; false if one of the two is not one
 * place. */
bool cells_distance(const struct cells *cells, uint32_t cell, value_id address, int32_t *ret_low,
                    int32_t *ret_high);
/* Does it hold arguments behind the `...` of the function? */
bool cells_is_variadic(const struct cells *cells, uint32_t cell, function_id function);
/* By cell: is any place of it in an object that is marked?  The caller frees. */
bool *cells_of_objects(const struct cells *cells, const bool *marks);
/* Is it in thread-local memory alone? */
bool cells_is_thread_local(const struct cells *cells, uint32_t cell);
/* The globals whose initial values a cell holds some of: list[start[cell]] up to
 * list[start[cell + 1]], in order, each once.  The caller frees both. */
struct cell_globals {
    uint32_t *start;
    memory_id *list;
};
struct cell_globals cells_globals(const struct cells *cells);
/* For people: "counter", "p in main +8 and 3 more"; the caller frees. */
char *cells_text(const struct cells *cells, uint32_t cell);

#endif
