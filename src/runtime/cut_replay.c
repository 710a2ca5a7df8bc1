/*
 * How is the part of a program replayed that is on one side of a cut?  See cut.h.
 *
 * The process begins as the program does, up to its first constructor.  Then each thread goes
 * through its stream: it makes the calls of replay space that environment made, puts into memory
 * what environment wrote, and compares what comes back.  A call out of replay space does the same
 * until its own event comes.
 *
 * What must be equal: the way that the calls go, results that are whole registers, and, if the run
 * was recorded so, hashes of all that replay space was given, loaded and returned.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "runtime/crash.h"
#include "runtime/cut_impl.h"
#include "runtime/finish.h"
#include "runtime/raw.h"
#include "runtime/stack.h"
#include "runtime/thread.h"

static uint64_t verified; /* hashes that were compared */

#pragma weak __recut_cut_free_replayed /* no pool is linked if the program has a malloc of its own \
                                        */

enum { page = 4096, most_threads = 1 << 15, thread_stack = 64 * RECUT_MIB };

/* --- events ----------------------------------------------------------------------------------- */

/* The event has been read, and what was counted before it (cut_stream.c) has happened. */
void __recut_cut_take(struct env_thread *thread) {
    struct log_reader *log = &thread->in;
    struct diverge_place now = {NULL, 0};
    if (log->skips != log->skipped)
        __recut_diverge_number(log, "how many characters were read", (int64_t)log->skipped,
                               (int64_t)log->skips, now);
    if (log->repeats != log->repeated)
        __recut_diverge_number(log, "how many loads gave what they gave before",
                               (int64_t)log->repeated, (int64_t)log->repeats, now);
    log->skips = log->repeats = 0;
    __recut_env_expected(log);
}

static void get_float(struct log_reader *log, uint64_t value[2], bool is_wide) {
    value[0] = get_u64(log);
    value[1] = is_wide ? get_u64(log) : 0;
}

static unsigned get_registers(struct log_reader *log, struct env_frame *frame) {
    const unsigned char *which = get_raw(log, 1);
    if (!which)
        return 0;
    if (*which & CUT_RAX)
        frame->rax = (uint64_t)get_svarint(log);
    if (*which & CUT_RDX)
        frame->rdx = (uint64_t)get_svarint(log);
    if (*which & CUT_XMM0)
        get_float(log, frame->xmm0, *which & CUT_WIDE);
    if (*which & CUT_XMM1)
        get_float(log, frame->xmm1, *which & CUT_WIDE);
    if (*which & CUT_ST0) {
        frame->st0[0] = get_u64(log);
        frame->st0[1] = get_u64(log);
    }
    return *which;
}

static void check_hash(struct env_thread *thread, struct diverge_place now) {
    if (!__recut_cut_hashes)
        return;
    uint32_t recorded = get_u32(&thread->in), actual = (uint32_t)thread->cut.hash;
    if (!__recut_cut_verifies || thread->in.damaged)
        return;
    if (recorded != actual)
        __recut_diverge(&thread->in, "what was passed, loaded or returned", "others", "these", now);
    __atomic_fetch_add(&verified, 1, __ATOMIC_RELAXED);
}

static void check_width(struct env_thread *thread, const char *what, uint64_t recorded,
                        uint64_t actual, unsigned bits, struct diverge_place now) {
    uint64_t mask = bits >= 64 ? UINT64_MAX : (1ULL << bits) - 1;
    if ((recorded & mask) != (actual & mask))
        __recut_diverge_number(&thread->in, what, (int64_t)recorded, (int64_t)actual, now);
}

/* --- what environment does -------------------------------------------------------------------- */

/* Large mappings are mostly never touched: their pages are made anew when they are. */
static void put_zeros(char *at, uint64_t size) {
    enum { many = 1024 * 1024 };
    if (size >= many && (uint64_t)at >= RECUT_MMAP_BASE && (uint64_t)at % page == 0) {
        uint64_t whole = size & ~(uint64_t)(page - 1);
        raw_syscall3(SYS_munmap, (long)at, (long)whole, 0);
        at += whole;
        size -= whole;
    }
    memset(at, 0, size);
}

