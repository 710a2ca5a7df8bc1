/*
 * The shadow stack: what the functions that are running were called with (ReCrash, section 2.1).
 *
 * Each frame of a thread's machine stack has its place in shadow memory, four times as large, by
 * the address of its return address.  Code that a variant adds (src/instrument/shadow.c) writes
 * there when a function begins, and does nothing when it ends: whoever looks finds the frames of
 * the machine stack by unwinding it, and with each its record.
 *
 *     machine stack            shadow memory
 *     | return to main  |      | ...                                           |
 *     | locals of parse | x 4  | arguments of parse | entry | slot | function |
 *     | return to parse |      | ...
 *
 * So neither longjmp() nor tail calls nor frames that nobody monitors disturb it.  A record that
 * is not for the frame at hand, but for one that was there before or for another stack, has another
 * slot or function.
 *
 * The place of a frame whose return address is at `slot` ends at
 * recut_self.shadow + SHADOW_SCALE * (slot % SHADOW_WINDOW), and its last words are struct
 * shadow_end.
 */
#ifndef RECUT_FORMAT_SHADOW_H
#define RECUT_FORMAT_SHADOW_H

#include <stdint.h>

#define SHADOW_SCALE 4ULL
#define SHADOW_WINDOW (16ULL << 20)
/* A record is at most this large; functions of larger ones are not monitored. */
#define SHADOW_RECORD_MOST (4ULL << 10)
/* Memory of a thread, and where recut_self.shadow is in it. */
#define SHADOW_SIZE (SHADOW_RECORD_MOST + SHADOW_SCALE * SHADOW_WINDOW)
#define SHADOW_START SHADOW_RECORD_MOST
/* A function that calls others has at least this much of the machine stack, and so this much shadow
 * memory; one whose record is larger gets more of both. */
#define SHADOW_FRAME_LEAST 16ULL

/* Behind the arguments of a function with `...` that looks at what is there: what va_start() finds,
 * and then words of the stack, which may be more than were passed.  Which of the registers hold
 * something, and what, only the call tells. */
struct shadow_rest {
    uint32_t integer, vector; /* where the first ones are, in the bytes of the two that follow */
    uint64_t registers[6];
    uint64_t vectors[8][2];
};

/* Behind the arguments, each of which begins at a word: memory that they point to, as it was. */
struct shadow_copy {
    uint64_t address; /* 0: there was none */
    uint64_t size;    /* of the bytes that follow; the next one begins at the next word */
};

/* In the size of one that is not made when the function begins, but before something changes what
 * it is of: that has not come so far. */
#define SHADOW_NOT_YET (1ULL << 30)

static inline int shadow_copy_is_made(const struct shadow_copy *copy) {
    return copy->address && !(copy->size & SHADOW_NOT_YET);
}

/* How much room the bytes of a copy have. */
static inline uint64_t shadow_copy_room(uint64_t size) { return (size + 7) & ~7ULL; }

/* Behind those. */
struct shadow_end {
    uint64_t
        entry; /* in a replay: how many records threads of its slot had written until this one */
    uint64_t slot;     /* address of the return address */
    uint32_t function; /* its number in the program (program/program.h) */
    uint16_t size;     /* of the whole record, in bytes */
    uint16_t copied;   /* of the copies, with their heads */
};

/* In front of the copies (struct shadow_copy, bytes) of a call that were too many for its record
 * (runtime/copies.h). */
struct copies_block {
    uint64_t slot, function; /* as in struct shadow_end */
    uint64_t size;           /* with this head */
    uint64_t before;         /* where the block before it begins */
};

#endif
