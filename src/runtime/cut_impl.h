/* What the files of the runtime of a cut share; see cut.h. */
#ifndef RECUT_RUNTIME_CUT_IMPL_H
#define RECUT_RUNTIME_CUT_IMPL_H

#include "runtime/cut.h"
#include "runtime/effect.h"
#include "runtime/env_args.h"
#include "runtime/env_thread.h"

/* Called so often that no register of the caller's is lost for it.  Code generation is clang's. */
#ifdef __clang__
#define QUICK __attribute__((preserve_most))
#else
#define QUICK
#endif

extern const struct variant_in *__recut_cut_ins;
extern const struct variant_out *__recut_cut_outs;
extern uint64_t __recut_cut_in_count;
extern const struct model_table *__recut_cut_models;
extern bool __recut_cut_hashes, __recut_cut_verifies;

/* cut.c */
bool __recut_cut_begin_thread(struct env_thread *thread, uint32_t slot);
static inline const char *cut_out_name(const struct variant_out *out) {
    return (const char *)out->name;
}
void *__recut_cut_real(const struct variant_out *out);
/* Record: there is no other thread, and never was one in replay space. */
bool __recut_cut_is_alone(void);
/* Record: the calling thread, which gets a stream if it has none; NULL if there can be none. */
struct env_thread *__recut_cut_thread(void);

