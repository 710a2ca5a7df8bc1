/* What happens when the environment calls the program?  See env_callback.h. */
#include "runtime/env_callback.h"

#include <errno.h>

#include "runtime/answers.h"
#include "runtime/env_thread.h"
#include "runtime/pool.h"
#include "runtime/race.h"
#include "runtime/raw.h"

extern const struct callback {
    void *function;
    uint8_t integers, floats;
    char result; /* 'v', 'i', 'f' */
} __recut_callbacks[];
extern const uint64_t __recut_callback_count;

enum { register_count = 6, callback_integers = 14 };
_Static_assert((int)callback_integers == (int)CAPTURE_INTEGERS, "what is kept of them");
_Static_assert(sizeof __recut_self.callback == (callback_integers + 8) * sizeof(uint64_t),
               "canonical/attach.c fills it");

static const struct callback *find(const void *function) {
    for (uint64_t i = 0; i < __recut_callback_count; i++)
        if (__recut_callbacks[i].function == function)
            return &__recut_callbacks[i];
    return NULL;
}

/* A signal that comes while the thread has a data stack waits, since the runtime may be at
 * work on its log; once it has none, handlers run at once (async.h). */
struct env_outside __recut_env_go_out(void) {
    struct env_thread *thread = env_thread();
    struct env_outside outside = {__recut_self.data_stack, thread->outside_stack, 0,
                                  thread->section.held};
    thread->section.held = NULL; /* calls into the program have sections of their own */
    if (__recut_is_threaded)
        outside.depth = __recut_section_go_out();
    thread->outside_stack = outside.data_stack;
    thread->away[thread->entered_count] = outside;
    __recut_self.data_stack = NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(async_waits(&thread->async), 0))
        __recut_async_outside();
    return outside;
}

void __recut_env_come_back(struct env_outside outside) {
    __recut_self.data_stack = outside.data_stack;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    env_thread()->outside_stack = outside.outer;
    if (__recut_is_threaded)
        __recut_section_come_back(outside.depth);
    if (outside.held)
        env_thread()->section.held = outside.held;
}

/* --- record ------------------------------------------------------------------------ */

void *__recut_callback_left(uint64_t rax, double xmm0);

static void log_entry(struct env_thread *thread, const struct callback *callback, void *function,
                      void **return_slot) {
    struct log_writer *log = &thread->out;
    if (!callback || thread->entered_count == env_most_entered) {
        __recut_env_stop(NULL, callback ? "too many calls into the program within each other"
                                        : "a library called a function that gets a structure");
        return;
    }
    unsigned char *p = log_begin(log, EVENT_ENTER, 240);
    if (!p)
        return;
    p = put_varint(p, (uint64_t)function);
    p = put_varint(p, callback->integers);
    for (unsigned i = 0; i < callback->integers; i++)
        p = put_u64(p, __recut_self.callback[i]);
    p = put_varint(p, callback->floats);
    for (unsigned i = 0; i < callback->floats; i++)
        p = put_u64(p, __recut_self.callback[callback_integers + i]);
    log->events++;
    log_end(log, p);
    thread->entered[thread->entered_count++] =
        (struct env_entered){*return_slot, return_slot, thread->outside_stack};
    *return_slot = (void *)__recut_callback_return;
    if (thread->section.base)
        __recut_section_enter((uint64_t)function);
}

void __recut_callback_enter(void *function, void **return_slot) {
    struct env_thread *thread = env_thread();
    const struct callback *callback = find(function);
    __recut_self.data_stack = thread->outside_stack;
    if (__recut_env_mode != ENV_RECORD)
        return;
    log_entry(thread, callback, function, return_slot);
    if (thread->async.is_entering)
        __recut_async_entered();
}

/* Called by env_enter.S when such a function returns; where to go on. */
void *__recut_callback_left(uint64_t rax, double xmm0) {
    struct env_thread *thread = env_thread();
    struct env_entered *call = &thread->entered[--thread->entered_count];
    int saved = errno;
    uint64_t bits;
    if (thread->section.base && thread->section.depth)
        __recut_section_leave();
    memcpy(&bits, &xmm0, sizeof bits);
    unsigned char *p =
        __recut_env_mode == ENV_RECORD ? log_begin(&env_thread()->out, EVENT_LEAVE, 20) : NULL;
    if (p)
        log_end(&env_thread()->out, put_u64(put_u64(p, rax), bits));
    if (__recut_env_mode == ENV_RECORD) {
        thread->outside_stack = call->outside;
        __recut_self.data_stack = NULL;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (async_waits(&thread->async)) /* it came while the function ran */
            __recut_async_outside();
    }
    errno = saved;
    return call->return_address;
}

/* libc frees blocks of the program's also where a replay calls it again (tdelete):
 * then the thread is not outside. */
