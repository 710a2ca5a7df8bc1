/*
 * Functions of the environment that the runtime has code of its own for
 * (specials.def): what a model cannot say, and what is called so often that
 * the log of a call must be nothing at all.
 *
 * Each is a function NAME of libc as __recut_special_NAME, which a stub leads to
 * in both modes, or a function of the runtime that takes the place of one in
 * every mode (redirects.def) and asks for the mode itself.
 *
 * Events of specials look like those of all calls: inputs by the model, result,
 * errno, outputs.
 *
 *     SPECIAL int, fileno, (FILE *file)
 *         int old = errno;
 *         if (__recut_env_mode == ENV_RECORD) {
 *             int fd = fileno(file);
 *             unsigned char *p = __recut_special_write(SPECIAL_fileno, HERE, old, 64);
 *             if (p) {
 *                 p = put_svarint(p, (intptr_t)file);
 *                 p = __recut_special_result(p, fd, old);
 *                 __recut_special_end(put_varint(p, 0));
 *             }
 *             return fd;
 *         }
 *         struct log_reader *log = __recut_special_read(SPECIAL_fileno, HERE);
 *         __recut_special_input(log, "file", (intptr_t)file);
 *         ...
 */
#ifndef RECUT_RUNTIME_SPECIAL_H
#define RECUT_RUNTIME_SPECIAL_H

#include <errno.h>

#include "runtime/env_thread.h"

enum special {
#define SPECIAL(name) SPECIAL_##name,
#define SPECIAL_INNER(name) SPECIAL_##name,
#define SPECIAL_OWN(name) SPECIAL_##name,
#define SPECIAL_LOCALE(name) SPECIAL_##name,
#define SPECIAL_FILTER(name) SPECIAL_##name,
#define SPECIAL_FREE(name) SPECIAL_##name,
#define SPECIAL_OWN_FREE(name) SPECIAL_##name,
#include "runtime/specials.def"
    SPECIAL_COUNT
};

/* Functions that have no stub, or whose stub leads here, have numbers above
 * those of the executable. */
#define SPECIAL_BASE (1u << 20)

/* Where the slot of function `name` leads, NULL if it is none of ours. */
void *__recut_special_find(const char *name);
/* The same while the locale is not "C". */
void *__recut_special_find_locale(const char *name);
/* Does it stay there when a recording ends? */
bool __recut_special_stays(const char *name);
/* May many threads be in it at a time? */
bool __recut_special_is_free(const char *name);
/* Its number, or ENV_NONE. */
uint64_t __recut_special_index(const char *name, size_t length);
const char *__recut_special_name(uint64_t index);

#define HERE section_place((uint64_t)__builtin_return_address(0))

/* Record: begins the event of a call that was made; NULL if nothing is
 * recorded any more. `old` is errno before the call; it is not changed. */
unsigned char *__recut_special_write(enum special special, uint64_t from, int old, size_t bound);
unsigned char *__recut_special_result(unsigned char *p, int64_t result, int old);
/* For a function without a result. */
unsigned char *__recut_special_errno(unsigned char *p, int old);
void __recut_special_end(unsigned char *p);

/* Replay: the event of the call that is made now, ready for its inputs. */
struct log_reader *__recut_special_read(enum special special, uint64_t from);
void __recut_special_input(struct log_reader *log, const char *name, int64_t value);
/* The result; errno gets its value. */
int64_t __recut_special_take_result(struct log_reader *log);
void __recut_special_take_errno(struct log_reader *log);

/* A result of kind "static string": what goes into the log, and the copy that the
 * program gets, which stays. */
unsigned char *__recut_special_string(unsigned char *p, const char *text, char **ret);
char *__recut_special_take_string(struct log_reader *log);

#endif
