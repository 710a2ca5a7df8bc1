/*
 * What happens before the first constructor of the program: the main thread
 * gets its data stack, overflow is watched for, and a variant is loaded if one
 * was asked for.
 *
 * .preinit_array runs before all constructors, in static and in dynamic
 * executables, after libc and the thread pointer are up.
 */
#include "runtime/env.h"
#include "runtime/monitor.h"
#include "runtime/signal.h"
#include "runtime/testing.h"
#include "runtime/thread.h"
#include "runtime/variant.h"

void __recut_init(int, char **, char **);
void __recut_init(int argc, char **argv, char **envp) {
    (void)argc;
    if (!__recut_self.attached)
        __recut_thread_init_main();
    __recut_signal_init();
    __recut_variant_load(envp);
    __recut_env_init(argv, envp);
    __recut_monitor_init(argv, envp);
    __recut_testing_init(argv, envp);
}

__attribute__((section(".preinit_array"), used)) static void (*const entry)(int, char **,
                                                                            char **) = __recut_init;
