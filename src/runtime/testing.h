/*
 * A test instead of main(): what `recut test` made of a failure.
 *
 * RECUT_TEST names a shared object, which was built against this program as it is now: its
 * functions and variables by address (recut test --describe).  The program starts as always,
 * constructors included; then the test is loaded and runs in the place of main().  It calls what
 * is declared here by names without the underscores.
 */
#ifndef RECUT_RUNTIME_TESTING_H
#define RECUT_RUNTIME_TESTING_H

#include <stdint.h>

#define TEST_ENV "RECUT_TEST"

/* Is a test wanted?  Then main() is replaced. */
void __recut_testing_init(char **envp);

/* Memory of the run that failed, from a file of records (format/capture.h): the heap, the stacks
 * with what the callers had there, thread-locals.  The next call of the program begins with its
 * data stack here.  A file that is not right ends the process with a message. */
void __recut_test_memory(const char *path, uint64_t data_stack);

#endif
