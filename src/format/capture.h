/*
 * What a failed run leaves for `recut test`: the shadow stack, and memory.
 *
 * A file of records, each with its size and a hash, in this order:
 *
 *   of a monitored run (a crash file, which is compressed by zstd)
 *     PROGRAM   struct capture_program, then the command line, each argument with its NUL
 *     FAILURE, CRASH, STACK, SHADOW as below, COPIES, PROCESS, MEMORY, SPANS, SEEN (of a program
 *     that uses libraries without models: their heap), WHOLE; CHOICES, REDACTED
 *
 *   when a replay fails
 *     FAILURE   if it is none that has a signal: what was said of it
 *     CRASH     what happened: struct capture_crash, the machine stack from sp on, as far as a
 *               record has room, the text of /proc/self/maps
 *     STACK     what of the machine stack is farther out
 *     SHADOW    where functions have their records: struct shadow_layout[] (format/shadow.h)
 *
 *   of a replay that was told which frames are wanted: for each, when its function begins,
 *     FRAME     struct capture_frame, then its arguments
 *     PROCESS   what libc keeps for the program
 *     EXTENT    memory that was mapped
 *     MEMORY    ... all that the program has in memory, without pages of zeros
 *     SPANS
 *     WHOLE     nothing is missing of that
 *   and from the first of them on ANSWER, SEEN, ENTER and LEAVE: what came from outside
 *
 * Written with no memory allocated, by a process that may be in any state.
 *
 * The memory that a test begins with is such a file, too: MEMORY, POINTERS, CONSTANTS and VARIABLE
 * records.
 */
#ifndef RECUT_FORMAT_CAPTURE_H
#define RECUT_FORMAT_CAPTURE_H

#include <stdint.h>

#include "format/log.h"

#define CAPTURE_MAGIC 0x54504143u /* "CAPT" */

enum capture_kind {
    CAPTURE_CRASH = 1,
    CAPTURE_SHADOW,
    CAPTURE_FRAME,
    CAPTURE_MEMORY, /* payload: u64 address, then the bytes */
    CAPTURE_WHOLE,
    CAPTURE_POINTERS, /* in the memory of a test: struct capture_pointer[] */
    CAPTURE_PROGRAM,
    CAPTURE_ANSWER,   /* of the environment: struct capture_answer, then the function's name, then
                         for each output struct capture_output and its bytes */
    CAPTURE_VARIABLE, /* in the memory of a test: u64 number, then the bytes of a variable */
    CAPTURE_PROCESS,  /* what libc keeps for the program: struct capture_process, then struct
                         capture_key[]; of a frame, or of the crash */
    CAPTURE_OUTSIDE,  /* in front of the answers of a test: the name of a function that is answered
                       */
    CAPTURE_STACK,    /* behind CRASH: u64 address, then more bytes of the machine stack */
    CAPTURE_FAILURE, /* text, with its NUL, in front of CRASH, whose signal is 0: it was no crash */
    CAPTURE_COPIES,  /* behind SHADOW: a piece of the copies of the thread: u64 offset in them, then
                        the  bytes: struct copies_block and so on (format/shadow.h) */
    CAPTURE_EXTENT,  /* in front of MEMORY: u64 address, u64 size of what the program has mapped,
                        where  nothing else tells of it: pages of zeros are not in MEMORY; in front
                        of the answers of a test: where libraries had memory */
    CAPTURE_CHOICES, /* text, with its NUL: how the program was monitored (instrument/monitor.h) */
    CAPTURE_SPANS,   /* behind MEMORY: struct capture_span[], where the heap has its blocks */
    CAPTURE_REDACTED, /* struct capture_redacted, then a name with its NUL: zeros stand there for
                         what is private */
    CAPTURE_SEEN,  /* between answers, and in the memory of a test: struct capture_seen, then bytes
                      that the program read of a  library's memory, or that a library wrote in its
                      own, since the last one */
    CAPTURE_ENTER, /* a library called the program: struct capture_enter, then the name of the
                      function that the program had called, whose answer comes later */
    CAPTURE_LEAVE, /* the end of the last such call that has none */
    CAPTURE_BUILD, /* in front of the answers of a test: the build id of the program that failed */
    CAPTURE_CONSTANTS, /* in the memory of a test, for other builds than this one: the build id,
                          then struct capture_pointer[], whose symbols the test has with it */
    CAPTURE_IMPORT, /* behind an answer, and in the memory of a test: u64 size of a name, with its
                       NUL, the name of a variable of a library, and its bytes */
};

