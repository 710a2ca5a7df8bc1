/*
 * What tests use of a program, by name, so that it is found again in another build of it.
 *
 * A file of lines, fields separated by tabs:
 *
 *     function  IDENTIFIER  NAME  FILE
 *     variable  IDENTIFIER  NAME  FILE  [FUNCTION]     a static variable of a function
 *     part      IDENTIFIER  SYMBOL  SIZE               what the compiler kept of a variable
 *     type      KIND        NAME  FILE                 KIND: struct, union, enum, typedef
 *
 * IDENTIFIER is what the test calls it: the name, with more where several have the same.
 */
#ifndef RECUT_TESTGEN_NAMES_H
#define RECUT_TESTGEN_NAMES_H

#include <stdio.h>

#include "base/error.h"
#include "base/mem.h"
#include "program/program.h"

struct names {
    const struct program *program;
    VEC(function_id) functions;
    VEC(memory_id) variables;
    VEC(source_type_id) types; /* complete */
};

void names_init(struct names *names, const struct program *program);
void names_deinit(struct names *names);

void names_add_function(struct names *names, function_id function);
void names_add_variable(struct names *names, memory_id memory);
/* What can be named of a type is; others come with what uses them. */
void names_add_type(struct names *names, source_type_id type);

/* The identifier; the caller frees. */
char *names_function(const struct program *program, function_id function);
char *names_variable(const struct program *program, memory_id memory);

void names_write(const struct names *names, FILE *out);

/*
 * Writes a header with all of the named, as they are in this program, and a linker script with
 * their addresses.  What the program does not have any more is an error where it is used.
 */
struct error *names_describe(const struct program *program, const char *names_path, FILE *header,
                             FILE *script);

#endif
