/*
 * A test instead of main(): what `recut test` made of a failure.
 *
 * RECUT_TEST names a shared object, which was built against this program as it is now: its
 * functions and variables by address (testgen/names.h).  The program starts as always, constructors
 * included; then the test is loaded and runs in the place of main(), with format/testing.h.
 */
#ifndef RECUT_RUNTIME_TESTING_H
#define RECUT_RUNTIME_TESTING_H

#include <signal.h>
#include <stdbool.h>

/* Is a test wanted?  Then main() is replaced. */
void __recut_testing_init(char **argv, char **envp);

/* Starts the program once more: this process has something where the test wants memory of its own.
 */
void __recut_testing_again(void) __attribute__((noreturn));

/* A test is running, and dies by this signal: whoever asked is told. */
extern bool __recut_testing_is_on, __recut_testing_reports;
struct crash_event;
void __recut_testing_crashed(const struct crash_event *event);
/* It does not, after all. */
void __recut_testing_withdraw(void);
/* The program ends by exit(), with a status that is not 0.  In a test that is no failure, as long
 * as the test itself has not come to its end. */
void __recut_testing_exits(void);
/* The machine stack is used up: the end of a test that began with next to none, in a program that
 * is not the one that failed. */
void __recut_testing_overflow(void);
/* A test is running, and the program says that it failed: so did the test. */
void __recut_testing_told(const struct crash_event *event, const char *why);

#endif
