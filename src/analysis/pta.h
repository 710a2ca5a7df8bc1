/*
 * Points-to analysis of a whole program: what each value may point to.
 *
 *     struct pta *pta = pta_build(program, &(struct pta_options){.models = table});
 *     struct pta_cursor at = {0};
 *     for (struct pta_target target; pta_points_to(pta, value, &at, &target);)
 *         use(target.object, target.offset);
 *     pta_free(pta);
 *
 * Inclusion-based (Andersen), so neither the order of statements nor the callers
 * of a function are told apart, and any number of threads is covered; fields are,
 * by byte offset and whatever their types say.  Memory from the heap is named by
 * the call that first holds it for more than handing it on: a call of a function
 * that only returns what it allocated is itself an allocation.
 *
 * An object of the analysis is one of the program's (a global, a local, a heap
 * site), a function, or one of a few that stand for what the program has not
 * made:
 *
 *   environment   memory that libraries and the kernel own: what functions without
 *                 a model return, and what lies behind it
 *   handles       memory of theirs behind the opaque pointers of functions with a
 *                 model (FILE *): it is assumed that a program may read there, but
 *                 stores no pointers of its own and calls nothing
 *   described     what a function with a model returned or handed out, and whose
 *                 contents the model tells; one for each function
 *   arguments     argv, the environment strings and the auxiliary vector
 *   variadic      arguments behind the `...` of a function, on the machine stack
 *
 * Sound for what C allows, and beyond: integers carry pointers, through any
 * 64-bit arithmetic, through memory, and byte by byte where bytes are moved as
 * they are.  Not followed are stores into constants, differences of two pointers,
 * pieces of pointers that are computed with while narrower than 64 bits, addresses
 * that leave their object by arithmetic into a neighbour, and pointers that go out
 * as text or in buffers of varying length and come back.  docs/analysis.md.
 *
 * `program` and the models must outlive it.
 */
#ifndef RECUT_ANALYSIS_PTA_H
#define RECUT_ANALYSIS_PTA_H

#include "analysis/andersen.h"
#include "format/model_table.h"
#include "program/program.h"

struct pta;

struct pta_options {
    const struct model_table *models; /* NULL: no external function has one */
    /* Name memory of the heap by the call of the allocator alone.  Otherwise that is
     * done when a program has too much of it for anything else. */
    bool plain_heap;
};

struct pta *pta_build(const struct program *program, const struct pta_options *options);
void pta_free(struct pta *pta);

enum pta_object_kind {
    PTA_MEMORY,      /* id: memory_id; not of the heap */
    PTA_HEAP,        /* id: instruction_id of the call */
    PTA_FUNCTION,    /* id: function_id */
    PTA_ENVIRONMENT, /* one */
    PTA_HANDLES,     /* one */
    PTA_DESCRIBED,   /* id: function_id of the external function */
    PTA_ARGUMENTS,   /* one */
    PTA_VARIADIC,    /* id: function_id */
    PTA_KIND_COUNT
};

enum pta_object_flag {
    PTA_ESCAPED = 1 << 0,     /* functions without a model can reach it, or the environment kept it
                                 to write into: it may change at any time */
    PTA_HELD = 1 << 1,        /* the environment has a pointer to it, to hand back only */
    PTA_CALLED_BACK = 1 << 2, /* a function that the environment may call */
    PTA_SHARED = 1 << 3,      /* a mapping that other processes may write, too */
};

struct pta_object {
    uint8_t kind;     /* enum pta_object_kind */
    uint8_t flags;    /* enum pta_object_flag */
    uint32_t id;      /* by kind; NO_ID without */
    memory_id memory; /* of memory and, where the call itself allocates, of the heap; else NO_ID */
};

/* Objects are numbered from 0. */
uint32_t pta_object_count(const struct pta *pta);
struct pta_object pta_object(const struct pta *pta, uint32_t object);
/* "buffer in main", "heap at i123 in push (list.c:40)", ...; the caller frees. */
char *pta_object_text(const struct pta *pta, uint32_t object);
const char *pta_object_kind_name(enum pta_object_kind kind);
/* The object of a function, a global, a local; NO_ID for others. */
uint32_t pta_object_of_function(const struct pta *pta, function_id function);
uint32_t pta_object_of_memory(const struct pta *pta, memory_id memory);
/* Is it errno?  An int, of which each thread has one. */
bool pta_is_errno(const struct pta *pta, uint32_t object);

