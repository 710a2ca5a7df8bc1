/*
 * Which run is one of a cut, and who comes and goes?  See cut.h.
 *
 * Needs the image, which has the tables of what crosses; gives each thread that comes into replay
 * space a stream, a data stack and an arena there.
 */
#include "runtime/cut.h"

#include <errno.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "runtime/crash.h"
#include "runtime/cut_impl.h"
#include "runtime/pool.h"
#include "runtime/raw.h"
#include "runtime/special.h"
#include "runtime/stack.h"
#include "runtime/thread.h"

enum cut_mode __recut_cut_mode;
const struct variant_in *__recut_cut_ins;
const struct variant_out *__recut_cut_outs;
const struct model_table *__recut_cut_models;
uint64_t __recut_cut_in_count;
bool __recut_cut_hashes, __recut_cut_verifies;

static const struct variant_header *image;
static uint32_t stream_count = 1; /* record: main's is there */

#pragma weak __recut_cut_heap_begin

enum { stack_size = 64 * 1024 * 1024 };

/* --- pointers to functions ----------------------------------------------------------------------
 */

/* By the address that a pointer has: its pieces of code, 0 if there are none. */
struct place {
    uint64_t address;
    uint32_t out, watch; /* 1 + the number in the table */
};
static struct place *places;
static uint64_t place_mask;

static struct place *find_place(uint64_t address) {
    uint64_t k = (address * 0x9e3779b97f4a7c15ULL) >> 20 & place_mask;
    while (places[k].address && places[k].address != address)
        k = (k + 1) & place_mask;
    return &places[k];
}

static bool make_places(void) {
    uint64_t size = 64;
    while (size < 4 * image->out_count)
        size *= 2;
    places = raw_scratch(size * sizeof *places);
    place_mask = size - 1;
    if (!places)
        return false;
    for (uint32_t i = 1; i < image->out_count; i++) {
        const struct variant_out *out = &__recut_cut_outs[i];
        if (!out->target || out->flags & (CUT_OUT_UNREAD | CUT_OUT_BLIND))
            continue;
        struct place *place = find_place(out->target);
        place->address = out->target;
        uint32_t *number = out->flags & CUT_OUT_WATCH ? &place->watch : &place->out;
        if (!*number)
            *number = i + 1;
    }
    return true;
}

static _Thread_local void *unknown_target;

void *__recut_cut_target(void *function, uint32_t how);
void *__recut_cut_target(void *function, uint32_t how) {
    if (__recut_cut_mode == CUT_OFF || !function)
        return function;
    const struct place *place = find_place((uint64_t)function);
    uint32_t number = how & CUT_TARGET_WATCHED ? place->watch : place->out;
    if (place->address && number) {
        const struct variant_out *out = &__recut_cut_outs[number - 1];
        bool is_native = out->flags & CUT_OUT_IF_LOGGED && !(how & CUT_TARGET_LOGGED);
        return is_native ? function : (void *)out->stub;
    }
    if ((uint64_t)function < RECUT_ARGS_BASE || how & CUT_TARGET_WATCHED)
        return function; /* of replay space, or the runtime's */
    unknown_target = function;
    return (void *)__recut_cut_outs[0].stub;
}

/* What is called in a recording. */
void *__recut_cut_real(const struct variant_out *out) {
    if (!out->target)
        return unknown_target;
    uint64_t offset = out->target - (uint64_t)__recut_env_stubs;
    bool is_stub = offset < __recut_env_count * ENV_STUB_SIZE;
    return is_stub ? __recut_env_slots[offset / ENV_STUB_SIZE] : (void *)out->target;
}

/* --- beginning -------------------------------------------------------------------------------- */

void __recut_cut_loaded_image(const struct variant_header *header) {
    image = header;
    __recut_cut_ins = (const void *)header->ins;
    __recut_cut_outs = (const void *)header->outs;
    __recut_cut_in_count = header->in_count;
    __recut_cut_hashes = header->features & VARIANT_HASHES;
}

/* Functions that both sides have as recut's own: buffers of jumps are memory of either side, and
 * the order of comparisons is not libc's secret, and trees and tables are in the heap of who makes
 * them.  The end of the process is noted.  A child has memory of its own, or what it does in that
 * of its parent would be in the parent's log. */
static void set_slots(void) {
    static const char *const names[] = {
        "_setjmp",  "setjmp",  "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk",
        "qsort",    "qsort_r", "_exit",       "_Exit",   "tsearch",  "__tsearch",  "hcreate",
        "hdestroy", "hsearch", "hcreate_r",   "vfork",   "__vfork",  "_Fork"};
    for (uint64_t i = 0; i < __recut_env_count; i++) {
        void *ours = __recut_cut_ctype_find(__recut_env_entries[i].name);
        if (ours)
            __recut_env_slots[i] = ours;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(__recut_env_entries[i].name, names[k]) == 0 && __recut_env_slots[i])
                __recut_env_slots[i] = __recut_special_find(names[k]);
    }
}

static const char *begin(const struct model_table *models) {
    __recut_cut_models = models;
    if (!image)
        return "its image is not there";
    if (!make_places() || !__recut_cut_begin_thread(env_thread(), 0))
        return strerror(ENOMEM);
    set_slots();
    if (__recut_cut_heap_begin)
        __recut_cut_heap_begin();
    __recut_crash_init();
    return NULL;
}

const char *__recut_cut_record(const struct model_table *models) {
    const char *wrong = begin(models);
    if (!wrong && !__recut_cut_callees_find(image->out_count))
        wrong = strerror(ENOMEM);
    if (!wrong)
        __recut_cut_mode = CUT_RECORD;
    return wrong;
}

