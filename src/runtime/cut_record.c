/*
 * What goes over a cut while a run is recorded, as events; see cut.h.
 *
 * A call is made first, with the registers as they came; then its event is written, which holds
 * what came back.  Both sides' memory is looked at, never changed, but for blocks of the heap that
 * environment gets anew: they begin with zeros, which need no log.
 */
#include <errno.h>
#include <string.h>

#include "runtime/access.h"
#include "runtime/cut_impl.h"
#include "runtime/hash.h"
#include "runtime/raw.h"

static unsigned char *put_float(unsigned char *p, const uint64_t value[2], bool is_wide) {
    p = put_u64(p, value[0]);
    return is_wide ? put_u64(p, value[1]) : p;
}

/* No more than there can be: a small body has its size in one byte. */
static size_t registers_bound(unsigned which) {
    bool has_others = which & (CUT_XMM0 | CUT_XMM1 | CUT_ST0);
    return 1 + 2 * 10 + (has_others ? 2 * 16 + 16 : 0);
}

static unsigned char *put_registers(unsigned char *p, const struct env_frame *frame,
                                    unsigned which) {
    *p++ = (unsigned char)which;
    if (which & CUT_RAX)
        p = put_svarint(p, (int64_t)frame->rax);
    if (which & CUT_RDX)
        p = put_svarint(p, (int64_t)frame->rdx);
    if (which & CUT_XMM0)
        p = put_float(p, frame->xmm0, which & CUT_WIDE);
    if (which & CUT_XMM1)
        p = put_float(p, frame->xmm1, which & CUT_WIDE);
    if (which & CUT_ST0)
        p = put_u64(put_u64(p, frame->st0[0]), frame->st0[1] & 0xffff);
    return p;
}

static unsigned char *put_hash(unsigned char *p, const struct env_thread *thread) {
    return __recut_cut_hashes ? put_u32(p, (uint32_t)thread->cut.hash) : p;
}

/* --- into replay space ------------------------------------------------------------------------ */

static void write_enter(struct env_thread *thread, const struct variant_in *in,
                        const struct env_frame *frame, int error) {
    struct log_writer *log = &thread->out;
    bool is_other = error != thread->cut.error, is_wide = in->result & CUT_WIDE;
    unsigned char *p =
        log_begin(log, EVENT_ENTER | (is_other ? EVENT_ERRNO : 0),
                  50 + 8 * (size_t)in->integers + 16 * (size_t)in->vectors + in->stack_bytes);
    if (!p)
        return;
    p = put_varint(put_varint(p, in->original), in->integers);
    for (unsigned i = 0; i < in->integers; i++)
        p = put_u64(p, frame->integers[i]);
    p = put_varint(p, in->vectors * (is_wide ? 2u : 1u));
    for (unsigned i = 0; i < in->vectors; i++)
        p = put_float(p, frame->vectors[i], is_wide);
    p = put_bytes(p, frame->stack, in->stack_bytes);
    if (is_other)
        p = put_svarint(p, error);
    log->events++;
    log_end(log, p);
}

/* Comparators look at what qsort() has moved already. */
static void write_sorted(struct env_thread *thread) {
    uint64_t hash = __recut_hash(thread->cut.sorted.at, thread->cut.sorted.size);
    if (hash == thread->cut.sorted.hash)
        return;
    thread->cut.sorted.hash = hash;
    __recut_cut_order_begin(thread, false);
    __recut_cut_write_store(thread, thread->cut.sorted.at, thread->cut.sorted.size, 0);
    __recut_cut_order_end(thread);
}

void __recut_cut_record_in(struct env_thread *thread, const struct variant_in *in,
                           struct env_frame *frame) {
    int error = errno;
    if (thread->cut.sorted.at)
        write_sorted(thread);
    __recut_cut_order_begin(thread, false);
    write_enter(thread, in, frame, error);
    __recut_cut_order_end(thread);
    frame->x87 = in->result & CUT_ST0;
    cut_order_look();
    cut_swap(thread);
    errno = error;
    __recut_env_invoke(frame, (void *)in->function, in->stack_bytes);
    error = thread->cut.error = errno;
    cut_swap(thread);
    if (__recut_cut_mode == CUT_RECORD) {
        __recut_cut_order_begin(thread, false);
        unsigned char *p = log_begin(&thread->out, EVENT_LEAVE, registers_bound(in->result) + 4);
        if (p)
            log_end(&thread->out, put_hash(put_registers(p, frame, in->result), thread));
        __recut_cut_order_end(thread);
        cut_deliver(thread);
    }
    errno = error;
}

/* --- out of it -------------------------------------------------------------------------------- */

static bool is_there(const struct cut_area *area) { return area->size != 0; }

