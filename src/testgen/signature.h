/*
 * Parameters as the source has them, and where the compiled function gets them.
 *
 * Mostly one argument of the code for each parameter.  But a struct of two words is two arguments,
 * a large one is in memory, its result is written through a hidden first argument; and a static
 * function may have lost parameters that nobody needs.
 */
#ifndef RECUT_TESTGEN_SIGNATURE_H
#define RECUT_TESTGEN_SIGNATURE_H

#include <stdbool.h>

#include "program/program.h"

struct parameter {
    const char *name; /* NULL if it has none */
    source_type_id type;
    bool is_lost;      /* the code has no argument for it */
    value_id constant; /* what a lost one always is, an integer or address; NO_ID if not known */
    uint32_t first;    /* the first argument of the code */
    uint32_t count;    /* of arguments */
    uint32_t word;     /* the first of it in the record of a call (format/shadow.h) */
    uint32_t words;
};

struct signature {
    const char *wrong; /* why it cannot be called by its source's declaration; NULL if it can */
    bool has_lost;     /* some parameter is */
    bool is_variadic;
    uint32_t words; /* that the parameters take in the record of a call */
    VEC(struct parameter) parameters;
};

/* Zeros behind numbers of less than a word in the record of a call. */
void signature_trim(const struct program *program, function_id function, uint64_t *record,
                    size_t words);

void signature_find(const struct program *program, function_id function, struct signature *ret);
void signature_deinit(struct signature *signature);

#endif