static void apply_store(struct env_thread *thread) {
    struct log_reader *log = &thread->in;
    unsigned flags = log->flags;
    void *at = (void *)get_varint(log);
    __recut_cut_order_begin(thread, false);
    if (flags & EVENT_ZEROS) {
        put_zeros(at, get_varint(log));
    } else if (flags & EVENT_FREED) {
        __recut_cut_free_replayed(at);
    } else {
        size_t size;
        const void *bytes = get_bytes(log, &size);
        if (bytes)
            memcpy(at, bytes, size);
    }
    __recut_cut_take(thread);
    __recut_cut_order_end(thread);
}

static const struct variant_in *find_in(uint64_t address, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        if (__recut_cut_ins[i].original == address)
            return &__recut_cut_ins[i];
    return NULL;
}

static void leave(struct env_thread *thread, const struct variant_in *in, struct env_frame *frame);

/* Environment calls replay space. */
static void enter(struct env_thread *thread) {
    struct log_reader *log = &thread->in;
    struct env_frame frame = {0};
    uint64_t address = get_varint(log), integers = get_varint(log);
    const struct variant_in *in = find_in(address, __recut_cut_in_count);
    if (!in || integers != in->integers)
        __recut_replay_damaged(log);
    for (unsigned i = 0; i < integers; i++)
        frame.integers[i] = get_u64(log);
    uint64_t floats = get_varint(log);
    bool is_wide = in->result & CUT_WIDE;
    if (floats != in->vectors * (is_wide ? 2u : 1u))
        __recut_replay_damaged(log);
    for (unsigned i = 0; i < in->vectors; i++)
        get_float(log, frame.vectors[i], is_wide);
    size_t stack_bytes;
    const void *stack = get_bytes(log, &stack_bytes);
    if (stack_bytes != in->stack_bytes)
        __recut_replay_damaged(log);
    frame.stack = stack;
    frame.vector_count = in->vectors;
    int error = log->flags & EVENT_ERRNO ? (int)get_svarint(log) : thread->cut.error;
    log->events++;
    if (log->events == log->stop_at)
        __recut_replay_stop(log, (struct diverge_place){"a call into replay space", address + 1});
    __recut_cut_take(thread);
    __recut_cut_order_end(thread);
    frame.x87 = in->result & CUT_ST0;
    cut_swap(thread);
    errno = error;
    __recut_env_invoke(&frame, (void *)in->function, in->stack_bytes);
    thread->cut.error = errno;
    cut_swap(thread);
    leave(thread, in, &frame);
}

static void leave(struct env_thread *thread, const struct variant_in *in, struct env_frame *frame) {
    struct log_reader *log = &thread->in;
    struct diverge_place now = {"a call into replay space", in->original + 1};
    if (!log_next(log))
        __recut_cut_order_park(thread, now);
    if (log->kind == EVENT_CRASH || log->kind == EVENT_LOST)
        __recut_finish_inside(log, now);
    __recut_cut_order_begin(thread, false);
    if (!log_next(log))
        __recut_cut_order_park(thread, now);
    if (log->kind != EVENT_LEAVE)
        __recut_diverge(log, "event", event_text(log->kind), "the end of a call into replay space",
                        now);
    struct env_frame recorded = {0};
    unsigned which = get_registers(log, &recorded);
    if (which != in->result)
        __recut_replay_damaged(log);
    if (in->bits)
        check_width(thread, "result of a call into replay space", recorded.rax, frame->rax,
                    in->bits, now);
    check_hash(thread, now);
    __recut_cut_take(thread);
    __recut_cut_order_end(thread);
}

static void end_run(struct env_thread *thread) __attribute__((noreturn));
static void end_run(struct env_thread *thread) {
    struct log_reader *log = &thread->in;
    int status = (int)get_varint(log);
    get_u64(log);
    __recut_cut_take(thread);
    struct diverge_place now = {"exit", 0};
    if (log_next(log))
        __recut_diverge(log, "event", event_text(log->kind), "the end of the program", now);
    if (__recut_cut_verifies)
        __recut_replay_verified(log, verified);
    raw_syscall3(SYS_exit_group, status & 0xff, 0, 0);
    __builtin_unreachable();
}