/* The log learns of a new one, by where its piece of code is. */
static uint32_t site_of(struct env_thread *thread, const struct variant_out *out) {
    uint32_t *site = &thread->cut.sites[out - __recut_cut_outs];
    if (*site)
        return *site - 1;
    const char *name = cut_out_name(out);
    size_t length = strlen(name);
    unsigned char *p = log_begin(&thread->out, EVENT_SITE, 30 + length);
    if (!p)
        return 0;
    p = put_varint(put_varint(p, thread->cut.site_count), out->stub);
    log_end(&thread->out, put_bytes(p, name, length));
    *site = ++thread->cut.site_count;
    return *site - 1;
}

static void write_call(struct env_thread *thread, const struct variant_out *out,
                       const struct env_frame *frame, int error,
                       const struct cut_effects *effects) {
    struct log_writer *log = &thread->out;
    bool is_other = error != thread->cut.error;
    size_t bound = 40 + registers_bound(out->result);
    unsigned count = 0;
    for (unsigned i = 0; effects && i < effects->count; i++) {
        count += is_there(&effects->areas[i]);
        bound += effects->areas[i].size + 24;
    }
    uint32_t site = site_of(thread, out);
    unsigned char *p = log_begin(log, EVENT_CALL | (is_other ? EVENT_ERRNO : 0), bound);
    if (!p)
        return;
    p = put_registers(put_varint(p, site), frame, out->result);
    if (is_other)
        p = put_svarint(p, error);
    p = put_hash(p, thread);
    if (count)
        p = put_varint(p, count);
    for (unsigned i = 0; effects && i < effects->count; i++) {
        const struct cut_area *area = &effects->areas[i];
        if (!is_there(area))
            continue;
        p = put_varint(put_varint(p, OUTPUT_MEMORY), sizeof(uint64_t) + area->size);
        p = put_raw(put_u64(p, (uint64_t)area->at), area->at, area->size);
    }
    log->events++;
    log_end(log, p);
}

static void write_effects(struct env_thread *thread, const struct cut_effects *effects) {
    for (unsigned i = 0; i < effects->count; i++) {
        if (!is_there(&effects->areas[i]))
            continue;
        __recut_cut_order_begin(thread, false);
        __recut_cut_write_store(thread, effects->areas[i].at, effects->areas[i].size,
                                effects->is_zeroed ? EVENT_ZEROS : 0);
        __recut_cut_order_end(thread);
    }
}

void __recut_cut_record_out(struct env_thread *thread, const struct variant_out *out,
                            struct env_frame *frame) {
    struct cut_effects *effects = NULL;
    const struct cut_callee *callee = __recut_cut_callee(out);
    void *real = __recut_cut_real(out);
    int error = errno;
    if (callee->has_effects)
        effects = __recut_cut_effects_begin(thread, callee, frame);
    __recut_cut_order_begin(thread, true);
    __recut_cut_order_end(thread);
    thread->cut.error = errno = error;
    frame->x87 = out->result & CUT_ST0;
    cut_swap(thread);
    cut_deliver(thread);
    errno = error;
    __recut_env_invoke(frame, real, out->stack_bytes);
    error = errno;
    cut_order_look();
    cut_swap(thread);
    if (effects)
        __recut_cut_effects_after(effects, frame, out->flags & CUT_OUT_UNREAD);
    if (__recut_cut_mode == CUT_RECORD) {
        bool is_zeroed = effects && effects->is_zeroed;
        if (is_zeroed) /* zeros need no bytes */
            write_effects(thread, effects);
        __recut_cut_order_begin(thread, false);
        write_call(thread, out, frame, error, is_zeroed ? NULL : effects);
        __recut_cut_order_end(thread);
    }
    if (effects)
        __recut_cut_effects_end(thread, effects);
    errno = error;
}

/* --- memory ----------------------------------------------------------------------------------- */

void __recut_cut_write_store(struct env_thread *thread, const void *address, size_t size,
                             unsigned flags) {
    struct log_writer *log = &thread->out;
    bool has_bytes = !(flags & (EVENT_ZEROS | EVENT_FREED));
    unsigned char *p = log_begin(log, EVENT_STORE | flags, 24 + (has_bytes ? size : 0));
    if (!p)
        return;
    p = put_varint(p, (uint64_t)address);
    if (has_bytes)
        p = put_bytes(p, address, size);
    else if (flags & EVENT_ZEROS)
        p = put_varint(p, size);
    log_end(log, p);
}

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

/* A value is read once, for the log and for the program. */
static const void *record_value(struct env_thread *thread, const void *address, size_t size) {
    before_load(thread, address, size);
    thread->cut.value = read_value(address, size);
    write_load(thread, &thread->cut.value, cut_kept_size(thread->cut.value));
    return &thread->cut.value;
}