/* The word at `address` is `offset` behind a function or variable of the program, wherever that is
 * in the build at hand: one of the list that the test has. */
struct capture_pointer {
    uint64_t address, symbol;
    int64_t offset;
};

#define CAPTURE_VERSION 4

struct capture_program {
    uint32_t version;
    uint32_t command_size;
    uint8_t build_id[BUILD_ID_SIZE];
    char path[4096]; /* of the executable */
};

struct capture_crash {
    struct crash_event event;
    uint64_t stack_size, mappings_size;
    uint64_t data_stack; /* the data stack pointer */
};

struct capture_frame {
    uint64_t function; /* its number in the program */
    uint64_t entry;
    uint64_t data_stack; /* the data stack pointer of its caller */
    uint64_t unused;     /* programs that were built before write something here */
};

struct capture_answer {
    uint64_t rax, rdx, xmm0;
    int32_t error;      /* errno behind it */
    uint32_t outputs;   /* CAPTURE_MADE: the call crashed, and so it is made */
    uint64_t name_size; /* with its NUL */
};

#define CAPTURE_MADE UINT32_MAX

struct capture_output {
    uint64_t address, size;
    uint64_t argument; /* which it was, of those in integer registers, from 1; 0: none */
};

/* ... and this much more: it led to a pointer that led there. */
#define CAPTURE_BEHIND 16

/* What libc maps for one block of libraries' is in a crash file if it is smaller. */
#define CAPTURE_BLOCK_MOST (8ULL << 20)

/* In front of the answers of a test. */
struct capture_library {
    uint64_t address, size;
    uint64_t is_whole; /* what is not there was zero */
};

struct capture_seen {
    uint64_t address;
    uint64_t argument; /* of the last call, from 1, if it led to what is in front; else 0 */
    uint64_t base;     /* what it was then */
};

enum { CAPTURE_INTEGERS = 14, CAPTURE_FLOATS = 8 };

struct capture_enter {
    uint64_t function; /* its address; in a test: which of the list that the test has */
    uint64_t integers[CAPTURE_INTEGERS], floats[CAPTURE_FLOATS];
    uint64_t integer_count;
    uint8_t passed[CAPTURE_INTEGERS + 2]; /* which argument of the call of the library it was, from
                                             1; 0: none */
    uint64_t name_size;                   /* with its NUL */
};

struct capture_process {
    uint64_t environment;      /* environ */
    uint64_t name, short_name; /* program_invocation_name and its end */
};

/* pthread_setspecific() */
struct capture_key {
    uint64_t key, value;
};

/* Blocks of `block` bytes each, one behind the other. */
struct capture_span {
    uint64_t address, size, block;
};

/* Of a parameter, whose value was in a record of a call, the address is 0. */
struct capture_redacted {
    uint64_t address, size;
};

struct capture_record {
    uint32_t magic;
    uint32_t kind;   /* enum capture_kind */
    uint64_t thread; /* its slot */
    uint64_t size;   /* of the payload, which follows, and then zeros up to a multiple of 8 */
    uint64_t hash;   /* XXH3-64 of the payload */
};

/* A payload is at most this large. */
#define CAPTURE_RECORD_MOST (1ULL << 24)

/* Environment of a monitored run: the crash file. */
#define MONITOR_ENV "RECUT_MONITOR"
/* Of a monitored run, and of a test: set if exit() with another status than 0 is a failure. */
#define EXITS_ENV "RECUT_EXITS"

/* Options of a replay: the descriptor to write to; whether exit() with another status than 0 is a
 * failure; and the frames that are wanted, by thread
 * and by the number of the record, ascending: "entries=0:17+230+231".  Functions by
 * their numbers behind those are calls after the last: "0:17+f3+f8" is one of f3 and then one of
 * f8. If f3 is called again before f8 is, the later call counts, and both are written. */
#define CAPTURE_OPTION "capture"
#define CAPTURE_EXITS_OPTION "exits"
#define CAPTURE_ENTRIES_OPTION "entries="

#endif
