/*
 * Stack overflow, and the program's own SIGSEGV handlers; see signal.h.
 *
 * The runtime stays in front of SIGSEGV.  What the program installs is kept
 * here, shown to it when it asks, and called from here.  The other signals that
 * kill are the runtime's only while a run is recorded or replayed, and only as
 * long as the program has no handler for them (crash.c).  When the data stack
 * is used up, the handler runs on a reserve in the guard below it, so that a
 * handler on an alternate stack finds room for its locals, as it would without
 * recut.  A handler that jumps out leaves the reserve for the next overflow.
 *
 *     | data stack | <- limit   never mapped   | reserve | never mapped |
 *
 * Everything here is async-signal-safe.
 */
#include "runtime/signal.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#include "format/layout.h"
#include "runtime/answers.h"
#include "runtime/async.h"
#include "runtime/careful.h"
#include "runtime/crash.h"
#include "runtime/cut.h"
#include "runtime/raw.h"
#include "runtime/special.h"
#include "runtime/testing.h"
#include "runtime/thread.h"
#include "runtime/variant.h"

enum { reserve_size = 256 * 1024, reserve_distance = 2 * 1024 * 1024 };

static struct sigaction program_action; /* for SIGSEGV; zero is SIG_DFL */
static bool in_front;
enum { alternate_size = 64 * 1024, alternate_distance = 1024 * 1024 };
static char alternate_stack[alternate_size] __attribute__((aligned(16)));

static bool is_below(const void *address, const char *low) {
    return (const char *)address < low && (const char *)address >= low - RECUT_STACK_GUARD;
}

/* libc knows the machine stacks of other threads than main; here a fault close
 * to the stack pointer must do. */
static bool is_near_stack_pointer(const void *address, const ucontext_t *context) {
    enum { near = 64 * 1024 };
    return (uint64_t)address - (uint64_t)context->uc_mcontext.gregs[REG_RSP] + near < 2 * near;
}

enum overflow { overflow_none, overflow_data, overflow_machine };

static enum overflow find_overflow(const siginfo_t *info, const ucontext_t *context) {
    if (info->si_code <= 0 || !__recut_self.attached)
        return overflow_none;
    if (is_below(info->si_addr, __recut_self.stack_limit))
        return overflow_data;
    bool machine = __recut_self.slot == 0 ? __recut_main_machine.low &&
                                                is_below(info->si_addr, __recut_main_machine.low)
                                          : is_near_stack_pointer(info->si_addr, context);
    return machine ? overflow_machine : overflow_none;
}

static _Thread_local char *reserve_low; /* of the reserve that was used last */

/* Moves the thread to the reserve, unless that is what ran over. */
static void use_reserve(void) {
    char *low = __recut_self.stack_limit - reserve_distance - reserve_size;
    if (__recut_self.stack_limit == reserve_low)
        return;
    long failed = raw_map_at((uint64_t)low, reserve_size);
    if (failed && failed != -EEXIST) /* it may be there from the last time */
        return;
    reserve_low = __recut_self.stack_limit = low;
    __recut_self.data_stack = low + reserve_size;
}

static void report_overflow(enum overflow overflow) {
    char slot[24], size[24];
    const struct stack_range *range = overflow == overflow_data ? __recut_thread_data_stack()
                                      : __recut_self.slot == 0  ? &__recut_main_machine
                                                                : NULL;
    uint64_t kib = range ? (uint64_t)(range->high - range->low) / 1024 : 0;
    bool is_known = kib != 0; /* not of a side of a cut */
    __recut_say("stack overflow: the ", overflow == overflow_data ? "data" : "machine",
                " stack of thread ", __recut_decimal(__recut_self.slot % CUT_SLOTS, slot),
                is_known ? " (" : "", is_known ? __recut_decimal(kib, size) : "",
                is_known ? " KiB)" : "", " is used up", NULL);
}

static void die_by_default(int number) {
    struct sigaction fallback = {.sa_handler = SIG_DFL};
    sigaction(number, &fallback, NULL);
}

