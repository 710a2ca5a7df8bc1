/* What of its output does a replay show?  See echo.h. */
#include "runtime/echo.h"

#include <errno.h>

#include "runtime/raw.h"

enum { most_descriptors = 4096 };
static unsigned char targets[most_descriptors] = {[1] = 1, [2] = 2};

unsigned __recut_echo_quiet;

int __recut_echo_target(int fd) { return fd >= 0 && fd < most_descriptors ? targets[fd] : 0; }

void __recut_echo_follow(enum model_descriptor what, int first, int result) {
    if (result < 0)
        return;
    int target = what == MODEL_DUPLICATES ? __recut_echo_target(first) : 0;
    int changed = what == MODEL_CLOSES ? first : result;
    if (what != MODEL_NO_DESCRIPTOR && changed >= 0 && changed < most_descriptors)
        targets[changed] = (unsigned char)target;
}

void __recut_echo(int target, const void *bytes, size_t count) {
    const char *at = bytes;
    while (target && count && !__recut_echo_quiet) {
        long got = raw_syscall3(SYS_write, target, (long)at, (long)count);
        if (got == -EINTR || got == -EAGAIN)
            continue;
        if (got <= 0)
            return;
        at += got;
        count -= (size_t)got;
    }
}
