/*
 * A trace: what the runtime writes while a program is recorded, and reads when
 * the run is replayed.
 *
 *   DIR/trace       struct trace_header: program, arguments, environment
 *   DIR/models      struct model_table: the models of the recording (model.h)
 *   DIR/log.SLOT    one stream of events for each thread; main is log.0
 *   DIR/tail.SLOT   while it is written: the chunk that comes last
 *
 * A stream is a page with struct stream_header, then chunks one after the
 * other, each at a multiple of 64 bytes:
 *
 *   | stream_header .. 4096 | chunk_header | events ...      | chunk_header | ev
 *                            <------ 64 ---><-- capacity ---->
 *
 * The last chunk is mapped shared while it is written, in DIR/tail.SLOT, and
 * copied to its `place` in DIR/log.SLOT when it is full; the stream is what log.SLOT
 * has up to that place, and then this chunk.  `used` grows after an event is
 * whole, so that what a killed process leaves ends with a whole event.  When the
 * program is gone, the tools append the chunk and remove the file.  `hash` is set
 * when a chunk is full and after that the chunk never changes; the last one may have
 * none.  A chunk whose magic is not there ends the stream.
 *
 * Events
 *
 *   u8 head                 low four bits: enum event_kind; the rest: enum event_flag
 *   [varint skipped,        EVENT_SKIPPED: calls since the last event that told of any, or was
 *    u32 path]              one, that went as they do without fail and are not in the log; and a
 *                           hash of where they were made from
 *   [varint size]           of the body, in bytes; not of a short LOAD, or CALL of a cut
 *   body
 *
 * varint is LEB128, at most ten bytes; a signed number is zigzag-coded first
 * ("svarint").  Fixed numbers are little endian.  Bytes are varint count, then
 * the bytes.
 *
 * In the trace of a cut replay space is part of the program, and its environment is the rest and
 * the libraries (runtime/cut.h).  Events are as above, but for these:
 *
 *   EVENT_SKIPPED is followed by varint 2 * repeated + 1, varint skipped, or 2 * repeated: loads
 *   that gave what a load of this thread from there gave before, and are not in the log
 *   (runtime/cut_load.c).  There is no path.
 *
 *   CALL    varint site, u8 enum cut_register, the registers that it names, [svarint errno],
 *           [u32 hash], [varint count of outputs, outputs: OUTPUT_MEMORY alone], if there are any.
 *           rax is the difference to that of the last call from the site, 0 before the first.
 *           Of so few bytes that its head says how many (call_size): varint site, [svarint of
 *           rax, if there is a difference]
 *   ENTER   as above; then bytes: arguments on the stack, [svarint errno if EVENT_ERRNO]
 *   LEAVE   u8 enum cut_register, the registers that it names, [u32 hash]
 *   START   of another thread than main: count 1, the number of its slot as an address, no bytes
 *
 *   Registers: rax, rdx are svarints, xmm0 and xmm1 u64, or 16 bytes with CUT_WIDE, st0 16
 * bytes.  The hash is there with TRACE_CUT_HASHED.
 *
 * Every call out of the program and every call into it has a number, counted
 * from 1 in each stream, whether it is in the log or not.
 *
 *   SITE    varint id, varint return address, bytes name of the function
 *           Ids count from 0.  Stands before the first CALL that uses it.
 *   CALL    varint site, inputs, result, [svarint errno if EVENT_ERRNO],
 *           varint count of outputs, outputs
 *           inputs: for each parameter of the model, in order, by its kind:
 *             INT UNSIGNED LONG HANDLE FUNCTION POINTER   svarint
 *             FLOAT DOUBLE   u64 (bits);   LONGDOUBLE 16 bytes
 *             STRING INOUT_STRING   varint 0 if NULL, else 1 + length, and the bytes
 *             STRINGS        varint 0 if NULL, else 1 + count, and each as bytes
 *             IN INOUT IN_IOVEC   u32 hash of the bytes (low half of XXH3-64), 0 if NULL
 *             others         nothing
 *           result by its kind: VOID nothing; INT UNSIGNED LONG HANDLE ARGUMENT INTO svarint;
 *             PAIR two svarints; FLOAT DOUBLE u64; COMPLEX two; LONGDOUBLE 16 bytes;
 *             LONGCOMPLEX 32 bytes; NEW svarint;
 *             STATIC_* LASTING_* OWNED_*  varint 0 if NULL, else 1 + size of the packed object,
 *             and it, or LOG_NO_OBJECT and a number
 *             (runtime/mirror.h has the packed form)
 *           output: varint tag, bytes. A tag below 32 is the number of a
 *             parameter; the others are enum output_tag.
 *           A function without a model has no inputs, and PAIR and COMPLEX as its result.
 *   ENTER   varint address of the function of the program, varint count, as many
 *           u64 integer arguments, varint count, as many u64 floating ones
 *           The environment calls the program.  Ends with LEAVE.
 *   LEAVE   u64 integer result, u64 floating result
 *   LOAD    what was loaded from memory that the environment may write, to the end.  Of so few
 *           bytes, the head has how many they are (load_size_bits).  Of a cut,
 *           bytes of a value of at most eight that are zero at its upper end are left out; behind a
 *           CALL of getc() a tag and what the stream has ready, or u32 where in that it goes on,
 *           and characters that come from it are what EVENT_SKIPPED counts (runtime/cut_stream.c)
 *   CRASH   struct crash_event; bytes: the machine stack from sp on, as far as it
 *           is kept; bytes: the process's mappings, as /proc/self/maps prints them
 *   EXIT    varint status, u64 hash of replay memory or 0
 *   HASH    varint number of the event after which it was taken, u64 hash of replay memory
 *   START   values of variables that the environment set before the program
 *           began: varint count, then each varint address, bytes
 *   LOST    bytes: why recording stopped here (disk full ...); the last event
 *   DONE    nothing: the thread of the stream is over
 *   SIGNAL  varint number; varint: where its handler runs (signal_at_tick and others, below);
 *           bytes: siginfo_t.
 *   CANCEL  varint return address of the call, or 0
 *           The thread was cancelled in the call that would be the next event.
 *   STORE   of a cut: varint address, bytes: what environment wrote there.  With EVENT_ZEROS
 *           varint address, varint count: so many zeros.  With EVENT_FREED varint address: a
 *           block of replay space that environment freed
 *   ORDER   varint counter; varint: how many operations of other threads on the same object came
 *           before this one, since the last of this thread (runtime/order.h).  Of a cut, varint
 *           crossings without an event since the last one with one, or ORDER; varint: how many
 *           of other threads came between.  EVENT_OUTSIDE: it is of one without an event
 */