static void on_fault(int number, siginfo_t *info, void *context) {
    if (info->si_code > 0 && (__recut_careful_fault(context) || __recut_variant_fault(context) ||
                              (__recut_answers_given && __recut_answers_fault(info->si_addr))))
        return;
    if (info->si_code == SEGV_MAPERR && __recut_cut_fault(info->si_addr))
        return;
    enum overflow overflow = find_overflow(info, context);
    struct sigaction action = program_action;
    bool handled = action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
    if (handled) {
        char *data_stack = __recut_self.data_stack, *limit = __recut_self.stack_limit;
        if (overflow == overflow_data)
            use_reserve();
        if (action.sa_flags & SA_RESETHAND)
            program_action = (struct sigaction){.sa_handler = SIG_DFL};
        __recut_crash_handled(number, info, context, overflow != overflow_none);
        if (action.sa_flags & SA_SIGINFO)
            action.sa_sigaction(number, info, context);
        else
            action.sa_handler(number);
        __recut_crash_came_back(number);
        __recut_self.data_stack = data_stack;
        __recut_self.stack_limit = limit;
        return;
    }
    if (overflow == overflow_machine)
        __recut_testing_overflow();
    if (overflow != overflow_none)
        report_overflow(overflow);
    if (info->si_code <= 0 && action.sa_handler == SIG_IGN)
        return; /* sent by somebody, and ignored */
    __recut_crash(number, info, context, overflow != overflow_none);
    die_by_default(number);
    if (info->si_code <= 0) /* it does not come again by itself */
        raw_syscall3(SYS_tgkill, raw_syscall3(SYS_getpid, 0, 0, 0),
                     raw_syscall3(SYS_gettid, 0, 0, 0), number);
}

static void install(int flags, const sigset_t *mask) {
    struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = flags | SA_SIGINFO};
    if (mask)
        ours.sa_mask = *mask;
    sigaction(SIGSEGV, &ours, NULL);
}

void __recut_signal_init(void) {
    struct sigaction now;
    if (sigaction(SIGSEGV, NULL, &now) != 0 || now.sa_handler != SIG_DFL)
        return; /* inherited as ignored: keep it so */
    stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
    sigaltstack(&stack, NULL);
    in_front = true;
    install(SA_ONSTACK, NULL);
}

/* It lies in the guard, at the lower end of the slot's window. */
void __recut_signal_thread(uint32_t slot) {
    stack_t now;
    if (!in_front || sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE))
        return;
    uint64_t low = RECUT_THREAD_STACKS + slot * RECUT_THREAD_STACK_WINDOW + alternate_distance;
    long failed = raw_map_at(low, alternate_size);
    if (failed && failed != -EEXIST) /* an earlier thread of this slot had it */
        return;
    stack_t stack = {.ss_sp = (void *)low, .ss_size = alternate_size};
    sigaltstack(&stack, NULL);
}

/* libc gives an address of its own, and what its stack held behind the 64 signals
 * of the kernel's mask; both differ from run to run. */
static void hide_rest(struct sigaction *old) {
    old->sa_restorer = NULL;
    memset((char *)&old->sa_mask + _NSIG / 8, 0, sizeof old->sa_mask - _NSIG / 8);
}

int __recut_sigaction(int, const struct sigaction *, struct sigaction *);
int __recut_sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    SECTION(HERE);
    if (__recut_crash_sigaction(number, action, old))
        return 0;
    if (number != SIGSEGV || !in_front) {
        int result = __recut_async_sigaction(number, action, old);
        if (old && result == 0)
            hide_rest(old);
        return result;
    }
    struct sigaction before = program_action;
    if (action) {
        program_action = *action;
        bool handled = action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
        int kept = action->sa_flags & ~(SA_RESETHAND | SA_SIGINFO);
        install(handled ? kept : SA_ONSTACK, &action->sa_mask);
    }
    if (old)
        *old = before;
    return 0;
}

static sighandler_t set_handler(int number, sighandler_t handler, int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return __recut_sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

sighandler_t __recut_signal(int, sighandler_t), __recut_bsd_signal(int, sighandler_t),
    __recut_sysv_signal(int, sighandler_t), __recut___sysv_signal(int, sighandler_t),
    __recut_sigset(int, sighandler_t);

static bool is_ours(int number) { return number == SIGSEGV || __recut_crash_owns(number); }

/* libc knows best with which flags (siginterrupt); then the runtime steps in between. */
static sighandler_t put_in_front(int number, sighandler_t old) {
    struct sigaction now;
    old = __recut_async_seen(number, old);
    if (old != SIG_ERR && sigaction(number, NULL, &now) == 0)
        __recut_async_sigaction(number, &now, NULL);
    return old;
}

sighandler_t __recut_signal(int number, sighandler_t handler) {
    return is_ours(number) ? set_handler(number, handler, SA_RESTART)
                           : put_in_front(number, signal(number, handler));
}

sighandler_t __recut_bsd_signal(int number, sighandler_t handler) {
    return __recut_signal(number, handler);
}

sighandler_t __recut_sysv_signal(int number, sighandler_t handler) {
    return set_handler(number, handler, SA_RESETHAND | SA_NODEFER);
}

sighandler_t __recut___sysv_signal(int number, sighandler_t handler) {
    return __recut_sysv_signal(number, handler);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
sighandler_t __recut_sigset(int number, sighandler_t handler) {
    return is_ours(number) && handler != SIG_HOLD ? set_handler(number, handler, 0)
                                                  : put_in_front(number, sigset(number, handler));
}
#pragma GCC diagnostic pop
