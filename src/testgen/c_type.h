/*
 * Types of a program as C declares them, from its debug information.
 *
 *     struct c_types *types = c_types_new(program);
 *     c_types_need(types, type, true);           ... for all that is wanted
 *     fputs(c_types_text(types), out);           definitions, each before it is used
 *     char *text = c_types_declare(types, type, "name");    "struct item *name[4]"
 *
 * Layouts are those of the program: where the rules of C would place a member elsewhere, the
 * struct is packed and has padding, and every definition is followed by an assertion of its size.
 * `const` and `volatile` are left out, so that members can be set.  Types of one name that are not
 * alike have the name of their file behind it; in one file, the second gets a number.
 */
#ifndef RECUT_TESTGEN_C_TYPE_H
#define RECUT_TESTGEN_C_TYPE_H

#include <stdbool.h>

#include "program/program.h"

struct c_types;

struct c_types *c_types_new(const struct program *program);
void c_types_free(struct c_types *types);

/* A type without typedefs and qualifiers; a struct that its file only knows by name is the one of
 * that name that another file defines. */
source_type_id c_types_plain(const struct c_types *types, source_type_id type);
/* Is it the only one in its file that its name can mean? */
bool c_types_is_unique(const struct c_types *types, source_type_id type);

/* An ordinary identifier that others use: no type or enumerator gets it. */
void c_types_reserve(struct c_types *types, const char *name);

/* Declares a type; with `complete`, so that it has a size. */
void c_types_need(struct c_types *types, source_type_id type, bool complete);

/* All declarations so far; owned by `types`, valid until the next call. */
const char *c_types_text(struct c_types *types);

/* The declaration of `name` with this type, or the type's name if it is "".  The caller frees. */
char *c_types_declare(struct c_types *types, source_type_id type, const char *name);

/* The same of a pointer to it: `int (*name)[3]`. */
char *c_types_declare_pointer(struct c_types *types, source_type_id target, const char *name);

#endif