#ifndef RECUT_FORMAT_LOG_H
#define RECUT_FORMAT_LOG_H

#include <stdint.h>

/* In place of the count of an object that a call returned, and so much more as its result is below
 * zero: there is none, but one of the numbers that some functions have for that, as (char *)-1. */
#define LOG_NO_OBJECT (1ULL << 35)
#define LOG_NUMBER_MOST 4095ULL
static inline int log_is_object(uint64_t result) { return result && result < -LOG_NUMBER_MOST; }

#include "format/program_section.h"

#define TRACE_MAGIC 0x3145434152544352ULL  /* "RCTRACE1" */
#define STREAM_MAGIC 0x31474f4c54434552ULL /* "RECTLOG1" */
#define CHUNK_MAGIC 0x4b4e4843u            /* "CHNK" */
#define LOG_VERSION 6

#define STREAM_HEADER_SIZE 4096
#define CHUNK_ALIGN 64
#define CHUNK_CAPACITY (1024u * 1024u - 64u) /* the usual one */
#define CHUNK_MAX_CAPACITY (1u << 30)        /* for one event that is larger */
#define LOG_MAX_SITES (1u << 24)

#define EVENT_KINDS(X)                                                                             \
    X(END, "end") /* never written: a zero byte is no event */                                     \
    X(SITE, "site")                                                                                \
    X(CALL, "call")                                                                                \
    X(ENTER, "enter")                                                                              \
    X(LEAVE, "leave")                                                                              \
    X(LOAD, "load")                                                                                \
    X(CRASH, "crash")                                                                              \
    X(EXIT, "exit")                                                                                \
    X(HASH, "hash")                                                                                \
    X(START, "start")                                                                              \
    X(LOST, "lost")                                                                                \
    X(ORDER, "order")                                                                              \
    X(DONE, "done")                                                                                \
    X(SIGNAL, "signal")                                                                            \
    X(CANCEL, "cancel")                                                                            \
    X(STORE, "store")

