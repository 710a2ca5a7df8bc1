/*
 * The environment's variables, for a program that is recorded or replayed.
 *
 * libc keeps what setenv() makes in memory of its own, and programs hold
 * pointers into that; so the same is done here with memory of the pool.  Nothing
 * goes into the log: the environment of a replay begins as the recorded one did
 * (start.c).  `environ` is libc's own variable, so that execv(), tzset() and
 * setlocale() see what the program set.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/environ.h"
#include "runtime/log_write.h"
#include "runtime/mirror.h"
#include "runtime/owned.h"

static char **vector; /* the one that was made here last, if any */

static bool is_name(const char *name) { return name && *name && !strchr(name, '='); }

static char **find(const char *name, size_t length) {
    for (char **at = environ; at && *at; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return at;
    return NULL;
}

/* `text` stays where it is; `length` is that of its name. */
static int put(char *text, size_t length) {
    char **at = find(text, length);
    if (at) {
        *at = text;
        return 0;
    }
    size_t count = 0;
    while (environ && environ[count])
        count++;
    char **grown = owned_realloc(vector, (count + 2) * sizeof *grown);
    if (!grown)
        return -1;
    if (environ != vector)
        memcpy(grown, environ, count * sizeof *grown);
    grown[count] = text;
    grown[count + 1] = NULL;
    environ = vector = grown;
    return 0;
}

static void drop(const char *name, size_t length) {
    for (char **at; (at = find(name, length));)
        for (; (at[0] = at[1]); at++)
            ;
}

char *__recut_special_getenv(const char *), *__recut_special_secure_getenv(const char *);
int __recut_special_setenv(const char *, const char *, int), __recut_special_unsetenv(const char *),
    __recut_special_putenv(char *), __recut_special_clearenv(void);

char *__recut_special_getenv(const char *name) {
    size_t length = strlen(name);
    char **at = length ? find(name, length) : NULL;
    return at ? *at + length + 1 : NULL;
}

/* A program with privileges of its own is not recorded with them. */
char *__recut_special_secure_getenv(const char *name) { return __recut_special_getenv(name); }

int __recut_special_setenv(const char *name, const char *value, int overwrite) {
    if (!is_name(name)) {
        errno = EINVAL;
        return -1;
    }
    size_t length = strlen(name), size = strlen(value) + 1;
    if (!overwrite && find(name, length))
        return 0;
    char *text = owned_malloc(length + 1 + size);
    if (!text)
        return -1;
    memcpy(text, name, length);
    text[length] = '=';
    memcpy(text + length + 1, value, size);
    return put(text, length);
}

int __recut_special_unsetenv(const char *name) {
    if (!is_name(name)) {
        errno = EINVAL;
        return -1;
    }
    drop(name, strlen(name));
    return 0;
}

int __recut_special_putenv(char *text) {
    const char *end = strchr(text, '=');
    if (end)
        return put(text, (size_t)(end - text));
    drop(text, strlen(text));
    return 0;
}

int __recut_special_clearenv(void) {
    if (environ == vector)
        owned_free(vector);
    environ = vector = NULL;
    return 0;
}

/* --- changed by a library ---------------------------------------------------------------- */

enum { most_kept = 1024 };

/* The list before the call. */
static char *kept[most_kept];
static size_t kept_count;
static char **kept_at;

static size_t keep(void) {
    size_t count = 0;
    for (; environ && environ[count] && count < most_kept; count++)
        kept[count] = environ[count];
    return count;
}

void __recut_environ_before(void) {
    kept_at = environ;
    kept_count = keep();
}

bool __recut_environ_changed(size_t *bound) {
    size_t count = 0;
    bool is_same = environ == kept_at;
    for (; environ && environ[count] && count < most_kept; count++)
        is_same &= count < kept_count && environ[count] == kept[count];
    if (is_same && count == kept_count)
        return false;
    *bound += 40;
    for (size_t i = 0; i < count; i++)
        *bound += 20 + strlen(environ[i]);
    return true;
}

/* Which of those that were there it is, counted from 1; 0: none. */
static size_t kept_index(const char *text) {
    for (size_t i = 0; i < kept_count; i++)
        if (kept[i] == text)
            return i + 1;
    return 0;
}

static char **make_list(size_t count) {
    char **made = owned_malloc((count + 1) * sizeof *made);
    if (made)
        made[count] = NULL;
    return made;
}

unsigned char *__recut_environ_put(unsigned char *p) {
    size_t count = 0;
    while (environ && environ[count] && count < most_kept)
        count++;
    char **made = make_list(count);
    p = put_varint(p, count);
    for (size_t i = 0; i < count; i++) {
        size_t index = kept_index(environ[i]), length = strlen(environ[i]);
        p = put_varint(p, index);
        if (!index)
            p = put_bytes(p, environ[i], length);
        if (made)
            made[i] = index ? environ[i] : __recut_mirror_text(environ[i], length);
    }
    if (made)
        environ = vector = made;
    return p;
}

bool __recut_environ_take(struct log_reader *body) {
    kept_count = keep();
    uint64_t count = get_varint(body);
    if (body->damaged || count > most_kept)
        return false;
    char **made = make_list(count);
    for (uint64_t i = 0; made && i < count; i++) {
        uint64_t index = get_varint(body);
        size_t length = 0;
        const unsigned char *text = index ? NULL : get_bytes(body, &length);
        if (body->damaged || index > kept_count)
            return false;
        made[i] = index ? kept[index - 1] : __recut_mirror_text(text, length);
    }
    if (made)
        environ = vector = made;
    return made;
}
