/*
 * Does hand-written assembly switch machine stacks?
 *
 * A program that does would run several machine stacks over one data stack, so
 * its locals stay where they are.  Both questions are answered by a heuristic:
 * it knows the ways in which context switches are written, not every way in
 * which one could be.
 */
#ifndef RECUT_PROGRAM_STACKSWITCH_H
#define RECUT_PROGRAM_STACKSWITCH_H

#include <stdbool.h>

/* The text of inline or file-level assembly, in AT&T syntax. */
bool assembly_switches_stacks(const char *text);

/* An object file that an assembler made; one of a compiler's never does. */
bool object_switches_stacks(const char *path);

#endif