const char *__recut_cut_replay(const struct model_table *models, bool verifies) {
    const char *wrong = begin(models);
    __recut_cut_verifies = verifies;
    if (!wrong)
        __recut_cut_mode = CUT_REPLAY;
    return wrong;
}

bool __recut_cut_begin_thread(struct env_thread *thread, uint32_t slot) {
    struct stack_range range;
    thread->cut.places = raw_scratch((image->out_count + 1) * sizeof *thread->cut.places);
    thread->cut.remembered = raw_scratch(cut_most_remembered * sizeof *thread->cut.remembered);
    if (!thread->cut.places || !thread->cut.remembered ||
        !__recut_stack_thread(slot + CUT_SLOTS, stack_size, &range))
        return false;
    thread->cut.other = (struct cut_side){
        .data_stack = range.high, .stack_limit = range.low, .slot = slot + CUT_SLOTS};
    return true;
}

bool __recut_cut_is_alone(void) {
    return __libc_single_threaded && __atomic_load_n(&stream_count, __ATOMIC_RELAXED) == 1;
}

/* Record: a thread comes for the first time. */
static struct env_thread *begin_stream(void) {
    uint32_t slot = __recut_self.slot;
    struct env_thread *thread = slot < CUT_SLOTS ? raw_scratch(sizeof *thread) : NULL;
    if (!thread) {
        __recut_cut_stop(NULL, slot < CUT_SLOTS ? strerror(ENOMEM) : "more than 4096 threads");
        return NULL;
    }
    thread->cut.stream = __atomic_fetch_add(&stream_count, 1, __ATOMIC_RELAXED);
    thread->cut.counts = true;
    if (!__recut_cut_begin_thread(thread, slot) ||
        !__recut_env_open_stream(thread, thread->cut.stream)) {
        __recut_cut_stop(NULL, strerror(errno));
        return NULL;
    }
    unsigned char *p = log_begin(&thread->out, EVENT_START, 30);
    if (p)
        log_end(&thread->out, put_varint(put_varint(put_varint(p, 1), slot), 0));
    __recut_self.env = thread;
    return thread;
}

struct env_thread *__recut_cut_thread(void) {
    if (__recut_cut_mode != CUT_RECORD)
        return NULL;
    return env_thread() ? env_thread() : begin_stream();
}

/* --- crossing --------------------------------------------------------------------------------- */

/* By env_enter.S, as __recut_env_arrive(): NULL if the call was made, or what is to be entered with
 * the registers as they came. */
void *__recut_cut_in_here(struct env_frame *frame), *__recut_cut_out_here(struct env_frame *frame),
    *__recut_cut_watch_here(struct env_frame *frame);

void *__recut_cut_in_here(struct env_frame *frame) {
    const struct variant_in *in = &__recut_cut_ins[frame->index];
    int saved = errno;
    struct env_thread *thread = __recut_cut_thread();
    errno = saved;
    if (!thread)
        return (void *)in->function;
    __recut_cut_record_in(thread, in, frame);
    return NULL;
}

void *__recut_cut_out_here(struct env_frame *frame) {
    const struct variant_out *out = &__recut_cut_outs[frame->index];
    struct env_thread *thread = env_thread();
    if (__recut_cut_mode == CUT_RECORD && thread && __recut_self.inside)
        __recut_cut_record_out(thread, out, frame);
    else if (__recut_cut_mode == CUT_REPLAY && thread)
        __recut_cut_replay_out(thread, out, frame);
    else
        return __recut_cut_real(out);
    return NULL;
}

/* --- ends ------------------------------------------------------------------------------------- */

void __recut_cut_stop(const char *function, const char *reason) {
    if (__recut_cut_mode != CUT_RECORD)
        return;
    __recut_cut_mode = CUT_OFF;
    __recut_say("recording ends here: ", function ? function : "the log", ": ", reason, NULL);
    struct log_writer *log = env_thread() ? &env_thread()->out : NULL;
    unsigned char *p = log && log->chunk ? log_begin(log, EVENT_LOST, 40 + strlen(reason)) : NULL;
    if (p)
        log_end(log, put_bytes(p, reason, strlen(reason)));
    if (log)
        __recut_log_close(log);
}

void __recut_cut_forked(void) {
    if (__recut_cut_mode != CUT_RECORD)
        return;
    __recut_cut_mode = CUT_OFF;
    if (env_thread())
        __recut_log_drop(&env_thread()->out);
}

void __recut_cut_exit(int status) {
    struct env_thread *thread = __recut_cut_thread();
    if (!thread)
        return;
    __recut_cut_order_begin(thread, false);
    unsigned char *p = log_begin(&thread->out, EVENT_EXIT, 30);
    if (p)
        log_end(&thread->out, put_u64(put_varint(p, (uint32_t)status), 0));
    __recut_cut_mode = CUT_OFF;
    __recut_cut_order_end(thread);
    __recut_log_close(&thread->out);
}

void __recut_cut_thread_exit(void) {
    struct env_thread *thread = env_thread();
    if (__recut_cut_mode != CUT_RECORD || !thread || !thread->cut.stream)
        return;
    unsigned char *p = log_begin(&thread->out, EVENT_DONE, 10);
    if (p)
        log_end(&thread->out, p);
    __recut_log_close(&thread->out);
    __recut_self.env = NULL;
    __recut_cut_effects_deinit(thread);
    __recut_cut_streams_deinit(thread);
    raw_scratch_end(thread->cut.places, (image->out_count + 1) * sizeof *thread->cut.places);
    raw_scratch_end(thread->cut.remembered, cut_most_remembered * sizeof *thread->cut.remembered);
    raw_scratch_end(thread, sizeof *thread);
}
