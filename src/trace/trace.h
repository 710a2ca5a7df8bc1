/*
 * A recorded run, read: what the runtime left in a trace (format/log.h).
 *
 *     struct trace *trace;
 *     struct error *err = trace_open(path, &trace);
 *     ...
 *     struct trace_cursor *cursor = trace_cursor_new(trace, 0);
 *     const struct trace_event *event;
 *     while (!(err = trace_next(cursor, &event)) && event)
 *         ...
 *     trace_cursor_free(cursor);
 *     trace_close(trace);
 *
 * Nothing in a trace is believed.  trace_open() checks the header and the models;
 * the layout of a stream, the hash of a chunk and each event in it are
 * told of when a cursor comes to them, so that one stream that is damaged does not keep the
 * others from being read.  Damage is an error with ERROR_INPUT, and
 * the same damage gives the same error.  The files are mapped, and what is
 * allocated is in proportion to what is in them.
 *
 * The trace of a program that was killed is whole: it ends with the last event
 * that was.  A trace that is still being written reads as it is at the time.
 */
#ifndef RECUT_TRACE_TRACE_H
#define RECUT_TRACE_TRACE_H

#include "base/error.h"
#include "format/log.h"
#include "format/model.h"
#include "trace/bytes.h"

struct trace;
struct trace_cursor;

/* Names of the files of a trace, beside log.SLOT. */
#define TRACE_HEADER_NAME "trace"
#define TRACE_MODELS_NAME "models"
#define TRACE_PROCESS_NAME "process" /* runtime/process_child.h */
#define TRACE_LOG_PREFIX "log."
#define TRACE_CHILD_PREFIX "pid." /* processes.h has these two directories */
#define TRACE_EXEC_NAME "exec"
#define TRACE_VARIANT_NAME                                                                         \
    "variant" /* the logging variant, or that of the cut, if there is one                          \
               */
#define TRACE_CUT_NAME "cut"
/* Of one that was packed (pack.h): the executable, and its libraries in a folder. */
#define TRACE_PROGRAM_NAME "program"
#define TRACE_LIBRARY_NAME "lib"

/* What the header says. */
struct trace_info {
    const char *program;   /* absolute path of the executable */
    const char *directory; /* where it was started */
    const char *libc, *processor;
    const char *const *arguments; /* argv[0] first, NULL-terminated */
    const char *const *environment;
    uint32_t argument_count, environment_count;
    uint8_t build_id[BUILD_ID_SIZE];
    uint64_t id;
    uint64_t start_time; /* seconds since 1970 */
    uint64_t serial;     /* 0: threads ran in parallel; else 1 + the seed of chaos */
    uint64_t cut;        /* enum trace_cut; 0: of the whole program */
};

/* Opens a trace directory, or a packed trace (which is unpacked to the cache). */
struct error *trace_open(const char *path, struct trace **ret);
void trace_close(struct trace *trace);

/* The same of files in memory, which must stay there. */
struct trace_part {
    const char *name;
    struct bytes bytes; /* aligned to 8 */
};
struct error *trace_from_parts(const struct trace_part *parts, size_t count, struct trace **ret);

const struct trace_info *trace_info(const struct trace *trace);
/* The directory that it was opened from; NULL for one in memory. */
const char *trace_path(const struct trace *trace);
/* The executable: the one that was packed with it, else the recorded path. */
const char *trace_program(const struct trace *trace);
const struct model_table *trace_models(const struct trace *trace);

/* Threads, in order of their slots; main's is 0. */
size_t trace_stream_count(const struct trace *trace);
uint32_t trace_stream_slot(const struct trace *trace, size_t stream);

/* Is the layout of every stream whole, whatever is in it? */
struct error *trace_check_layout(const struct trace *trace);

/* Goes through every event of every stream. */
struct error *trace_check(const struct trace *trace);

/* Are the logs of all threads there that the others made?  The error names the first that is not.
 * Costs less than trace_check(), which does not ask that. */
struct error *trace_find_missing(const struct trace *trace);

/* Where a call was made from. */
struct trace_site {
    uint32_t id;
    uint64_t address;                   /* that the call returns to */
    const char *name;                   /* of the function that is called; printable */
    const struct model_function *model; /* NULL if it has none */
    int64_t last;                       /* of a cut: what the last call returned in rax */
};

enum trace_value_kind {
    TRACE_NOTHING,    /* not in the log */
    TRACE_NULL,       /* a pointer to nothing */
    TRACE_SIGNED,     /* number[0] */
    TRACE_UNSIGNED,   /* bits[0] */
    TRACE_ADDRESS,    /* bits[0] */
    TRACE_PAIR,       /* number[0], number[1] */
    TRACE_FLOAT,      /* bits[0], low half */
    TRACE_DOUBLE,     /* bits[0] */
    TRACE_COMPLEX,    /* bits[0], bits[1]: two doubles */
    TRACE_LONGDOUBLE, /* 16 bytes; 32 of a complex one */
    TRACE_STRING,     /* bytes, without the NUL */
    TRACE_STRINGS,    /* `count` of them: trace_strings_next() over bytes */
    TRACE_HASH,       /* bits[0]: 32 bits, of bytes that were read */
    TRACE_OBJECT,     /* bytes: an object of the environment, packed (runtime/mirror.h) */
    TRACE_REGISTERS,  /* number: rax, rdx; bits: xmm0, xmm1 (a function without a model) */
};

