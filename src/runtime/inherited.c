/* Which signals did the program find ignored, or blocked?  See inherited.h. */
#include "runtime/inherited.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "runtime/raw.h"

enum { signals = 64 };

static uint64_t bit(int number) { return 1ULL << (number - 1); }

static uint64_t set_mask(int how, const uint64_t *mask) {
    uint64_t old = 0;
    raw_syscall6(SYS_rt_sigprocmask, how, (long)mask, (long)&old, sizeof old, 0, 0);
    return old;
}

struct inherited __recut_inherited(void) {
    struct inherited inherited = {0, set_mask(SIG_BLOCK, NULL)};
    struct sigaction action;
    int saved = errno; /* libc keeps some signals to itself */
    for (int number = 1; number <= signals; number++)
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            inherited.ignored |= bit(number);
    errno = saved;
    return inherited;
}

void __recut_inherit(struct inherited inherited) {
    struct sigaction action;
    int saved = errno;
    for (int number = 1; number <= signals; number++) {
        bool is_ignored = inherited.ignored & bit(number);
        void (*wanted)(int) = is_ignored ? SIG_IGN : SIG_DFL;
        if (sigaction(number, NULL, &action) != 0 || action.sa_handler == wanted ||
            (action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL)) /* ours */
            continue;
        action = (struct sigaction){.sa_handler = wanted};
        sigaction(number, &action, NULL);
    }
    set_mask(SIG_SETMASK, &inherited.blocked);
    errno = saved;
}
