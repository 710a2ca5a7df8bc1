/*
 * A test: C code that puts back what a function began with, and calls it (ReCrash, section 2.3).
 *
 *     heap and stacks   at their old addresses, from a file; but objects that are small, and that
 *                       types lead to from the arguments and the variables, are set field by field
 *     variables         by name; those that are not what the program starts with
 *     pointers          to functions and variables by name
 *
 * What is in the C code is not in the file: whoever changes a literal changes the test.
 */
#ifndef RECUT_TESTGEN_TEST_H
#define RECUT_TESTGEN_TEST_H

#include "program/program.h"
#include "testgen/capture.h"
#include "testgen/image.h"
#include "testgen/names.h"
#include "trace/bytes.h"

struct test_input {
    const struct program *program;
    const struct image *image; /* of the program */
    const struct capture_state *state;
    const struct capture *capture; /* that the state is of: what is redacted in it */
    const char *comment; /* what the file begins with: lines without the marks of a comment */
    const char *name;    /* of the test, and of its files */
    const char *directory;
    const uint8_t *build_id;
    uint64_t room;       /* of the machine stack, when it was called; 0: enough */
    instruction_id call; /* that was made, of a function with `...`; NO_ID: not known */
};

/* Writes NAME.c and NAME.state, and adds what they use to `names`. */
struct error *test_write(const struct test_input *input, struct names *names);

/* Files that all tests of a directory have in common. */
struct test_suite {
    const char *directory;
    const char *program; /* path */
    const char *recut;   /* path, for where it is in no $PATH */
    const uint8_t *build_id;
    const char *const *tests;
    size_t count;
    const struct capture *capture;
    const struct test_framework *framework; /* NULL: plain C */
    /* Functions of the environment that are answered, or end a test; never called. */
    const char *const *outside;
    size_t outside_count;
    struct bytes mappings; /* of the run that failed, as /proc/self/maps has them; or none */
    bool exits_fail;       /* exit() with a status other than 0 is what failed */
};
/* "cmocka" or "check"; NULL if there is none of that name. */
const struct test_framework *test_framework_find(const char *name);
struct error *test_write_common(const struct test_suite *suite, const struct names *names);

#endif
