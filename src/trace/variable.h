/*
 * From addresses to the variables of an executable, by its debugging information:
 * "table[3].count"; or by its symbols: "table+28".
 */
#ifndef RECUT_TRACE_VARIABLE_H
#define RECUT_TRACE_VARIABLE_H

#include <stdint.h>

#include "base/error.h"

struct variables;

/* With what information there is; none is no error. */
struct error *variables_open(const char *program, struct variables **ret);
void variables_close(struct variables *variables);

/* The variable at an address and, of one that has parts, the part; NULL if none is known.
 * The caller frees. */
char *variables_name(const struct variables *variables, uint64_t address);

#endif
