/*
 * Stack overflow, and the program's own SIGSEGV handlers; see signal.h.
 *
 * The runtime stays in front of SIGSEGV.  What the program installs is kept
 * here, shown to it when it asks, and called from here.  When the data stack
 * is used up, a reserve below its limit is opened first, so that a handler on
 * an alternate stack finds room for its locals, as it would without recut.
 *
 * Everything here is async-signal-safe.
 */
#include "runtime/signal.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "format/layout.h"
#include "runtime/raw.h"
#include "runtime/thread.h"

enum { reserve = 256 * 1024 };

static struct sigaction program_action; /* for SIGSEGV; zero is SIG_DFL */
static bool in_front;
static char alternate_stack[64 * 1024] __attribute__((aligned(16)));

static bool is_below(const void *address, const char *low) {
    return (const char *)address < low && (const char *)address >= low - RECUT_STACK_GUARD;
}

/* Which stack ran over, for the message; NULL if none did. */
static const char *overflown(const siginfo_t *info) {
    if (info->si_code <= 0)
        return NULL;
    if (__recut_self.attached && is_below(info->si_addr, __recut_self.stack_limit))
        return "the data stack of thread ";
    if (__recut_main_machine.low && is_below(info->si_addr, __recut_main_machine.low))
        return "the machine stack of thread ";
    return NULL;
}

static void open_reserve(void) {
    uint64_t low = (uint64_t)__recut_self.stack_limit - reserve;
    if (raw_map_at(low, reserve) == 0)
        __recut_self.stack_limit = (char *)low;
}

static void report_overflow(const char *which) {
    char slot[24], size[24];
    const struct stack_range *range =
        which[4] == 'd' ? __recut_thread_data_stack() : &__recut_main_machine;
    uint64_t kib = (uint64_t)(range->high - range->low) / 1024;
    __recut_say("stack overflow: ", which, __recut_decimal(__recut_self.slot, slot), " (",
                __recut_decimal(kib, size), " KiB) is used up", NULL);
}

static void die_by_default(int number) {
    struct sigaction fallback = {.sa_handler = SIG_DFL};
    sigaction(number, &fallback, NULL);
}

static void on_fault(int number, siginfo_t *info, void *context) {
    const char *which = overflown(info);
    struct sigaction action = program_action;
    bool handled = action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
    if (which && which[4] == 'd' && handled)
        open_reserve();
    if (handled) {
        if (action.sa_flags & SA_RESETHAND)
            program_action = (struct sigaction){.sa_handler = SIG_DFL};
        if (action.sa_flags & SA_SIGINFO)
            action.sa_sigaction(number, info, context);
        else
            action.sa_handler(number);
        return;
    }
    if (which)
        report_overflow(which);
    if (info->si_code <= 0 && action.sa_handler == SIG_IGN)
        return; /* sent by somebody, and ignored */
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

int __recut_sigaction(int, const struct sigaction *, struct sigaction *);
int __recut_sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    if (number != SIGSEGV || !in_front)
        return sigaction(number, action, old);
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

/* Only SIGSEGV is ours; siginterrupt() and the like keep working for the rest. */
sighandler_t __recut_signal(int number, sighandler_t handler) {
    return number == SIGSEGV ? set_handler(number, handler, SA_RESTART) : signal(number, handler);
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
    return number == SIGSEGV && handler != SIG_HOLD ? set_handler(number, handler, 0)
                                                    : sigset(number, handler);
}
#pragma GCC diagnostic pop
