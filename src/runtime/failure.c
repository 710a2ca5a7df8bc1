/* What is a failure without a crash?  See failure.h. */
#include "runtime/failure.h"

#include <string.h>
#include <ucontext.h>

#include "runtime/crash.h"
#include "runtime/raw.h"
#include "runtime/testing.h"

void __recut_failure(const char *why) {
    ucontext_t here;
    getcontext(&here);
    __recut_crash_told(&here, why ? why : "");
}

bool __recut_failure_by_exit;

void __recut_failure_exits(int status) {
    char text[40] = "exit status ", number[24];
    if (__recut_crash_is_handled) /* that is the failure */
        return;
    if (!__recut_failure_by_exit && (status & 0xff))
        __recut_testing_exits();
    if (!__recut_failure_by_exit || !(status & 0xff))
        return;
    strcat(text, __recut_decimal((uint64_t)(status & 0xff), number));
    ucontext_t here;
    getcontext(&here);
    __recut_crash_told(&here, text);
}
