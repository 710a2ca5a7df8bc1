/*
 * Which statements of a program's sources stay in an executable slice.
 *
 * A source can only be cut between statements.  So a *unit* is what stays or goes together: the
 * text of a statement without that of its parts, for example `for (...)`, or `if (...)`; and a
 * function that is in an included file, or that macros are too much entangled with, as a whole.
 *
 *     kept code           keeps its unit
 *     a kept unit         keeps all of its code, and so all that this depends on; what it is
 *                         nested in; the locals and the label that it names
 *     a kept block        keeps the jumps in it that would otherwise not hide what follows
 *                         (completes.h), and the declarations of types
 *     a kept switch       keeps all of its cases
 *
 * All of this is closed together with the slice (struct executable_options), so that what is
 * left is itself a slice, of whole statements.
 */
#ifndef RECUT_SLICE_STATEMENTS_H
#define RECUT_SLICE_STATEMENTS_H

#include "slice/executable.h"
#include "syntax/tree.h"

enum stay {
    STAY_NOT,
    STAY_JUMP, /* a `return` whose value does not matter */
    STAY_ALL,
};

struct statements;

/* `trees` are of the sources that `program` was compiled from; functions may be made whole.
 * They must outlive it. */
struct error *statements_new(const struct sdg *sdg, struct syntax_tree **trees, size_t count,
                             struct statements **ret);
void statements_free(struct statements *statements);

/* For struct executable_options; `data` is a struct statements. */
void statements_complete(void *data, const struct slice *slice, node_vec *more);

/* After that: what stays. */
enum stay statements_stay(const struct statements *statements, uint32_t tree, uint32_t statement);
/* Does what stays name a function? */
bool statements_refer(const struct statements *statements, uint32_t tree, uint32_t function);

#endif
