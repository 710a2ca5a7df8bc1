/*
 * The shadow stack: what the functions that are running were called with.
 *
 * Each thread has one, in memory of the runtime's, growing up.  Code that a variant adds
 * (src/instrument/shadow.c) puts a frame there when a function begins and takes it, and all above
 * it, away when the function returns (ReCrash, section 2.1):
 *
 *     | frame of main | frame of parse | frame of expect |
 *                                                         ^ recut_self.shadow
 *
 * A frame is a whole number of words.
 */
#ifndef RECUT_FORMAT_SHADOW_H
#define RECUT_FORMAT_SHADOW_H

#include <stdint.h>

struct shadow_frame {
    uint32_t function;   /* its number in the program (program/program.h) */
    uint32_t size;       /* of the frame, in bytes */
    uint64_t data_stack; /* the data stack pointer of its caller */
    uint64_t entry;      /* in a replay: how many frames the thread put there until this one */
    uint64_t words[];    /* the arguments, each at a word of its own; larger ones at several */
};

/* Bytes of address space for each thread. */
#define SHADOW_SIZE (256ULL << 20)
/* Frames are at most this large. */
#define SHADOW_FRAME_MOST (64ULL << 10)

#endif