enum event_kind {
#define X(id, name) EVENT_##id,
    EVENT_KINDS(X)
#undef X
        EVENT_KIND_COUNT
};

/* Calls out of the program and into it are counted. */
static inline int event_has_number(enum event_kind kind) {
    return kind == EVENT_CALL || kind == EVENT_ENTER || kind == EVENT_CANCEL;
}

enum event_flag {
    EVENT_SKIPPED = 0x10, /* not SITE, START: calls were left out before it */
    EVENT_ERRNO = 0x20,   /* CALL: errno changed */
    EVENT_OUTSIDE = 0x40, /* CALL: other threads could go on meanwhile (runtime/section.h);
                             ORDER: when it came back */
    EVENT_ZEROS = 0x40,   /* STORE */
    EVENT_FREED = 0x20,   /* STORE */
};

/* A LOAD of so few bytes that its head says how many: that and one, in its highest bits.  It has
 * no size. */
enum { load_size_shift = 5, load_size_most = 6 };
static inline unsigned load_size_bits(uint64_t size) {
    return size > load_size_most ? 0 : (unsigned)(size + 1) << load_size_shift;
}
static inline int load_has_size(unsigned head) { return !(head >> load_size_shift); }
static inline unsigned load_size(unsigned head) { return (head >> load_size_shift) - 1; }

/* The same of a CALL of a cut with neither errno, hash nor outputs, that returns in rax at most. */
enum { call_size_shift = 6, call_size_most = 3 };
static inline unsigned call_size(unsigned head) { return head >> call_size_shift; }

/* Where a handler runs: before the next call; where a handler ended that came before it, with
 * so many others interrupted meanwhile; or at a tick that leaves so many of the count, -1 for
 * the last (runtime/baton.h). */
enum { SIGNAL_AT_CALL = 0 };
static inline uint64_t signal_next(uint32_t depth) { return 2 * (uint64_t)depth + 1; }
static inline uint64_t signal_at_tick(int32_t left) { return 2 * ((uint64_t)(left + 1) + 1); }
static inline int signal_is_at_tick(uint64_t place) { return place && place % 2 == 0; }
static inline int32_t signal_count(uint64_t place) { return (int32_t)(place / 2) - 2; }

enum output_tag {
    OUTPUT_BUFFER = 32,    /* what a stdio stream holds ready after the call */
    OUTPUT_CONSUMED = 33,  /* svarint: what a call took out of it */
    OUTPUT_PENDING = 34,   /* svarint: what an output stream has not written yet */
    OUTPUT_OBJECT = 35,    /* an object that the environment made, packed */
    OUTPUT_BUFFERING = 36, /* svarint: enum stream_buffering of an output stream */
    OUTPUT_FD = 38,        /* svarint: descriptor of an output stream */
    OUTPUT_MEMORY = 39,    /* u64 address, and the bytes that were written there */
    OUTPUT_USED =
        37, /* svarint: what a call returned begins with as many bytes of what was ready */
    OUTPUT_TEXT = 40,     /* what a format became in a locale that a replay does not have */
    OUTPUT_LOCALE = 41,   /* the locale after the call (runtime/locale.c) */
    OUTPUT_VARIABLE = 42, /* varint address, bytes: a variable of the environment that it changed */
    OUTPUT_ZONE = 43,     /* bytes, bytes to the end: what tzname holds after the call */
    OUTPUT_KEPT = 44,     /* varint number, bytes: what a stream in memory left (stream_memory.c) */
    OUTPUT_ENVIRON = 46,  /* varint count, for each varint index, or 0 and bytes: `environ` after
                             the call, by where a variable stood before, from 1 (environ.h) */
    OUTPUT_THREAD = 45,   /* varint slot, varint stream of a thread that was made */
};

