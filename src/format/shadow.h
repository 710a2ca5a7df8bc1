/*
 * The shadow stack: what the functions that are running were called with (ReCrash, section 2.1).
 *
 * A function that keeps it has a record in its frame on the machine stack, written by code that a
 * variant adds at its beginning (src/instrument/shadow.c); nothing is done when it ends.  Where the
 * record lies in the frame is the code generator's choice, the same for all calls of a function,
 * and is told by a table of the image.  So a record is a store for each argument and nothing else:
 * whoever looks unwinds the stack, finds the frames, and with each its record.  longjmp(), tail
 * calls and frames that nobody monitors disturb nothing.
 *
 *     | return to main    |  slot of parse
 *     | saved registers   |
 *     | record            |  arguments, copies [, entry]
 *     | spilled registers |
 *     | return to parse   |  slot of what it calls
 */
#ifndef RECUT_FORMAT_SHADOW_H
#define RECUT_FORMAT_SHADOW_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A record is at most this large; functions of larger ones are not monitored. */
#define SHADOW_RECORD_MOST (4ULL << 10)

/*
 * What the image tells of a function, in its section of these: its record, and where that lies, in
 * the words of the code generator: two instructions that nobody executes, lea disp32(%rsp) or
 * lea disp32(%rbp), the first of the record's address, the second of that of the return address.
 */
struct shadow_note {
    uint64_t code;     /* address of the function's own code; the record is whole before it */
    uint32_t function; /* its number in the program (program/program.h) */
    uint16_t size;     /* of the record, in bytes */
    uint16_t copied;   /* of the copies in it, with their heads */
    uint8_t has_entry; /* the last word of the record is its number: replays only */
    uint8_t unused[7];
    uint8_t places[16];
};
#define SHADOW_NOTES "recut_frames" /* section of these */

/* The same, as a capture has it. */
struct shadow_layout {
    uint64_t code;
    uint32_t function;
    int32_t offset; /* of the record from the address of the return address */
    uint16_t size, copied;
    uint32_t has_entry;
};

/* One of the instructions; how long it is, 0 if it is not as above. */
static inline unsigned shadow_read_place(const uint8_t *code, int32_t *ret, bool *ret_is_frame) {
    static const uint8_t by_stack[] = {0x48, 0x8d, 0x84, 0x24}, by_frame[] = {0x48, 0x8d, 0x85};
    *ret_is_frame = memcmp(code, by_frame, sizeof by_frame) == 0;
    if (!*ret_is_frame && memcmp(code, by_stack, sizeof by_stack) != 0)
        return 0;
    unsigned length = *ret_is_frame ? sizeof by_frame : sizeof by_stack;
    memcpy(ret, code + length, sizeof *ret);
    return length + sizeof *ret;
}

/* With a frame pointer, that tells where the return address is: %rbp leads to the word below it. */
static inline bool shadow_layout_of(const struct shadow_note *note, struct shadow_layout *ret) {
    int32_t record, slot;
    bool is_frame, is_same;
    unsigned length = shadow_read_place(note->places, &record, &is_frame);
    if (!length)
        return false;
    if (is_frame)
        slot = sizeof(uint64_t);
    else if (!shadow_read_place(note->places + length, &slot, &is_same) || is_same)
        return false;
    *ret = (struct shadow_layout){note->code, note->function, record - slot,
                                  note->size, note->copied,   note->has_entry};
    return true;
}

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

/* In front of the copies (struct shadow_copy, bytes) of a call that were too many for its record
 * (runtime/copies.h). */
struct copies_block {
    uint64_t slot, function; /* whose: address of the return address, number in the program */
    uint64_t size;           /* with this head */
    uint64_t before;         /* where the block before it begins */
};

#endif
