/*
 * What of a program is private: what RECUT_PRIVATE stands behind (include/recut.h), and what is
 * named when a run is monitored or its tests are made.
 *
 * A name is that of a variable or parameter, NAME or FUNCTION.NAME, or of a field, TYPE.FIELD,
 * TYPE being a tag or a typedef; or a glob of such.
 */
#ifndef RECUT_TESTGEN_SECRETS_H
#define RECUT_TESTGEN_SECRETS_H

#include <stdbool.h>

#include "base/error.h"
#include "program/program.h"

/* In front of a name, among words with a blank behind each. */
#define SECRETS_REDACT "redact="

struct secrets {
    const struct program *program;
    bool *variables; /* by id */
    bool *fields;    /* by place in the pool */
    bool is_any;
};

/* A name that nothing has is an error.  `choices` may be NULL. */
struct error *secrets_find(const struct program *program, const char *choices, struct secrets *ret);
void secrets_deinit(struct secrets *secrets);

/* The tag or typedef of a struct or union; NULL if it has none. */
const char *secrets_type_name(const struct program *program, source_type_id type);

#endif
