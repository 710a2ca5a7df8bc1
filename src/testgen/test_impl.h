/* How a test is put together; for test*.c. */
#ifndef RECUT_TESTGEN_TEST_IMPL_H
#define RECUT_TESTGEN_TEST_IMPL_H

#include <stdio.h>

#include "format/capture.h"
#include "testgen/c_type.h"
#include "testgen/signature.h"
#include "testgen/test.h"

/* An object at its old address that the test sets. */
struct test_object {
    uint64_t address;
    source_type_id type;
    char *name;   /* of the pointer to it */
    bool is_text; /* of characters, up to a zero */
};

struct test_range {
    uint64_t address, size;
};

/* A function or variable that words of the file lead to. */
struct test_symbol {
    char *text; /* an expression */
};

struct test_variable {
    memory_id memory;
    uint64_t address, size;
};

struct writer {
    const struct test_input *input;
    const struct program *program;
    struct c_types *types;
    struct names *names;
    VEC(struct test_object) objects;
    VEC(struct test_range) covered; /* bytes that the code sets */
    VEC(struct test_symbol) symbols;
    VEC(struct test_variable) variables; /* that can be named, by address */
    VEC(struct test_variable) constants; /* that cannot, by address */
    VEC(function_id) functions;          /* that have code, by address */
    const char *hint;                    /* what the next object may be called; NULL: nothing */
    const uint8_t *value;                /* that is set, by offsets in it; NULL: memory */
    uint64_t value_size;
    unsigned lines;          /* of code so far */
    uint64_t kept_variables; /* number of those in the file */
    FILE *code;
    FILE *state;
};

/* Lines of code that a test may have before the rest goes to the file. */
enum { test_most_lines = 200, test_most_objects = 24, test_most_text = 400 };

/* test_value.c: the value of this type in these bytes, as an expression; NULL if C has none for it.
 * Objects that it points to are added.  The caller frees. */
char *test_value(struct writer *writer, source_type_id type, const uint8_t *bytes);
/* An expression for an address in the program itself; NULL if nothing with a name is there. */
char *test_symbol(struct writer *writer, uint64_t address);
char *test_text(const uint8_t *bytes, size_t size);
char *test_wide_text(const uint8_t *bytes, size_t count);
/* Does nothing else that a test can use have this name? */
bool test_is_free(const struct writer *writer, const char *name);
/* Is it wchar_t, by its name? */
bool test_is_wide(const struct program *program, source_type_id type);
/* Of which only the word is known: text, something with a name, an address, a number. */
char *test_any_pointer(struct writer *writer, uint64_t word);
/* The number with these bits; NULL if it has no decimal form. */
char *test_double(uint64_t bits);

/* test_constant.c: of constants without a name; NULL if none is there, or it has no text. */
bool test_is_constant(const struct program *program, memory_id memory);
const struct test_variable *test_constant_at(const struct writer *writer, uint64_t address);
char *test_constant(const struct writer *writer, const struct test_variable *constant);

/* test_argument.c: what is passed for a parameter, an expression; what must be set for that is
 * added. NULL if it was not kept. */
char *test_argument(struct writer *writer, const struct signature *signature, size_t number);

/* test_rest.c: arguments behind `...`, separated by commas; NULL if they were not kept. */
char *test_rest(struct writer *writer, const struct signature *signature, function_id function);

/* test_set.c: statements that set what is called `path`, and has the bytes at `address`. */
void test_set(struct writer *writer, const char *path, source_type_id type, uint64_t address);
/* How many lines that would be, as far as one can tell; more than test_most_lines: too many. */
uint64_t test_lines(const struct writer *writer, source_type_id type);

/* Can some of its bytes not be set by what they are? */
bool test_holds_union(const struct writer *writer, source_type_id type);

/* test_state.c: the file. */
void test_write_state(struct writer *writer);
void test_keep_variable(struct writer *writer, uint64_t number, const uint8_t *bytes,
                        uint64_t size);
/* The number of a symbol in the list of the test. */
uint64_t test_symbol_number(struct writer *writer, const char *text);

#endif
