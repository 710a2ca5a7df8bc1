/*
 * Memory as each function sees it: the parts of it that the function, or what it
 * calls, tells apart.
 *
 * A part is one of two things:
 *
 *   bytes [low, high) behind a parameter     what is accessed through it, whatever
 *                                            that is in a call
 *   a group of cells                         that nothing below the function tells
 *                                            apart: what comes by globals and the heap
 *
 * They are what formal-in and formal-out nodes of a dependence graph stand for
 * (Horwitz, Reps and Binkley, TOPLAS 1990, section 4.4), few because they are grouped
 * for each function and not for the program.  A part behind a parameter and another
 * part may be the same memory: parts_aliases() says so.
 *
 * Cells that would have to be handed through very many calls are hubs instead: no
 * function has a part for them, and whatever writes one is taken to reach whatever
 * reads it.  There are none in programs of a moderate size.
 *
 *     struct parts *parts = parts_build(effects, callgraph, PARTS_MOST_ACTUALS);
 *     struct part_list list = parts_of(parts, function);
 */
#ifndef RECUT_ANALYSIS_PARTS_H
#define RECUT_ANALYSIS_PARTS_H

#include "analysis/callgraph.h"

enum {
    PARTS_MOST_ACTUALS = 3000000, /* cells handed through calls, counted for each call */
    PART_LOW = -(1 << 20),        /* low and high of a part that is all behind a parameter */
    PART_HIGH = 1 << 20,
};

struct part {
    uint32_t argument;   /* NO_ID: it is a group of cells */
    int32_t low, high;   /* behind the argument */
    uint32_t first_cell; /* group: in parts_cells(), ascending */
    uint32_t cell_count;
    bool is_formal; /* callers see it; else it lies in the function's own frame */
};

struct part_list {
    const struct part *parts;
    uint32_t count;
};

struct parts;

/* `effects` and `graph` must outlive it. */
struct parts *parts_build(struct effects *effects, const struct callgraph *graph,
                          uint64_t most_actuals);
void parts_free(struct parts *parts);

struct part_list parts_of(const struct parts *parts, function_id function);
const uint32_t *parts_cells(const struct parts *parts);
bool parts_is_hub(const struct parts *parts, uint32_t cell);
uint32_t parts_hub_count(const struct parts *parts);

/* The parts of a function that some memory is, as numbers into parts_of(). */
struct part_use {
    uint32_t part;
    bool is_exact; /* all of the part, always; else perhaps */
};
typedef VEC(struct part_use) part_uses;

/* Replaces `uses` by the parts that an effect of an instruction of the function touches. */
void parts_of_effect(struct parts *parts, function_id function, const struct memory_effect *effect,
                     part_uses *uses);
/* The same for the parts of the caller that a formal part of a callee is in a call. */
void parts_of_formal(struct parts *parts, instruction_id call, function_id callee, uint32_t formal,
                     part_uses *uses);

#endif
