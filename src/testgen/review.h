/*
 * All that was captured, as text that a person can read before it is passed on.
 */
#ifndef RECUT_TESTGEN_REVIEW_H
#define RECUT_TESTGEN_REVIEW_H

#include <stdio.h>

#include "testgen/capture.h"
#include "testgen/secrets.h"

/* Values by their names as far as types lead, from the variables, then from the parameters of each
 * call; then all other bytes that are not zero, in hexadecimal and as text. */
void review_print(const struct program *program, const struct capture *capture, FILE *out);

#endif