/* Does what environment did, until an event comes that is not its. */
static void go_on(struct env_thread *thread, struct diverge_place now) {
    struct log_reader *log = &thread->in;
    for (;;) {
        __recut_cut_order_peek(thread);
        if (!log_next(log))
            __recut_cut_order_park(thread, now);
        switch (log->kind) {
        case EVENT_STORE:
            apply_store(thread);
            break;
        case EVENT_ENTER:
            __recut_cut_order_begin(thread, false);
            enter(thread);
            break;
        case EVENT_EXIT:
            __recut_cut_order_begin(thread, false);
            end_run(thread);
        case EVENT_CRASH:
        case EVENT_LOST:
            __recut_finish_inside(log, now);
        case EVENT_DONE:
            __recut_cut_take(thread);
            break;
        default:
            return;
        }
    }
}

/* --- what replay space does ------------------------------------------------------------------- */

static void take_outputs(struct env_thread *thread) {
    struct log_reader *log = &thread->in;
    uint64_t left = log->at < log->end ? get_varint(log) : 0;
    for (; left && !log->damaged; left--) {
        uint64_t tag = get_varint(log), at;
        size_t size;
        const unsigned char *bytes = get_bytes(log, &size);
        if (!bytes || tag != OUTPUT_MEMORY || size < sizeof at)
            __recut_replay_damaged(log);
        memcpy(&at, bytes, sizeof at);
        size -= sizeof at;
        if (memcmp((void *)at, bytes + sizeof at, size) != 0) /* it may be a constant of libc's */
            memcpy((void *)at, bytes + sizeof at, size);
    }
}

/* Of the last call from the site what it returned is known; see write_call() of cut_record.c. */
static void get_result(struct log_reader *log, struct log_site *site, const struct variant_out *out,
                       struct env_frame *frame) {
    if (log->is_short && out->result & ~CUT_RAX)
        __recut_replay_damaged(log);
    if (log->is_short)
        frame->rax = log->at < log->end ? (uint64_t)get_svarint(log) : 0;
    else if (get_registers(log, frame) != out->result)
        __recut_replay_damaged(log);
    if (!(out->result & CUT_RAX))
        return;
    site->last = (int64_t)((uint64_t)site->last + frame->rax);
    frame->rax = (uint64_t)site->last;
}

void __recut_cut_replay_out(struct env_thread *thread, const struct variant_out *out,
                            struct env_frame *frame) {
    struct log_reader *log = &thread->in;
    struct diverge_place now = {cut_out_name(out), frame->return_address};
    thread->cut.error = errno;
    __recut_cut_order_begin(thread, true);
    __recut_cut_order_end(thread);
    log->site = NULL;
    cut_swap(thread);
    go_on(thread, now);
    cut_swap(thread);
    __recut_cut_order_begin(thread, false);
    if (log->kind != EVENT_CALL)
        __recut_diverge(log, "event", event_text(log->kind), "a call out of replay space", now);
    log->events++;
    uint64_t site = get_varint(log);
    if (log->damaged || site >= log->site_count)
        __recut_replay_damaged(log);
    struct log_site *known = &log->sites[site];
    log->site = known;
    if (log->site->return_address != out->stub) {
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)log->site->name_length, log->site->name);
        __recut_diverge(log, "call", name, now.function, now);
    }
    frame->x87 = out->result & CUT_ST0;
    get_result(log, known, out, frame);
    int error = log->flags & EVENT_ERRNO ? (int)get_svarint(log) : thread->cut.error;
    check_hash(thread, now);
    take_outputs(thread);
    if (log->events == log->stop_at)
        __recut_replay_stop(log, now);
    __recut_cut_take(thread);
    __recut_cut_order_end(thread);
    errno = error;
}