void __recut_callback_free(void *block) {
    struct log_writer *log = &env_thread()->out;
    bool is_outside = __recut_env_mode == ENV_RECORD && !__recut_self.data_stack;
    bool is_serial = is_outside && env_thread()->section.base;
    unsigned char *p = is_outside ? log_begin(log, EVENT_ENTER, 40) : NULL;
    if (p) {
        p = put_varint(p, (uint64_t)__recut_callback_free);
        p = put_u64(put_varint(p, 1), (uint64_t)block);
        p = put_varint(p, 0);
        log->events++;
        log_end(log, p);
        p = log_begin(log, EVENT_LEAVE, 20);
        if (p)
            log_end(log, put_u64(put_u64(p, 0), 0));
    }
    if (is_serial)
        __recut_section_enter((uint64_t)__recut_callback_free);
    __recut_pool_free(block);
    if (is_serial)
        __recut_section_leave();
}

void __recut_callback_unwind(const void *stack) {
    struct env_thread *thread = env_thread();
    while (thread->entered_count &&
           (const void *)thread->entered[thread->entered_count - 1].return_slot < stack)
        thread->entered_count--;
    thread->outside_stack =
        thread->entered_count ? thread->entered[thread->entered_count - 1].outside : NULL;
}

/* --- replay ------------------------------------------------------------------------ */

static void free_pool(void *block) {
    if (!pool_contains(block))
        return;
    RACE_HOOK(forget(block, __recut_pool_usable_size(block)));
    __recut_pool_free(block);
}

void __recut_env_reenter(struct log_reader *log) {
    static const struct callback release = {(void *)free_pool, 1, 0, 'v'};
    uint64_t address = get_varint(log);
    const struct callback *callback =
        address == (uint64_t)__recut_callback_free ? &release : find((void *)address);
    struct env_frame frame = {0};
    uint64_t integers = get_varint(log);
    if (!callback || integers != callback->integers)
        __recut_replay_damaged(log);
    uint64_t stack[callback_integers + 2] = {0}; /* what does not fit into registers */
    uint64_t all[CAPTURE_INTEGERS] = {0}, vectors[CAPTURE_FLOATS] = {0};
    for (unsigned i = 0; i < integers; i++) {
        all[i] = get_u64(log);
        *(i < register_count ? &frame.integers[i] : &stack[i - register_count]) = all[i];
    }
    frame.stack = stack;
    size_t stack_bytes = integers > register_count ? (integers - register_count + 1) / 2 * 16 : 0;
    uint64_t floats = get_varint(log);
    if (floats != callback->floats)
        __recut_replay_damaged(log);
    for (unsigned i = 0; i < floats; i++)
        frame.vectors[i][0] = vectors[i] = get_u64(log);
    __recut_env_expected(log);
    log->events++;
    bool is_serial = env_thread()->section.base;
    char *data_stack = __recut_self.data_stack;
    struct async_state *async = &env_thread()->async;
    const sigset_t *call_mask = async->call_mask;
    bool is_handler = async->is_shown;
    sigset_t mask;
    if (is_handler) {
        __recut_self.data_stack -= async_shown_size;
        sigprocmask(SIG_SETMASK, &async->within, &mask);
    }
    async->is_shown = false;
    async->call_mask = NULL;
    if (is_serial)
        __recut_section_enter(address);
    /* Blocks that a library frees are not freed in a test, and handlers of signals do not run. */
    bool is_kept = __builtin_expect(__recut_answers_kept, 0) && !is_handler &&
                   callback != &release &&
                   __recut_answer_enters(address, all, (unsigned)integers, vectors);
    __recut_env_invoke(&frame, callback->function, stack_bytes);
    if (is_kept)
        __recut_answer_leaves();
    if (is_serial)
        __recut_section_leave();
    __recut_self.data_stack = data_stack;
    async->call_mask = call_mask;
    if (is_handler)
        sigprocmask(SIG_SETMASK, &mask, NULL);
    struct diverge_place now = {"a call into the program", address};
    if (!log_next(log))
        __recut_env_at_end(log, now);
    if (log->kind != EVENT_LEAVE)
        __recut_diverge(log, "event", "a call", "the end of a call into the program", now);
    __recut_env_check_path(log, now);
    uint64_t rax = get_u64(log), xmm0 = get_u64(log);
    if (callback->result == 'i' && (uint32_t)rax != (uint32_t)frame.rax)
        __recut_diverge_number(log, "result of a call into the program", (int64_t)rax,
                               (int64_t)frame.rax, now);
    if (callback->result == 'f' && xmm0 != frame.xmm0[0])
        __recut_diverge(log, "result of a call into the program", "another", "this", now);
    __recut_env_expected(log);
}
