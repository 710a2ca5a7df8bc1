/*
 * Which parameters lead to nothing that their function changes, by any number of pointers and by
 * whatever way it does it: such a parameter is immutable (ReCrash, section 2.2.1), and what it
 * leads to is the same when the function fails as when it began.
 *
 *     struct immutable *immutable = immutable_build(effects, graph);
 *     if (immutable_is(immutable, function, argument)) ...
 *
 * What the function calls counts, and so do variables: the objects that are written are those of
 * the points-to analysis.
 */
#ifndef RECUT_ANALYSIS_IMMUTABLE_H
#define RECUT_ANALYSIS_IMMUTABLE_H

#include "analysis/callgraph.h"

struct immutable;

/* Both must outlive it. */
struct immutable *immutable_build(const struct effects *effects, const struct callgraph *graph);
void immutable_free(struct immutable *immutable);

bool immutable_is(struct immutable *immutable, function_id function, uint32_t argument);

#endif