struct trace_value {
    enum trace_value_kind kind;
    int64_t number[2];
    uint64_t bits[2];
    uint64_t count;
    struct bytes bytes;
};

/* Takes the next string off the bytes of TRACE_STRINGS; false at the end. */
bool trace_strings_next(struct bytes *rest, struct bytes *ret);

struct trace_call {
    const struct model_function *model; /* NULL: no inputs, and TRACE_REGISTERS */
    uint32_t input_count;               /* parameters of the model */
    struct trace_value inputs[MODEL_MAX_PARAMS];
    struct trace_value result;
    int64_t error; /* errno, with EVENT_ERRNO */
    uint64_t output_count;
    struct bytes outputs; /* trace_output_next() */
};

/* What a call wrote.  The tag is a parameter's number or an enum output_tag. */
struct trace_output {
    uint64_t tag;
    struct bytes bytes;
};
bool trace_output_next(struct bytes *rest, struct trace_output *ret);

/* A variable that the environment set before the program began. */
struct trace_variable {
    uint64_t address;
    struct bytes bytes;
};
bool trace_variable_next(struct bytes *rest, struct trace_variable *ret);

struct trace_event {
    enum event_kind kind;
    unsigned flags;    /* enum event_flag */
    uint64_t number;   /* CALL, ENTER: its own; others: of the last call before it */
    uint64_t skipped;  /* calls right before it that are not in the log */
    uint64_t repeated; /* of a cut: the same of loads, which gave what they gave before */
    uint32_t path;     /* with EVENT_SKIPPED: hash of where they were made from; not of a cut */
    bool is_short;     /* CALL of a cut: site and result are all that it has */
    uint32_t depth;    /* calls into the program that it lies in */
    uint64_t offset;   /* in the file of its stream */
    uint64_t size;     /* there, head and body */
    struct bytes body;
    const struct trace_site *site; /* SITE, CALL */
    union {
        struct trace_call call;
        struct {
            uint64_t address;
            uint64_t integer_count, float_count;
            struct bytes integers, floats; /* of 8 bytes each, not aligned */
        } enter;
        struct {
            uint64_t integer, real; /* real: bits */
        } leave;
        struct bytes load;
        struct {
            uint64_t address, count;
            struct bytes bytes; /* none with EVENT_ZEROS and EVENT_FREED */
        } store;
        struct {
            struct crash_event state;
            struct bytes stack;    /* the machine stack from state.sp on */
            struct bytes mappings; /* as /proc/self/maps has them */
        } crash;                   /* unwind.h makes a stack trace of it */
        struct {
            uint64_t status;
            uint64_t hash; /* of replay memory; 0 for none */
        } exit;
        struct {
            uint64_t after, hash;
        } hash;
        struct {
            uint64_t count;
            struct bytes variables; /* trace_variable_next() */
        } start;
        struct bytes lost;
        struct {
            uint64_t number, place; /* SIGNAL_AT_CALL and others */
            struct bytes info;      /* siginfo_t */
        } signal;
        uint64_t cancelled_at; /* CANCEL: the call, by its return address; 0 if it is not known */
        struct {
            uint64_t counter; /* runtime/order.h */
            uint64_t others;  /* operations of other threads before it */
        } order;
    };
};

/* A walk over one stream, from its beginning. */
struct trace_cursor *trace_cursor_new(const struct trace *trace, size_t stream);
void trace_cursor_free(struct trace_cursor *cursor);
/* The next event, NULL at the end.  It holds until the next call; its site until
 * the cursor is freed.  After an error there is no next one. */
struct error *trace_next(struct trace_cursor *cursor, const struct trace_event **ret);

const char *event_kind_name(enum event_kind kind);
/* "buffer", ...; NULL for a tag that is a parameter's number. */
const char *output_tag_name(uint64_t tag);
/* Name of a parameter; never empty. */
const char *trace_parameter_name(const struct trace *trace, const struct model_function *model,
                                 uint32_t parameter);
/* The parameter itself, for its kind. */
const struct model_param *trace_parameter(const struct trace *trace,
                                          const struct model_function *model, uint32_t parameter);

/* How a run ended, from the end of its log alone, whatever its length. */
enum trace_end {
    TRACE_EXITED,    /* `status` */
    TRACE_CRASHED,   /* `signal` */
    TRACE_LOST,      /* recording stopped: `reason` */
    TRACE_KILLED,    /* the log ends without a word */
    TRACE_RECORDING, /* it still runs */
};

struct trace_summary {
    enum trace_end end;
    uint64_t status;
    int signal;
    struct crash_event crash;     /* TRACE_CRASHED; likewise the machine stack from its sp on, */
    struct bytes stack, mappings; /* and /proc/self/maps */
    struct bytes reason;
    uint64_t calls; /* out of the program and into it, in the log or not; all threads */
    size_t threads;
};

struct error *trace_summarise(const struct trace *trace, struct trace_summary *ret);

#endif
