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
    struct cut_place *place = &thread->cut.places[out - __recut_cut_outs];
    if (place->site)
        return place->site - 1;
    const char *name = cut_out_name(out);
    size_t length = strlen(name);
    unsigned char *p = log_begin(&thread->out, EVENT_SITE, 30 + length);
    if (!p)
        return 0;
    p = put_varint(put_varint(p, thread->cut.site_count), out->stub);
    log_end(&thread->out, put_bytes(p, name, length));
    place->site = ++thread->cut.site_count;
    return place->site - 1;
}

/* Calls mostly return what they returned before, or nearly so.  Above the bits that the type has,
 * a register holds anything: of the usual type nobody looks there. */
static int64_t difference(struct env_thread *thread, const struct variant_out *out,
                          struct env_frame *frame) {
    struct cut_place *place = &thread->cut.places[out - __recut_cut_outs];
    if (out->bits == 32)
        frame->rax = (uint64_t)(int64_t)(int32_t)frame->rax;
    int64_t more = (int64_t)(frame->rax - (uint64_t)place->last);
    place->last = (int64_t)frame->rax;
    return more;
}

/* True: the event has been written. */
static bool write_short_call(struct env_thread *thread, uint32_t site, int64_t more) {
    unsigned char text[20], *end = put_varint(text, site);
    end = more ? put_svarint(end, more) : end;
    if (end - text > call_size_most)
        return false;
    unsigned char *p = log_begin_call(&thread->out, (size_t)(end - text));
    if (p)
        log_end(&thread->out, put_raw(p, text, (size_t)(end - text)));
    thread->out.events += p != NULL;
    return true;
}

static void write_call(struct env_thread *thread, const struct variant_out *out,
                       const struct env_frame *frame, int error,
                       const struct cut_effects *effects) {
    struct log_writer *log = &thread->out;
    struct env_frame told = *frame;
    bool is_other = error != thread->cut.error;
    size_t bound = 40 + registers_bound(out->result);
    unsigned count = 0;
    for (unsigned i = 0; effects && i < effects->count; i++) {
        count += is_there(&effects->areas[i]);
        bound += effects->areas[i].size + 24;
    }
    uint32_t site = site_of(thread, out);
    if (out->result & CUT_RAX)
        told.rax = (uint64_t)difference(thread, out, &told);
    if (!is_other && !count && !__recut_cut_hashes && !(out->result & ~CUT_RAX) &&
        write_short_call(thread, site, out->result ? (int64_t)told.rax : 0))
        return;
    unsigned char *p = log_begin(log, EVENT_CALL | (is_other ? EVENT_ERRNO : 0), bound);
    if (!p)
        return;
    p = put_registers(put_varint(p, site), &told, out->result);
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
