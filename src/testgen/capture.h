/*
 * What a failed run left (format/capture.h), read and checked.
 */
#ifndef RECUT_TESTGEN_CAPTURE_H
#define RECUT_TESTGEN_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "format/shadow.h"

struct capture_memory {
    uint64_t address, size;
    const uint8_t *bytes;
};

/* A frame, and memory when its function began. */
struct capture_state {
    const struct shadow_frame *frame;
    uint64_t thread;
    VEC(struct capture_memory) memory; /* by address */
};

struct capture {
    char *data;
    VEC(const struct shadow_frame *) shadow; /* outermost first */
    uint64_t shadow_thread;
    VEC(struct capture_state) states;
};

/* A damaged file is an error. */
struct error *capture_read(const char *path, struct capture *ret);
void capture_deinit(struct capture *capture);

/* Copies memory of the program; what was not kept is zero.  False if the program can have none
 * there. */
bool capture_get(const struct capture_state *state, uint64_t address, void *ret, size_t size);
/* Is it memory of the program's that lies at the same address in every build: heap, stacks,
 * arguments, and not code and variables? */
bool capture_is_movable(uint64_t address);

#endif
