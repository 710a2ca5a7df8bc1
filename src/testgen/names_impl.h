/* Who is who in a program, for names*.c and those who write tests. */
#ifndef RECUT_TESTGEN_NAMES_IMPL_H
#define RECUT_TESTGEN_NAMES_IMPL_H

#include "testgen/names.h"

/* "struct" and so on; NULL for types that have no name of their own. */
const char *names_type_kind(const struct source_type *type);
/* The last part of a path. */
const char *names_base(const char *path);
const char *names_function_file(const struct program *program, function_id function);

/* A variable of the program that a test can set. */
bool names_is_variable(const struct program *program, memory_id memory);
/* Has the compiler kept only a part of it?  Then it goes by its symbol, as bytes. */
bool names_is_part(const struct program *program, memory_id memory);
const char *names_variable_name(const struct program *program, memory_id memory);
const char *names_variable_file(const struct program *program, memory_id memory);
/* The function that it is a static variable of, or "". */
const char *names_variable_function(const struct program *program, memory_id memory);

/* How many functions and variables have this name? */
unsigned names_count(const struct program *program, const char *name);
/* With nothing in it that an identifier cannot have; returns what it is given. */
char *names_plain(char *text);

#endif