/* Most of what is logged are values.  Where no signal waits, and the log has room, nothing changes
 * errno; if the value is not there, it is read before anything is written. */
static inline const void *record_quickly(struct env_thread *thread, const void *address,
                                         size_t size) {
    uint64_t value = thread->cut.value = read_value(address, size);
    size_t kept = cut_kept_size(value);
    unsigned char *p = log_begin_load(&thread->out, kept);
    if (p) {
        memcpy(p, &value, sizeof value); /* in one store; what is not kept is written over */
        log_end(&thread->out, p + kept);
    }
    return &thread->cut.value;
}

static inline bool is_quick(const struct env_thread *thread, size_t size) {
    enum { most_of_event = 1 + 10 + 4 + 5 + 2 * sizeof thread->cut.value };
    return size <= sizeof thread->cut.value && !thread->cut.signal_count &&
           (size_t)(thread->out.limit - thread->out.cursor) >= most_of_event;
}

/* Where to load from: in a replay the bytes of the log. */
const void *__recut_cut_loaded(const void *address, uint64_t size);
const void *__recut_cut_loaded(const void *address, uint64_t size) {
    struct env_thread *thread = env_thread();
    if (__recut_cut_mode == CUT_OFF || !thread || !size)
        return address;
    if (__recut_cut_mode == CUT_RECORD && is_quick(thread, size))
        return record_quickly(thread, address, size);
    int error = errno;
    if (__recut_cut_mode == CUT_RECORD && size <= sizeof thread->cut.value)
        address = record_value(thread, address, size);
    else
        address = __recut_cut_given(address, &size);
    errno = error;
    return address;
}

/* Asked at many places, mostly of the program's own heap and stack. */

static inline bool is_near(const void *address) {
    return (uint64_t)address - RECUT_MACHINE_STACK_TOP < RECUT_BRK_END - RECUT_MACHINE_STACK_TOP;
}

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
uint64_t __recut_cut_logged(uint64_t value) {
    uint64_t ret = value;
    memcpy(&ret, __recut_cut_loaded(&value, sizeof value), sizeof ret);
    return ret;
}

void __recut_cut_hash(uint64_t value);
void __recut_cut_hash(uint64_t value) {
    struct env_thread *thread = env_thread();
    /* What the kernel places, and machine stacks, are elsewhere in each run. */
    bool is_elsewhere = (value >= RECUT_BRK_END && value < 1ULL << 47) ||
                        value - (RECUT_MACHINE_STACK_TOP - RECUT_STACK_MAX) < RECUT_STACK_MAX;
    if (thread)
        thread->cut.hash = (thread->cut.hash ^ (is_elsewhere ? 0 : value)) * 0x9e3779b97f4a7c15ULL +
                           (thread->cut.hash >> 29);
}

/* Record: environment wrote what is valid. */
void __recut_cut_stored(const void *address, uint64_t size);
void __recut_cut_stored(const void *address, uint64_t size) {
    if (__recut_cut_mode != CUT_RECORD || !size)
        return;
    int error = errno;
    struct env_thread *thread = __recut_cut_thread();
    if (thread) {
        __recut_cut_order_begin(thread, false);
        __recut_cut_write_store(thread, address, size, 0);
        __recut_cut_order_end(thread);
        cut_deliver(thread);
    }
    errno = error;
}

void *__recut_cut_watch_here(struct env_frame *frame);
void *__recut_cut_watch_here(struct env_frame *frame) {
    const struct variant_out *out = &__recut_cut_outs[frame->index];
    void *real = __recut_cut_real(out);
    if (__recut_cut_mode != CUT_RECORD)
        return real;
    const struct cut_callee *callee = __recut_cut_callee(out);
    if (!callee->has_effects)
        return real;
    int error = errno;
    struct env_thread *thread = __recut_cut_thread();
    struct cut_effects *effects = thread ? __recut_cut_effects_begin(thread, callee, frame) : NULL;
    errno = error;
    if (!effects)
        return real;
    struct cut_sorted outer = thread->cut.sorted;
    frame->x87 = out->result & CUT_ST0;
    if (callee->does & CUT_SORTS) {
        thread->cut.sorted.at = (const void *)frame->integers[0];
        thread->cut.sorted.size = frame->integers[1] * frame->integers[2];
        thread->cut.sorted.hash = __recut_hash(thread->cut.sorted.at, thread->cut.sorted.size);
    }
    errno = error;
    __recut_env_invoke(frame, real, out->stack_bytes);
    error = errno;
    thread->cut.sorted = outer;
    __recut_cut_effects_after(effects, frame, false);
    if (__recut_cut_mode == CUT_RECORD) {
        write_effects(thread, effects);
        cut_deliver(thread);
    }
    __recut_cut_effects_end(thread, effects);
    errno = error;
    return NULL;
}
