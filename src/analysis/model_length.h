/*
 * How many bytes a call of an external function works on, as far as its model and the constants
 * among its arguments tell.
 */
#ifndef RECUT_ANALYSIS_MODEL_LENGTH_H
#define RECUT_ANALYSIS_MODEL_LENGTH_H

#include "format/model_table.h"
#include "program/program.h"

/* Bytes that a parameter is read or written for, at most; 0 if that is not known. */
uint64_t model_length_of(const struct program *program, const struct instruction *call,
                         const struct model_table *table, const struct model_param *param);

#endif
