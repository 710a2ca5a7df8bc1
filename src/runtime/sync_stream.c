/*
 * Locks of stdio streams that the program takes itself (flockfile), while it is recorded or
 * replayed; sync.c has the others.
 *
 * A replay has no streams: it keeps to the order alone.  So letting go has a number, too:
 * there is no lock that keeps others out until then.
 */
#include <stdio.h>

#include "runtime/baton.h"
#include "runtime/env_callback.h"
#include "runtime/special_data.h"
#include "runtime/sync.h"

static bool has_streams(void) { return __recut_env_mode != ENV_REPLAY; }

void __recut_special_flockfile(FILE *);
void __recut_special_flockfile(FILE *file) {
    BEGIN(flockfile, file, "p");
    operation.is_void = true;
    if (mode != ENV_OFF && __recut_is_serial) {
        if (mode == ENV_REPLAY)
            __recut_sync_acquire_serial(&operation);
        else if (ftrylockfile(file) == 0)
            __recut_sync_made_serial(&operation, 0);
        else
            __recut_sync_waited_serial(&operation, ENV_OUTSIDE((flockfile(file), 0)));
        return;
    }
    if (has_streams())
        flockfile(file);
    if (mode != ENV_OFF)
        __recut_sync_number(&operation);
}

int __recut_special_ftrylockfile(FILE *);
int __recut_special_ftrylockfile(FILE *file) {
    BEGIN(ftrylockfile, file, "p");
    int64_t result = has_streams() ? ftrylockfile(file) : 0;
    if (mode == ENV_OFF)
        return (int)result;
    if (__recut_is_serial)
        return (int)(mode == ENV_REPLAY ? __recut_sync_acquire_serial(&operation)
                                        : __recut_sync_made_serial(&operation, result));
    if (mode == ENV_RECORD && result != 0)
        __recut_sync_log(&operation, result);
    else if (mode == ENV_RECORD || !__recut_sync_take(&operation, &result))
        __recut_sync_number(&operation);
    return (int)result;
}

void __recut_special_funlockfile(FILE *);
void __recut_special_funlockfile(FILE *file) {
    BEGIN(funlockfile, file, "p");
    if (mode == ENV_RECORD && __recut_is_serial)
        __recut_sync_made_serial(&operation, 0);
    else if (mode == ENV_REPLAY && __recut_is_serial)
        __recut_sync_release_serial(&operation);
    else if (mode != ENV_OFF)
        __recut_sync_number(&operation);
    if (has_streams())
        funlockfile(file);
}
