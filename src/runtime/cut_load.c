/*
 * What does a load give that replay space makes from memory that a replay does not have?  See
 * cut.h.
 *
 * A part of a program looks at the same variables of the rest again and again, and mostly finds
 * there what it found before.  So each thread remembers, of some thousand places in the program's
 * memory, what a load gave.  One that gives the same again is not in the log: it is counted, and
 * the next event tells how many were (log.h).  Both runs load from the same addresses in the same
 * order, and so remember the same:
 *
 *     record   load, 7, was 7   load, 7, was 7   load, 8, was 7       -> LOAD 8, after 2 as before
 *     replay   7, 1 of 2        7, 2 of 2        from the log: 8
 *
 * Only values of at most eight bytes, and addresses that recut decides about: those of libraries,
 * of the kernel and of machine stacks are others in each run, and what they would push out of the
 * table would not be the same.
 *
 * A value is read once, for the log and for the program, and before anything is written: it may not
 * be there.
 */
#include <errno.h>
#include <string.h>

#include "runtime/access.h"
#include "runtime/cut_impl.h"

/* --- what was there before ----------------------------------------------------------------------
 */

static inline bool is_near(const void *address) {
    return (uint64_t)address - RECUT_MACHINE_STACK_TOP < RECUT_BRK_END - RECUT_MACHINE_STACK_TOP;
}

static inline bool is_rememberable(const void *address, size_t size) {
    bool is_static = (uint64_t)address - RECUT_IMAGE_BASE < (uint64_t)_end - RECUT_IMAGE_BASE;
    return size <= sizeof(uint64_t) && (is_near(address) || is_static);
}

static inline uint64_t key_of(const void *address, size_t size) {
    return (uint64_t)address | (uint64_t)size << 56;
}

/* What is close in memory is so in the table, too: fields of an object share its lines. */
static inline struct cut_remembered *remembered(struct env_thread *thread, uint64_t key) {
    enum { word_bits = 2, window_bits = word_bits + cut_remembered_bits };
    uint64_t place = (key >> word_bits) + (key % (1 << word_bits)) * (cut_most_remembered / 4 + 1) +
                     (key >> window_bits) * 0x9e3779b1;
    return &thread->cut.remembered[place % cut_most_remembered];
}

/* --- record -------------------------------------------------------------------------------------
 */

static void before_load(struct env_thread *thread, const void *address, size_t size) {
    if (thread->cut.signal_count && __recut_self.inside) {
        cut_swap(thread);
        cut_deliver(thread);
        cut_order_look();
        cut_swap(thread);
    }
    /* If it is not there, it is the program that reads it. */
    (void)*(const volatile char *)address;
    (void)((const volatile char *)address)[size ? size - 1 : 0];
}

static void write_load(struct env_thread *thread, const void *bytes, size_t size) {
    unsigned char *p = log_begin_load(&thread->out, size);
    if (p)
        log_end(&thread->out, put_raw(p, bytes, size));
}

const void *__recut_cut_given(const void *address, uint64_t *size) {
    struct env_thread *thread = env_thread();
    if (__recut_cut_mode == CUT_REPLAY)
        return __recut_cut_replay_load(thread, address, size);
    before_load(thread, address, *size);
    write_load(thread, address, *size);
    return address;
}

/* In one access, as the program would: others may write it. */
static uint64_t read_value(const void *address, size_t size) {
    uint64_t value = 0;
    switch (size) {
    case 1:
        return *(const volatile uint8_t *)address;
    case 2:
        return *(const volatile uint16_t *)address;
    case 4:
        return *(const volatile uint32_t *)address;
    case 8:
        return *(const volatile uint64_t *)address;
    default:
        memcpy(&value, address, size);
        return value;
    }
}

/* It is in the log whatever it was before, so that a replay finds there where a signal came. */
static const void *record_value(struct env_thread *thread, const void *address, size_t size) {
    before_load(thread, address, size);
    uint64_t value = read_value(address, size), *at = &thread->cut.value;
    write_load(thread, &value, cut_kept_size(value));
    if (is_rememberable(address, size)) {
        uint64_t key = key_of(address, size);
        struct cut_remembered *before = remembered(thread, key);
        before->key = key;
        at = &before->value;
    }
    *at = value;
    return at;
}

/* It has been read, and is not what it was before. */
static __attribute__((noinline)) const void *record_other(struct env_thread *thread, uint64_t key,
                                                          uint64_t value) {
    enum { most_of_event = log_head_most + 2 * sizeof value };
    struct cut_remembered *before = remembered(thread, key);
    size_t kept = cut_kept_size(value);
    *before = (struct cut_remembered){key, value};
    if ((size_t)(thread->out.limit - thread->out.cursor) < most_of_event) {
        int error = errno;
        write_load(thread, &value, kept);
        errno = error;
        return &before->value;
    }
    unsigned char *p = log_begin_load(&thread->out, kept);
    if (p) {
        memcpy(p, &value, sizeof value); /* in one store; what is not kept is written over */
        log_end(&thread->out, p + kept);
    }
    return &before->value;
}

