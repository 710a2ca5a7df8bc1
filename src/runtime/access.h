/*
 * Accesses to memory that the environment owns or may write (iTarget §3.2,
 * §4.1): the logging variant (src/instrument/logging.c) sends them here.
 *
 * In a recording the bytes that are read go to the log as they are read.  In
 * a replay they come from there; memory of the environment is not there at all, and
 * what is stored to it goes nowhere.
 *
 * `always`: memory of the program's, too, which the environment may change;
 * else the address tells whose it is.
 */
#ifndef RECUT_RUNTIME_ACCESS_H
#define RECUT_RUNTIME_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/layout.h"
#include "format/variant.h"
#include "runtime/env.h" /* _end: libc's heap comes right behind it */

/* Is memory there in a replay as well?  What the kernel places lies above all of
 * it. */
static inline bool access_is_there(const void *address) {
    return (const char *)address < _end ||
           ((uint64_t)address >= RECUT_ARGS_BASE && (uint64_t)address < RECUT_BRK_END);
}

/* Is it replay space?  The machine stack is not: what the program keeps there it
 * does not point to, and libraries have their locals there. */
static inline bool access_is_ours(const void *address) {
    return access_is_there(address) &&
           (uint64_t)address - (RECUT_MACHINE_STACK_TOP - RECUT_STACK_MAX) >= RECUT_STACK_MAX;
}

/* Where to load from instead, or to store to. Holds until the next call. */
const void *__recut_loaded(const void *address, uint64_t size, uint32_t always);
void *__recut_stored(void *address, uint64_t size);

/* What to pass to a function instead of a pointer to `size` bytes, of a string,
 * or of the argument number `argument` behind a format, which may be a string. Holds for
 * the call. `how`: enum access_how of format/variant.h. */
void *__recut_given(void *address, uint64_t size, uint32_t how);
char *__recut_given_string(char *address, uint32_t how);
void *__recut_given_format(void *address, const char *format, uint32_t argument, uint32_t how);
/* The same for all strings that a va_list holds for a format. */
void __recut_given_list(void *list, const char *format, uint32_t how);

/* Copies what is in a block of a library's that the program takes over: in a replay as
 * much as the recorded run did. */
void __recut_adopt(void *to, const void *block, uint64_t size);

/* The result of an atomic operation on such memory; of one that may be on it. */
uint64_t __recut_logged(uint64_t value);
uint64_t __recut_logged_at(uint64_t value, const void *address);

#endif
