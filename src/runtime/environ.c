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
