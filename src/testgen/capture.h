/*
 * What a failed run left (format/capture.h), read and checked.
 */
#ifndef RECUT_TESTGEN_CAPTURE_H
#define RECUT_TESTGEN_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/mem.h"
#include "format/capture.h"
#include "format/shadow.h"

struct capture_memory {
    uint64_t address, size;
    const uint8_t *bytes;
};

/* Memory that was mapped, whatever is in it. */
struct capture_extent {
    uint64_t address, size;
};

/* A frame, and memory when its function began. */
struct capture_state {
    struct capture_frame frame;
    uint64_t thread;
    const uint64_t *words; /* its arguments */
    size_t word_count;
    uint64_t answers;                  /* that are of calls before it */
    VEC(struct capture_memory) memory; /* by address */
    VEC(struct capture_extent) extents;
    struct capture_memory process; /* the record of kind CAPTURE_PROCESS, or nothing */
};

struct capture_hidden {
    uint64_t address, size;
    const char *name;
};

struct capture {
    char *data;
    size_t size;
    size_t mapped; /* bytes of a file that the data is; 0: it is allocated */
    const struct capture_program *program; /* NULL but in a crash file; then the command line */
    VEC(struct capture_memory) memory;     /* when it crashed, by address */
    VEC(struct capture_extent) extents;
    const char *choices; /* of how it was monitored; NULL if it was not */
    bool is_whole;
    const struct capture_crash *crash; /* NULL if there is none */
    struct capture_memory process;     /* when it crashed: as in a state */
    VEC(uint8_t) stack;                /* the machine stack, from the crash's sp on */
    const char *failure;               /* what was said of one that is no crash; NULL otherwise */
    uint64_t thread;                   /* that crashed */
    VEC(struct shadow_layout) layouts; /* of records on that stack, by function */
    VEC(uint8_t) copies;               /* blocks of copies that were too many for records */
    VEC(struct capture_state) states;
    /* Records of kind CAPTURE_ANSWER, CAPTURE_IMPORT, CAPTURE_SEEN, CAPTURE_ENTER and
     * CAPTURE_LEAVE, whole. */
    VEC(struct capture_memory) answers;
    VEC(uint64_t) called;              /* by libraries: each function's address once */
    VEC(struct capture_span) spans;    /* of the heap, at the crash, or in any state */
    VEC(struct capture_hidden) hidden; /* what is private, and is not there */
    VEC(char *) hidden_names;          /* of those that were hidden later */
};

/* Writes a record; its payload is the head and then the bytes. */
void capture_write(FILE *out, enum capture_kind kind, const void *head, size_t head_size,
                   const void *bytes, size_t size);

/* With the kind, thread and size of another. */
void capture_write_of(FILE *out, const struct capture_record *like, const void *payload);

/* Compresses a crash file, and adds how the program was monitored; NULL: it was not. */
struct error *capture_pack(const char *path, const char *choices);

/* Is it one, as far as its first bytes tell? */
bool capture_is_file(const char *path);

/* seen.c: what was read of libraries' memory bit by bit, between two records of other kinds, put
 * together.  The data gets smaller, and is changed in place; a damaged file stays as it is. */
void capture_merge_seen(char *data, size_t *size);

/* A damaged file is an error. */
struct error *capture_read(const char *path, struct capture *ret);
/* The same for one that was not packed, may be large, and is written by nobody any more. */
struct error *capture_map(const char *path, struct capture *ret);
void capture_state_deinit(struct capture_state *state);
void capture_deinit(struct capture *capture);

/* A frame of the stack: of which function, where its return address is, and where it was. */
struct capture_place {
    uint32_t function;
    uint64_t slot, address;
};

/* A record on the stack: arguments, then copies (struct shadow_copy). */
struct capture_call {
    uint64_t record; /* its address */
    uint64_t entry;  /* its number; 0: it has none */
    uint64_t words[SHADOW_RECORD_MOST / 8];
    size_t argument_words, copy_words;
};

/* That of a frame; false if it has none. */
bool capture_call_at(const struct capture *capture, struct capture_place place,
                     struct capture_call *ret);

/* Copies of that call that are not in its record: struct shadow_copy and bytes, again and again. */
struct capture_memory capture_copies_of(const struct capture *capture, struct capture_place place);

/* How much of a block of the heap there is from an address on; 0 if it is in none. */
uint64_t capture_block_left(const struct capture *capture, uint64_t address);

/* Copies memory of the program; what was not kept is zero.  False if the program can have none
 * there. */
bool capture_get(const struct capture_state *state, uint64_t address, void *ret, size_t size);
/* Is it memory of the program's that lies at the same address in every build: heap, stacks,
 * arguments, and not code and variables? */
bool capture_is_movable(uint64_t address);
/* Is it memory of libraries, as far as the crash tells: libc's heap, or what the kernel placed? */
bool capture_is_foreign(const struct capture *capture, uint64_t address);
/* Is it on a machine stack that has a place of its own? */
bool capture_is_machine(uint64_t address);

#endif
