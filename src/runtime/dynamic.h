/*
 * Functions of libraries that the program has no symbol of: those that it finds by dlsym().
 *
 * The compiler never saw a call of them, so they have no stub in the
 * executable.  While a run is recorded or replayed, dlsym() gives the address of
 * a stub that is made here, at a fixed address, instead of the function's own;
 * calls through it go the way of all calls of the environment, by the model of
 * that name or without one.
 *
 *   RECUT_DYNAMIC_STUBS: | address of __recut_env_enter | slots ... | stubs ... |
 *
 *   stub:   jmp *slot(%rip); push $index; jmp *enter(%rip)       32 bytes
 *
 * So are functions of libraries that the program finds in memory, a table of methods say: the
 * logging variant asks for what to call instead where the analysis cannot exclude one.  The
 * log has that as a dlsym() of the address.
 *
 * Their indexes count from DYNAMIC_BASE, in the order in which they were first
 * asked for, which is that of both runs.
 */
#ifndef RECUT_RUNTIME_DYNAMIC_H
#define RECUT_RUNTIME_DYNAMIC_H

#include "format/environment.h"
#include "runtime/env.h"

#define DYNAMIC_BASE (1u << 21)

struct dynamic {
    struct env_entry entry;
    void *real; /* NULL in replay, unless it is called there too */
    const struct model_function *model;
    const struct effect *effect;
};

/* `index` is one from DYNAMIC_BASE on that exists. */
const struct dynamic *__recut_dynamic(uint64_t index);
/* Index by name, or ENV_NONE. */
uint64_t __recut_dynamic_index(const char *name, size_t length);
/* What to call where the program would call `address`. */
void *__recut_target(void *address);
/* Recording is over: stubs lead to the functions themselves. */
void __recut_dynamic_restore(void);

#endif
