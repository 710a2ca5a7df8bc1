/* Fields of variables as criteria, and what criterion.c and criterion_nodes.c share. */
#ifndef RECUT_SLICE_CRITERION_FIELD_H
#define RECUT_SLICE_CRITERION_FIELD_H

#include "base/error.h"
#include "program/program.h"

struct criterion_field {
    variable_id variable;
    bool is_behind; /* the variable is a pointer, and the field behind it */
    int64_t offset;
    uint64_t size; /* bytes */
};

/* Is an address that of a variable, or of a part of it? */
bool criterion_leads_into(const struct program *program, value_id address, memory_id memory,
                          int64_t *ret_offset);

/* Is it the program's own code, and not bookkeeping of recut's? */
static inline bool criterion_has_code(const struct program *program, instruction_id id) {
    return !(program->instructions.data[id].flags & INSTRUCTION_SYNTHETIC);
}

/* Is the name more than that of a variable? */
bool criterion_names_field(const char *name);

/* The field that a text means, which begins with the name of the variable. */
struct error *criterion_find_field(const struct program *program, const char *text,
                                   variable_id variable, struct criterion_field *ret);

/* Does an instruction itself read or write it? */
bool criterion_meets_field(const struct program *program, const struct criterion_field *field,
                           instruction_id id);

#endif