/* A place that a pointer may point to. */
struct pta_target {
    uint32_t object;
    int64_t offset;
    uint64_t stride; /* 0: this byte; else offset + k*stride */
    uint64_t extent; /* with a stride: k*stride is from 0 to below this; 0: k is any number,
                        also below 0 */
    uint32_t fold;   /* and the same in each element of an array, of so many bytes; 0: it is none,
                        or its elements are told apart */
    int64_t end;     /* of an array in the object that it is in: the first byte behind that; 0: it
                        is in none */
    uint64_t width;  /* with a stride: offset + k*stride + j for all j below this; 0 is 1 */
};

/* A zeroed cursor is at the beginning. */
struct pta_cursor {
    struct bitset_place place;
};

/* What a value may point to, one after the other, always in the same order;
 * false at the end.  A value without targets is no pointer to memory, or its
 * code is never reached. */
bool pta_points_to(const struct pta *pta, value_id value, struct pta_cursor *cursor,
                   struct pta_target *ret);
uint32_t pta_target_count(const struct pta *pta, value_id value);
/* The set of what a value points to: two values with the same one point to the same places. */
uint32_t pta_targets(const struct pta *pta, value_id value);
/* As pta_points_to(), for a set. */
bool pta_in_targets(const struct pta *pta, uint32_t targets, struct pta_cursor *cursor,
                    struct pta_target *ret);
/* Sets as sets of locations, which are numbered from 0: those of values are below pta_set_count().
 */
uint32_t pta_set_count(const struct pta *pta);
const struct bitset *pta_set(const struct pta *pta, uint32_t targets);
uint32_t pta_location_count(const struct pta *pta);
struct pta_target pta_location(const struct pta *pta, uint32_t location);
/* What the parts of an object's memory may hold, as sets: from *at, 0 at first, on; false at the
 * end. */
bool pta_next_contents(const struct pta *pta, uint32_t object, uint32_t *at, uint32_t *ret_targets);
/* The blocks that a call of an external function makes and stores where an argument points
 * (asprintf()), as sets: from *at, 0 at first, on; false at the end. */
bool pta_next_block(const struct pta *pta, instruction_id call, uint32_t *at,
                    uint32_t *ret_targets);
/* Can the value point into the object? */
bool pta_may_point_to(const struct pta *pta, value_id value, uint32_t object);
/* Can an access of `size_a` bytes at `a` and one of `size_b` at `b` meet?  Size 0
 * is "not known". */
bool pta_may_alias(const struct pta *pta, value_id a, uint64_t size_a, value_id b, uint64_t size_b);
/* What the memory of an object may hold at an offset; as pta_points_to(). */
bool pta_contents(const struct pta *pta, uint32_t object, int64_t offset, struct pta_cursor *cursor,
                  struct pta_target *ret);

/* Functions that a call may enter, defined or not, ascending; NO_ID among them, at
 * the end, is code of the environment that has no name.  The list is the
 * analysis's. */
const function_id *pta_callees(const struct pta *pta, instruction_id call, uint32_t *ret_count);
/* Calls that may enter a function, ascending. */
const instruction_id *pta_callers(const struct pta *pta, function_id function, uint32_t *ret_count);
bool pta_is_called_back(const struct pta *pta, function_id function);
/* May it be a handler of signals? */
bool pta_is_handler(const struct pta *pta, function_id function);
/* The model of an external function, NULL if it has none. */
const struct model_function *pta_model(const struct pta *pta, function_id function);
/* Is it called, outside of the program, and nothing known of what it does? */
bool pta_is_unmodelled(const struct pta *pta, function_id function);

/* The value that a value is, through locals that are stored once and only loaded else: what
 * -O0 makes of parameters. */
value_id pta_origin(const struct pta *pta, value_id value);

/* What it was built from. */
const struct program *pta_program(const struct pta *pta);
const struct model_table *pta_models(const struct pta *pta);

/* How large it became. */
struct andersen_figures pta_figures(const struct pta *pta);

#endif