const void *__recut_cut_replay_load(struct env_thread *thread, const void *address,
                                    uint64_t *size) {
    struct log_reader *log = &thread->in;
    struct diverge_place now = {"a load", 0};
    (void)address;
    if (!log_next(log) || log->kind != EVENT_LOAD) { /* a handler of a signal came first */
        cut_swap(thread);
        go_on(thread, now);
        cut_swap(thread);
    }
    if (log->kind != EVENT_LOAD)
        __recut_diverge(log, "event", event_text(log->kind), "a load of memory of environment",
                        now);
    size_t count;
    const void *bytes = get_rest(log, &count);
    bool is_cut_off = count < *size && *size <= sizeof thread->cut.value;
    if (*size && count != *size && !is_cut_off)
        __recut_diverge_number(log, "size of a load", (int64_t)count, (int64_t)*size, now);
    if (is_cut_off) {
        thread->cut.value = 0;
        memcpy(&thread->cut.value, bytes, count);
        bytes = &thread->cut.value;
    } else {
        *size = count;
    }
    __recut_cut_take(thread);
    return bytes;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Memory of environment need not be there; libc's heap begins behind the executable.  But if this
 * is where the recorded run crashed, it was not there either. */
bool __recut_cut_fault(const void *address) {
    struct env_thread *thread = env_thread();
    uint64_t at = (uint64_t)address & ~(uint64_t)(page - 1);
    bool is_stack = at - (RECUT_MACHINE_STACK_TOP - RECUT_STACK_MAX) < RECUT_STACK_MAX;
    if (__recut_cut_mode != CUT_REPLAY || !thread || (char *)at < _end || is_stack)
        return false;
    struct log_reader *log = &thread->in;
    struct crash_event crash;
    if (log_next(log) && log->kind == EVENT_CRASH && (size_t)(log->end - log->at) >= sizeof crash) {
        memcpy(&crash, log->at, sizeof crash);
        if (!crash.in_environment && crash.address == (uint64_t)address)
            return false;
    }
    enum { more = 16 };
    return raw_map_at(at / (more * page) * (more * page), more * page) == 0 ||
           raw_map_at(at, page) == 0;
}

/* --- threads ---------------------------------------------------------------------------------- */

static void run_thread(struct env_thread *thread) {
    struct diverge_place now = {"environment", 0};
    go_on(thread, now);
    __recut_diverge(&thread->in, "event", event_text(thread->in.kind), "one of environment", now);
}

/* The first event of another thread than main tells of its slot. */
static void *run_other(void *data) {
    struct env_thread *thread = data;
    struct log_reader *log = &thread->in;
    bool is_start = log_next(log) && log->kind == EVENT_START && get_varint(log) == 1;
    uint64_t slot = is_start ? get_varint(log) : CUT_SLOTS;
    get_varint(log);
    if (!is_start || slot >= CUT_SLOTS || log->damaged)
        __recut_replay_damaged(log);
    __recut_cut_take(thread);
    __recut_self.env = thread;
    __recut_cut_order_peek(thread);
    __recut_thread_attach_replayed((uint32_t)slot);
    __recut_cut_begin_thread(thread, (uint32_t)slot);
    run_thread(thread);
    return NULL;
}

static uint32_t count_streams(struct env_thread **ret) {
    uint32_t count = 1;
    for (; count < most_threads; count++) {
        struct env_thread *thread = raw_scratch(sizeof *thread);
        if (!thread || !__recut_env_open_stream(thread, count)) {
            raw_scratch_end(thread, sizeof *thread);
            break;
        }
        thread->cut.stream = count;
        thread->cut.counts = true;
        ret[count] = thread;
    }
    return count;
}

void __recut_cut_run(void) {
    struct env_thread *thread = env_thread();
    struct env_thread **threads = raw_scratch(most_threads * sizeof *threads);
    uint32_t count = threads ? count_streams(threads) : 1;
    __recut_cut_order_threads(count);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, thread_stack);
    for (uint32_t i = 1; i < count; i++) {
        pthread_t made;
        if (pthread_create(&made, &attributes, run_other, threads[i]) != 0) {
            __recut_say("cannot make the threads of the recorded run", NULL);
            raw_syscall3(SYS_exit_group, 1, 0, 0);
        }
    }
    run_thread(thread);
    __builtin_unreachable();
}
