/*
 * The text of a source file without what does not stay.
 */
#ifndef RECUT_SLICE_SOURCE_TEXT_H
#define RECUT_SLICE_SOURCE_TEXT_H

#include "slice/source.h"
#include "slice/statements.h"

/* The caller frees; adds to `counts`. */
char *source_cut(const struct statements *statements, struct syntax_tree *const *trees,
                 uint32_t tree, struct source_counts *counts);

#endif
