/*
 * Functions told apart by their callers, where that can matter for pointers.
 *
 *     contexts_tell_apart(program, CONTEXTS_MOST);
 *     ... all analyses of the program
 *
 * Dependences of values go by the calls that they came through (summary edges), but what pointers
 * point to, what function pointers enter and which block of the heap is which is the same in all
 * calls of a function (pta.h).  So
 *
 *     a = list_new();  b = list_new();        one block
 *     push(&v, x);     push(&w, y);           v.data and w.data are the same memory
 *     apply(inc, x);   apply(dbl, y);         each of them may call both
 *
 * would be mixed.  Functions that handle pointers are therefore copied for their calls, one level
 * of callers after the other: the cheapest first, as long as no more instructions are added than
 * `most`.  It is what Krinke's call strings do, for the functions that are worth it.
 */
#ifndef RECUT_ANALYSIS_CONTEXTS_H
#define RECUT_ANALYSIS_CONTEXTS_H

#include "program/program.h"

/* A small program is copied as often as it has calls, and one of 300,000 instructions takes hardly
 * longer than without. */
enum { CONTEXTS_MOST = 20000 };

/* Returns how many copies were made. */
uint32_t contexts_tell_apart(struct program *program, uint32_t most);

#endif