/* Most of what is logged are such values. */
static inline const void *record_quickly(struct env_thread *thread, uint64_t key, uint64_t value) {
    struct cut_remembered *before = remembered(thread, key);
    if (before->key != key || before->value != value)
        return record_other(thread, key, value);
    thread->out.window->repeated = ++thread->out.repeated;
    return &before->value;
}

static inline bool is_quick(const struct env_thread *thread, const void *address, size_t size) {
    return __recut_cut_mode == CUT_RECORD && thread && !thread->cut.signal_count &&
           is_rememberable(address, size);
}

/* --- replay -------------------------------------------------------------------------------------
 */

static const void *replay_value(struct env_thread *thread, const void *address, uint64_t size) {
    struct log_reader *log = &thread->in;
    if (!is_rememberable(address, size))
        return __recut_cut_replay_load(thread, address, &size);
    uint64_t key = key_of(address, size);
    struct cut_remembered *before = remembered(thread, key);
    log_next(log);
    if (log->repeats < log->repeated) {
        if (before->key != key)
            __recut_diverge(log, "event", "a load as before", "a load from another place",
                            (struct diverge_place){"a load", 0});
        log->repeats++;
        return &before->value;
    }
    const void *bytes = __recut_cut_replay_load(thread, address, &size);
    *before = (struct cut_remembered){.key = key};
    memcpy(&before->value, bytes, size < sizeof before->value ? size : sizeof before->value);
    return &before->value;
}

/* --- where to load from -------------------------------------------------------------------------
 */

/* In a replay the bytes of the log. */
const void *__recut_cut_loaded(const void *address, uint64_t size);
const void *__recut_cut_loaded(const void *address, uint64_t size) {
    struct env_thread *thread = env_thread();
    if (__recut_cut_mode == CUT_OFF || !thread || !size)
        return address;
    int error = errno;
    if (__recut_cut_mode == CUT_REPLAY)
        address = replay_value(thread, address, size);
    else if (size <= sizeof thread->cut.value)
        address = record_value(thread, address, size);
    else
        address = __recut_cut_given(address, &size);
    errno = error;
    return address;
}

/* The same of so many bytes. */
#define LOADED(bytes, type)                                                                        \
    const void *__recut_cut_loaded_##bytes(const void *address);                                   \
    const void *__recut_cut_loaded_##bytes(const void *address) {                                  \
        struct env_thread *thread = env_thread();                                                  \
        if (__builtin_expect(is_quick(thread, address, bytes), 1))                                 \
            return record_quickly(thread, key_of(address, bytes),                                  \
                                  *(const volatile type *)address);                                \
        return __recut_cut_loaded(address, bytes);                                                 \
    }
LOADED(1, uint8_t)
LOADED(2, uint16_t)
LOADED(4, uint32_t)
LOADED(8, uint64_t)
#undef LOADED

/* Asked at many places, mostly of the program's own heap and stack. */

static QUICK __attribute__((noinline)) uint64_t is_far_elsewhere(const void *address) {
    return address && __recut_cut_mode != CUT_OFF && !access_is_ours(address);
}

/* Is it memory of libc's, of another library's, or of the kernel's? */
QUICK uint64_t __recut_cut_is_elsewhere(const void *address);
QUICK uint64_t __recut_cut_is_elsewhere(const void *address) {
    return is_near(address) ? 0 : is_far_elsewhere(address);
}

static QUICK __attribute__((noinline)) const void *far_checked(const void *address, uint64_t size) {
    return access_is_ours(address) ? address : __recut_cut_loaded(address, size);
}

/* Of what may be there, and may be replay space's. */
QUICK const void *__recut_cut_checked(const void *address, uint64_t size);
QUICK const void *__recut_cut_checked(const void *address, uint64_t size) {
    return is_near(address) ? address : far_checked(address, size);
}

/* Memory that is to be valid from here on. */
void __recut_cut_filled(void *address, uint64_t size);
void __recut_cut_filled(void *address, uint64_t size) {
    const void *bytes = __recut_cut_loaded(address, size);
    if (__recut_cut_mode == CUT_REPLAY)
        memcpy(address, bytes, size);
}

uint64_t __recut_cut_logged(uint64_t value);
/* What an operation gave, which is at no place of the program's. */
uint64_t __recut_cut_logged(uint64_t value) {
    struct env_thread *thread = env_thread();
    if (__recut_cut_mode == CUT_OFF || !thread)
        return value;
    int error = errno;
    if (__recut_cut_mode == CUT_RECORD) {
        before_load(thread, &value, sizeof value);
        write_load(thread, &value, cut_kept_size(value));
    } else {
        uint64_t size = sizeof value;
        memcpy(&value, __recut_cut_replay_load(thread, &value, &size), sizeof value);
    }
    errno = error;
    return value;
}
