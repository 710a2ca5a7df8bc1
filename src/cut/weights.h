/*
 * How often instructions were executed, and how many bytes they moved: what edges of the graph
 * weigh.
 *
 * From the file of `recut profile -o`, or from nowhere: then everything weighs the same.
 */
#ifndef RECUT_CUT_WEIGHTS_H
#define RECUT_CUT_WEIGHTS_H

#include "base/error.h"
#include "program/program.h"

/* Of a byte in the log there are so many in a weight, so that what never ran can weigh less than
 * one, and still something. */
#define WEIGHT_BYTE 1024

struct weights {
    bool is_profiled;
    uint64_t *count; /* by instruction; of an instruction without a count, 0 */
    uint64_t *bytes; /* by instruction: moved in all; of a call, what the callee put into memory */
    uint64_t *calls; /* by function: how often it was entered */
    uint64_t *indirect; /* by function: of those, other than by a call of it alone */
    bool *has_bytes;    /* by instruction: `bytes` says something */
};

/* Does an external function read one character of a stream?  A recorder logs what the stream has
 * ready instead, so that a call of it costs no more than that (runtime/cut_stream.c). */
bool weights_is_character(const char *function);

/* A profile of another build, or of a run in which nothing was executed, is ERROR_INPUT. */
struct error *weights_read(const char *path, const struct program *program, struct weights *ret);
/* Without a profile. */
void weights_init(const struct program *program, struct weights *ret);
void weights_deinit(struct weights *weights);

#endif