/* The trace is one of a cut (src/cut): of the part of a program that is executed again. */
enum trace_cut {
    TRACE_CUT = 1,
    TRACE_CUT_HASHED = 2, /* events have hashes of what replay space was given, and loaded */
};

struct trace_header {
    uint64_t magic;
    uint32_t version, size; /* of the whole file */
    uint8_t build_id[BUILD_ID_SIZE];
    uint64_t id;         /* random; the streams carry it too */
    uint64_t start_time; /* seconds since 1970 */
    uint32_t argument_count, environment_count;
    uint64_t serial; /* 0: causal; else 1 + the seed of chaos, 0 without (runtime/baton.h) */
    uint64_t cut;    /* enum trace_cut; 0: the whole program was recorded */
    /* NUL-terminated strings follow: path of the program, working directory,
     * libc, processor, arguments, environment. */
    uint64_t hash; /* XXH3-64 of the file with this field 0 */
};

struct stream_header {
    uint64_t magic;
    uint32_t version, slot;
    uint8_t build_id[BUILD_ID_SIZE];
    uint64_t id;
};

struct chunk_header {
    uint32_t magic;
    uint32_t capacity; /* of the events, a multiple of 64 */
    uint32_t used;
    uint32_t sealed;      /* hash is valid */
    uint64_t first_event; /* calls before it, in this stream */
    uint64_t hash;        /* XXH3-64 of the used bytes */
    uint64_t place;       /* offset in the stream */
    uint64_t skipped;     /* of a thread: calls since the last event that are not in the log */
    uint64_t repeated;    /* of a cut: the same of loads */
    uint64_t reserved[1];
};

struct crash_event {
    int32_t signal, code;
    uint64_t address; /* si_addr */
    uint64_t pc, sp;
    uint64_t registers[16];  /* as in struct user_regs: rax rbx rcx rdx rsi rdi rbp rsp r8..r15 */
    uint32_t in_environment; /* crashed in a function of the environment */
    uint16_t stack_overflow;
    uint16_t is_second; /* in a handler of the program's for another such signal, which was first */
    uint64_t order;     /* with threads: how far the others were (runtime/order.h) */
};

/* Environment of a recorded and of a replayed run; each names a trace directory. */
#define RECORD_ENV "RECUT_RECORD"
#define REPLAY_ENV "RECUT_REPLAY"
/* Comma-separated: hash=N a HASH every N events, analysed=1 loads from shared memory are
 * found, parent=N, thread=N, event=N of a program that a recorded one started,
 * tool=FILE where recut is, at the end (record); and for a replay goto=N stop
 * at event N, verify compare hashes, quiet show no output, report=FD where the end is
 * told (runtime/diverge.c), progress=FD memory in which a number of bytes is kept, follow=NAME the
 * process to go on in, races=FD where races are told (runtime/race_report.c), capture=FD and
 * entries=LIST what crashed functions were called with (format/capture.h). */
#define OPTIONS_ENV "RECUT_OPTIONS"
/* Environment of what a recorded program starts (runtime/process_invite.h). */
#define TOOL_ENV "RECUT_TOOL"
#define PARENT_ENV "RECUT_PARENT"

#endif