/* The thread goes over to its other side. */
static inline void cut_swap(struct env_thread *thread) {
    struct cut_side now = {__recut_self.data_stack, __recut_self.stack_limit, __recut_self.arena,
                           __recut_self.slot};
    struct cut_side *other = &thread->cut.other;
    __recut_self.data_stack = other->data_stack;
    __recut_self.stack_limit = other->stack_limit;
    __recut_self.arena = other->arena;
    __recut_self.slot = other->slot;
    *other = now;
    __recut_self.inside = !__recut_self.inside;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* cut_order.c: a crossing, which has the next number of all.  `is_silent`: it has no event. */
void __recut_cut_order_begin(struct env_thread *thread, bool is_silent);
void __recut_cut_order_end(struct env_thread *thread);
/* Record, when replay space goes on: is there another thread? */
extern uint8_t __recut_cut_has_order;
void __recut_cut_order_look(void);
static inline void cut_order_look(void) {
    if (__builtin_expect(!__recut_cut_has_order, 0))
        __recut_cut_order_look();
}
/* Replay: waits for the turn of the next crossing, if it is one of environment; it begins later. */
void __recut_cut_order_peek(struct env_thread *thread);
/* Replay: so many threads; one has nothing left to do. */
void __recut_cut_order_threads(uint32_t count);
void __recut_cut_order_park(struct env_thread *thread, struct diverge_place now)
    __attribute__((noreturn));

/* Of an event that came instead of another one. */
static inline const char *event_text(enum event_kind kind) {
    static const char *const names[] = {
#define X(id, name) name,
        EVENT_KINDS(X)
#undef X
    };
    return kind < EVENT_KIND_COUNT ? names[kind] : "nothing";
}

/* cut_callee.c: what is known of a function that calls go out to, before it is called. */
struct cut_heap_call {
    unsigned char first, second; /* arguments whose product is the size of the block, 1 + each */
    bool resizes, by_pointer;
};
/* A text that is returned in a block of its own, or by a pointer that was given. */
enum cut_text {
    CUT_TEXT_NONE,
    CUT_TEXT_PRINTED, /* asprintf() */
    CUT_TEXT_LINE,    /* getline() */
    CUT_TEXT_TOKEN,   /* strtok() */
    CUT_TEXT_WIDE,    /* wcsdup() */
    CUT_TEXT_COPY,    /* strdup(), realpath() and others */
};
enum cut_does {
    CUT_MAPS = 1,
    CUT_GLOBS = 2,
    CUT_EXPANDS = 4,
    CUT_CONVERTS = 8,
    CUT_SEARCHES = 16,
    CUT_MATCHES = 32,
    CUT_CTYPE = 64,
    CUT_SORTS = 128,
};
struct cut_callee {
    const char *name;
    const struct model_function *model; /* NULL: it has none */
    const struct effect *effect;
    const struct cut_heap_call *heap;
    enum cut_text text;
    unsigned does;    /* enum cut_does */
    bool has_effects; /* it may write memory of the program's */
};
/* Record; false: there is no memory. */
bool __recut_cut_callees_find(uint64_t count);
const struct cut_callee *__recut_cut_callee(const struct variant_out *out);

/* cut_effects.c: what an external function writes, by its model. */
struct cut_area {
    const void *at;
    size_t size;
};
struct cut_effects {
    struct cut_effects *next; /* of the call around it, or the next spare one */
    const struct env_frame *frame;
    const char *data_stack;
    const struct cut_callee *callee;
    const struct effect *effect; /* NULL: it has none, or no plan of what it writes */
    struct env_args args, *other;
    struct effect_plan plan;
    uint64_t argument[7];
    size_t old_size;   /* of a block that is resized */
    const char *began; /* where iconv() begins to write */
    bool is_inside;    /* called by replay space */
    bool is_unread;
    bool is_zeroed; /* the only area is zeros now */
    bool is_whole;  /* all areas are there; if not, the recording ends */
    unsigned count;
    struct cut_area areas[effect_most + 2 * MODEL_MAX_PARAMS];
};
/* Not on the machine stack, which is the program's: qsort() and its kind may call back, and be
 * called again, as deep as the program likes.  NULL: no memory, and the recording has ended. */
struct cut_effects *__recut_cut_effects_begin(struct env_thread *thread,
                                              const struct cut_callee *callee,
                                              const struct env_frame *frame);
/* `is_unread`: what it wrote through its arguments does not count. */
void __recut_cut_effects_after(struct cut_effects *effects, const struct env_frame *frame,
                               bool is_unread);
void __recut_cut_effects_end(struct env_thread *thread, struct cut_effects *effects);
/* The thread ends. */
void __recut_cut_effects_deinit(struct env_thread *thread);

/* cut_load.c: so many loads are remembered. */
enum { cut_remembered_bits = 12, cut_most_remembered = 1 << cut_remembered_bits };

/* Of a value that was loaded, bytes that are zero at its upper end are not in the log. */
static inline size_t cut_kept_size(uint64_t value) {
    return value ? 8 - (size_t)__builtin_clzll(value) / 8 : 0;
}

/* The bytes there; in a replay those of the next load, as many as it has. */
const void *__recut_cut_given(const void *address, uint64_t *size);

/* cut_signal.c: record, in environment: handlers of signals that waited. */
void __recut_cut_deliver_all(struct env_thread *thread);
static inline void cut_deliver(struct env_thread *thread) {
    if (__builtin_expect(thread->cut.signal_count != 0, 0))
        __recut_cut_deliver_all(thread);
}

/* cut_ctype.c: what stands for a function of libc's that tells of characters, NULL for others; and
 * what a call of it changed since the last one. */
void *__recut_cut_ctype_find(const char *name);
struct cut_area __recut_cut_ctype_area(const char *name);

/* cut_stream.c: the thread ends. */
void __recut_cut_streams_deinit(struct env_thread *thread);

/* cut_heap.c */
void __recut_cut_free_replayed(void *block);

/* cut_record.c, cut_replay.c */
void __recut_cut_record_in(struct env_thread *thread, const struct variant_in *in,
                           struct env_frame *frame);
void __recut_cut_record_out(struct env_thread *thread, const struct variant_out *out,
                            struct env_frame *frame);
void __recut_cut_replay_out(struct env_thread *thread, const struct variant_out *out,
                            struct env_frame *frame);
void __recut_cut_take(struct env_thread *thread);
const void *__recut_cut_replay_load(struct env_thread *thread, const void *address, uint64_t *size);
void __recut_cut_write_store(struct env_thread *thread, const void *address, size_t size,
                             unsigned flags);

#endif
