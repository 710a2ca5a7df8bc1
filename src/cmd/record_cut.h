/* The variant of a cut for a recording (instrument/cut.h). */
#ifndef RECUT_CMD_RECORD_CUT_H
#define RECUT_CMD_RECORD_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct record_cut {
    const char *path;    /* of the cut */
    const char *program; /* path */
    const char *trace;   /* its directory, which has the models */
    const uint8_t *build_id;
    uint64_t models_hash;
    bool hashes;
};

/* Puts it into the trace, with the cut itself. */
struct error *record_cut_variant(const struct record_cut *record);

#endif
