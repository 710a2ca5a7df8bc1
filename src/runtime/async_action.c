/* What did the program install for a signal?  See async_action.h. */
#include "runtime/async_action.h"

#include "runtime/async.h"
#include "runtime/cut.h"
#include "runtime/env.h"

bool __recut_action_any;
static struct sigaction actions[_NSIG];

struct sigaction __recut_action_take(int number) {
    struct sigaction action = actions[number];
    if (action.sa_flags & SA_RESETHAND) {
        actions[number].sa_handler = SIG_DFL;
        struct sigaction fallback = {.sa_handler = SIG_DFL};
        sigaction(number, &fallback, NULL);
    }
    return action;
}

static bool is_in_front(const void *handler) {
    return handler == (void *)__recut_async_on_signal || handler == (void *)__recut_cut_on_signal;
}

int __recut_async_sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    if (number <= 0 || number >= _NSIG)
        return sigaction(number, action, old);
    struct sigaction before = actions[number], kernel, installed;
    if (action) {
        installed = *action;
        bool is_cut = __recut_cut_mode == CUT_RECORD;
        if (action_is_handler(action) && (__recut_env_mode != ENV_OFF || is_cut)) {
            installed.sa_sigaction = is_cut ? __recut_cut_on_signal : __recut_async_on_signal;
            installed.sa_flags = (action->sa_flags | SA_SIGINFO) & ~SA_RESETHAND;
            sigfillset(&installed.sa_mask); /* one at a time; handlers get theirs */
        }
    }
    if (action && action_is_handler(action))
        __recut_action_any = true; /* before the first one comes */
    int result = sigaction(number, action ? &installed : NULL, &kernel);
    if (result != 0)
        return result;
    if (action) {
        actions[number] = *action;
        if (action_is_handler(action))
            __recut_env_catch();
    }
    if (old) { /* field by field: what is between them is the program's */
        bool is_ours = is_in_front((void *)kernel.sa_sigaction);
        const struct sigaction *shown = is_ours ? &before : &kernel;
        old->sa_sigaction = shown->sa_sigaction;
        old->sa_flags = shown->sa_flags;
        old->sa_mask = shown->sa_mask;
    }
    return 0;
}

void (*__recut_async_seen(int number, void (*handler)(int)))(int) {
    bool is_ours = is_in_front((void *)handler);
    return is_ours ? actions[number].sa_handler : handler;
}
