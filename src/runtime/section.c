/* Who is in the runtime?  See section.h. */
#include "runtime/section.h"
#include "runtime/answers.h"

#include <errno.h>
#include <linux/futex.h>

#include "runtime/baton.h"
#include "runtime/env_thread.h"
#include "runtime/raw.h"

bool __recut_is_threaded;

/* 0 free, 1 taken, 2 taken and waited for (Drepper, Futexes Are Tricky). */
static uint32_t lock_word;

static void lock(void) {
    if (__recut_is_serial) {
        __recut_baton_take();
        return;
    }
    uint32_t seen = 0;
    if (__atomic_compare_exchange_n(&lock_word, &seen, 1, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
        return;
    for (unsigned i = 0; i < 100 && seen != 2; i++) {
        __builtin_ia32_pause();
        seen = 0;
        if (__atomic_compare_exchange_n(&lock_word, &seen, 1, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return;
    }
    while (__atomic_exchange_n(&lock_word, 2, __ATOMIC_ACQUIRE) != 0)
        raw_syscall6(SYS_futex, (long)&lock_word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}

static void unlock(void) {
    if (__recut_is_serial) {
        __recut_baton_give();
        return;
    }
    if (__atomic_exchange_n(&lock_word, 0, __ATOMIC_RELEASE) == 2)
        raw_syscall3(SYS_futex, (long)&lock_word, FUTEX_WAKE_PRIVATE, 1);
}

void __recut_section_enter(uint64_t place) {
    struct section_state *section = &env_thread()->section;
    if (section->depth++)
        return;
    if (__recut_env_mode == ENV_REPLAY) {
        __recut_order_wait_entry(place);
        return;
    }
    lock();
    section->went_out = false;
    section->path = env_thread()->out.path;
    section->is_counted = __recut_env_mode == ENV_RECORD && __recut_order_note_entry(place);
    section->skipped = env_thread()->out.skipped;
}

void __recut_section_begin(uint64_t place) {
    __recut_section_enter(place);
    env_thread()->section.is_counted = false;
    env_thread()->section.base = 1;
}

void __recut_section_end(void) {
    env_thread()->section.base = 0;
    __recut_section_leave();
}

void __recut_section_uncount(void) {
    struct section_state *section = &env_thread()->section;
    struct log_writer *log = &env_thread()->out;
    if (!section->is_counted || log->skipped != section->skipped || !log->skipped)
        return;
    log->skipped--;
    log->events--;
    log->path = section->path;
    log->window->skipped = log->skipped;
    section->is_counted = false;
}

void __recut_section_leave(void) {
    struct section_state *section = &env_thread()->section;
    if (--section->depth > section->base)
        return;
    if (section->held) {
        funlockfile(section->held);
        section->held = NULL;
    }
    if (section->depth)
        return;
    if (__recut_env_mode == ENV_REPLAY)
        __recut_order_done(ORDER_RUNTIME);
    else
        unlock();
}

void __recut_section_tell(void) {
    struct section_state *section = &env_thread()->section;
    if (!section->is_counted || __recut_env_mode != ENV_RECORD)
        return;
    __recut_section_uncount();
    if (!section->is_counted)
        __recut_order_tell_entry();
}

unsigned __recut_section_go_out(void) {
    struct section_state *section = &env_thread()->section;
    unsigned depth = section->depth;
    section->depth = 0;
    if (!depth)
        return 0;
    /* The process may end before the call does: then the log has the entry. */
    __recut_section_tell();
    unlock();
    return depth;
}

void __recut_section_come_back(unsigned depth) {
    struct section_state *section = &env_thread()->section;
    section->depth = depth;
    if (!depth)
        return;
    lock();
    if (__recut_env_mode == ENV_RECORD)
        __recut_order_note_return();
    section->is_counted = false;
    section->went_out = true;
}

unsigned __recut_section_pass(void) {
    struct section_state *section = &env_thread()->section;
    unsigned depth = section->depth;
    section->depth = 0;
    __recut_order_done(ORDER_RUNTIME);
    return depth;
}

void __recut_section_return(unsigned depth, uint64_t place) {
    __recut_order_wait_return(place);
    env_thread()->section.depth = depth;
}

/* --- the guard ------------------------------------------------------------------------ */

bool __recut_section_guard(uint64_t *return_slot, bool is_answer) {
    struct section_state *section = &env_thread()->section;
    if (section->guarded_count == section_most_guarded)
        return false;
    section->guarded[section->guarded_count].place = *return_slot;
    section->guarded[section->guarded_count].is_answer = is_answer;
    section->guarded[section->guarded_count++].return_slot = return_slot;
    *return_slot = (uint64_t)__recut_section_guarded_return;
    return true;
}

/* Called by env_enter.S; where to go on. */
uint64_t __recut_section_left(uint64_t, uint64_t, double);
uint64_t __recut_section_left(uint64_t rax, uint64_t rdx, double xmm0) {
    struct section_state *section = &env_thread()->section;
    int saved = errno;
    uint64_t place = section->guarded[--section->guarded_count].place;
    if (__builtin_expect(section->guarded[section->guarded_count].is_answer, 0)) {
        uint64_t vector[2] = {0};
        memcpy(vector, &xmm0, sizeof xmm0);
        __recut_answer_after(rax, rdx, vector);
    }
    if (__recut_is_threaded)
        __recut_section_leave();
    errno = saved;
    return place;
}

void __recut_section_unwind(const void *stack) {
    struct section_state *section = &env_thread()->section;
    while (section->guarded_count &&
           section->guarded[section->guarded_count - 1].return_slot < stack) {
        section->guarded_count--;
        if (section->depth > section->base)
            __recut_section_leave();
    }
}

void __recut_section_abandon(void) {
    struct section_state *section = &env_thread()->section;
    while (section->depth > section->base)
        __recut_section_leave();
}

uint64_t __recut_section_place(void) {
    struct section_state *section = &env_thread()->section;
    return section->guarded[section->guarded_count - 1].place;
}
