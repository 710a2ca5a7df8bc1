/*
 * What a test that runs in the place of main() gets from the runtime (runtime/testing.h).  Tests
 * have a copy of this in their own words (testgen/files.c).
 */
#ifndef RECUT_FORMAT_TESTING_H
#define RECUT_FORMAT_TESTING_H

#include <stdint.h>

/* The shared object with the test. */
#define TEST_ENV "RECUT_TEST"
/* A descriptor that a crash of the test is told to: a record of kind CAPTURE_CRASH. */
#define TEST_REPORT_ENV "RECUT_TEST_REPORT"
/* How often the program was started for it before, a digit (runtime/seen.h). */
#define TEST_TRIES_ENV "RECUT_TEST_TRIES"

/* A variable of the test, if it is to have no more of the machine stack than so many bytes. */
#define TEST_ROOM "recut_test_room"
/* The same for once, a number: `recut test` looks for what it takes to fail as the program did. */
#define TEST_ROOM_ENV "RECUT_TEST_ROOM"
/* With less than this, mended code may need more than there is: a test that comes to the end of its
 * stack in another build than the one that failed says nothing, and ends with this status. */
#define TEST_ROOM_SHORT (64 << 10)
#define TEST_FULL 75

struct recut_test {
    /* Memory of the run that failed, from a file of records (format/capture.h): the heap, the
     * stacks with what the callers had there, thread-locals.  Words that lead to a function or
     * variable are made to, by `symbols`.  The next call of the program begins with its data stack
     * here.  A file that is not right ends the process with a message. */
    void (*memory)(const char *path, void *const *symbols, uint64_t data_stack);
    /* Calls of the environment are answered as they were, from the answer of this number on. */
    void (*answers)(const char *path, uint64_t first);
    /* A variable, from the same file: the one of this number. */
    void (*variable)(const char *path, uint64_t number, void *to, uint64_t size);
    /* Functions of the program that libraries called: in front of answers(). */
    void (*called)(void *const *functions);
};

/* The function of the shared object that is called; what it returns is the exit status. */
typedef int recut_test_main_function(const struct recut_test *);
#define TEST_MAIN "recut_test_main"

#endif
