/*
 * Takes what is private (secrets.h) out of what was captured, before it goes to a file or a test.
 *
 * Zeros take its place
 *
 *   - where variables, parameters and fields are, in memory, in records of calls and in copies;
 *   - in what private pointers lead to: the block of the heap, the variable, the object or the
 * text;
 *   - wherever else the same bytes are, in whatever was captured, if they are long and varied
 * enough to be known again: texts of 4 characters, other values of 8 bytes;
 *   - on the machine stack and in registers, but for addresses of code and of the stack itself,
 *     and records of calls that are running; on the data stack, but for frames that are.
 *
 * A parameter is private while its function is running and monitored: what it leads to is not known
 * afterwards.  What cannot be known, besides, are copies that the program made itself, if they are
 * parts, are transformed, or are shorter than that; blocks of the heap that no type leads to, such
 * as freed ones, with other secrets than those that are found; and private local variables of
 * frames whose place is not known, instead of which all of the data stack is left out.
 */
#ifndef RECUT_TESTGEN_REDACT_H
#define RECUT_TESTGEN_REDACT_H

#include "testgen/capture.h"
#include "testgen/secrets.h"

struct redact_input {
    const struct program *program;
    const struct secrets *secrets;
    const struct capture_place *frames; /* that were running, innermost first */
    size_t count;
    /* What goes into tests besides, changed in place: stars for what is private. NULL: there is
     * none. */
    char *command, *failure;
    bool keeps_nothing; /* of memory: nobody knows what parameters lead to, or nobody needs it */
};

/* `capture` has states; its data is changed in place, and what was hidden is added to it. */
void redact(const struct redact_input *input, struct capture *capture);

/* Writes a crash file that was changed in place, with what is hidden in it, uncompressed. */
struct error *redact_save(const struct capture *capture, const char *path);

/* The names of what is hidden, each once: "password, account.pin"; NULL if nothing is. The caller
 * frees. */
char *redact_names(const struct capture *capture);

/* Is any of these bytes hidden? */
bool redact_is_hidden(const struct capture *capture, uint64_t address, uint64_t size);
/* The same of a parameter. */
bool redact_is_hidden_parameter(const struct capture *capture, const char *function,
                                const char *name);

#endif
