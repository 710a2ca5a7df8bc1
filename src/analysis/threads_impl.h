/*
 * What the files threads*.c share.
 *
 *   threads.c        where threads begin, what runs in them, and what they share
 *   threads_last.c   which of them leave nothing that others see
 */
#ifndef RECUT_ANALYSIS_THREADS_IMPL_H
#define RECUT_ANALYSIS_THREADS_IMPL_H

#include "analysis/threads.h"

struct threads {
    const struct program *program;
    const struct pta *pta;
    struct effects *effects;
    VEC(function_id) entries;
    struct bitset *of_function; /* threads */
    bool *is_last;              /* by thread */
    struct bitset creates;      /* calls that threads_is_create() says yes of */
    bool are_interrupts;        /* all but main's */
    bool *is_shared;            /* by cell */
    uint32_t *writer;           /* by cell: the only thread not among the last that writes it, plus
                                   one; 0: none, NO_ID: several */
    bool has_channels;          /* pipes or pairs of sockets, and somebody to write into them */
    bool has_cancels;           /* pthread_cancel() is called */
    bool has_forks;             /* fork() is */
};

/* Is the function in a list of functions that run before or after main(): one in a global of this
 * name, or in a section whose name has this in it? */
bool threads_is_listed(const struct program *program, function_id function, const char *name,
                       const char *section);

void threads_find_last(struct threads *threads);

#endif
