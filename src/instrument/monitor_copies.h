/*
 * What is kept of memory when a monitored function begins (ReCrash, section 2.2.1).
 *
 * Memory is written down when the program fails: what is the same then as it was need not be
 * copied.  So a shallow copy is that of the bytes behind a parameter that the function, or what it
 * calls, may change; the copy of a used field that of the bytes behind it; of variables those that
 * it changes.  Such copies are code of the function itself, and small.  What is deeper is looked
 * for when the function begins (runtime/copies.h), from each parameter that is not immutable.
 */
#ifndef RECUT_INSTRUMENT_MONITOR_COPIES_H
#define RECUT_INSTRUMENT_MONITOR_COPIES_H

#include "analysis/callgraph.h"
#include "instrument/shadow.h"

struct monitor_copies;

/* Must the effects that it gets have cells (effects_build())? */
bool monitor_copies_need_cells(const char *choices);

/* `choices` as in monitor.h; all must outlive it. */
struct monitor_copies *monitor_copies_new(struct variant *variant, const struct program *program,
                                          struct effects *effects, const struct callgraph *graph,
                                          const char *choices);
void monitor_copies_free(struct monitor_copies *copies);

/* Copies and roots of a function, valid until the next call. */
void monitor_copies_find(struct monitor_copies *copies, function_id id, LLVMValueRef function,
                         struct shadow_options *ret);

#endif
