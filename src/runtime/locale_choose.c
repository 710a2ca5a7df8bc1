/*
 * setlocale, newlocale, duplocale, freelocale, uselocale: the calls that change
 * the program's locale, or make one.  See locale.h.
 */
#include <ctype.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>

#include "runtime/locale.h"
#include "runtime/mirror.h"
#include "runtime/special.h"

/* --- locales --------------------------------------------------------------------------- */

/* What the program has, and what libc has, for each locale_t. */
enum { most_locales = 256 };
static struct {
    locale_t copy, real;
    bool is_freed;
} locales[most_locales];
static unsigned locale_count;

static locale_t real_of(locale_t copy) {
    for (unsigned i = 0; i < locale_count; i++)
        if (locales[i].copy == copy)
            return locales[i].real;
    return copy; /* LC_GLOBAL_LOCALE, or none */
}

static locale_t copy_of(locale_t real) {
    for (unsigned i = 0; i < locale_count; i++)
        if (locales[i].real == real)
            return locales[i].copy;
    return real;
}

/* A copy for the program. libc has one object for "C" that is made and freed any
 * number of times, so a place is given away only when there is no other. */
static locale_t new_copy(locale_t real) {
    unsigned i = 0;
    while (i < locale_count && locales[i].real != real)
        i++;
    if (i == most_locales)
        for (i = 0; i < most_locales && !locales[i].is_freed;)
            i++;
    if (i == most_locales)
        return NULL;
    if (i == locale_count) {
        locales[i].copy = __recut_mirror_take(sizeof *locales[i].copy);
        if (!locales[i].copy)
            return NULL;
        locale_count++;
    }
    locales[i].real = real;
    locales[i].is_freed = false;
    return locales[i].copy;
}

static bool is_c_name(const char *name) {
    return strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
}

static bool is_c_now(void) {
    locale_t used = uselocale(NULL);
    if (used == LC_GLOBAL_LOCALE)
        return is_c_name(setlocale(LC_ALL, NULL));
    for (int i = 0; i <= LC_IDENTIFICATION; i++)
        if (i != LC_ALL && !is_c_name(used->__names[i]))
            return false;
    return true;
}

/* The tables of "C" are the first. */
static unsigned flags_now(unsigned tables) {
    const char *point = nl_langinfo(RADIXCHAR);
    return (is_c_now() ? LOCALE_IS_C : 0u) | (tables == 0 ? LOCALE_CLASSES_AS_C : 0u) |
           (strcmp(point, ".") == 0 ? LOCALE_NUMBERS_AS_C : 0u) |
           (strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? LOCALE_IS_UTF8 : 0u);
}

/* --- events ---------------------------------------------------------------------------- */

/* Such an event has one output: svarint number of tables, svarint MB_CUR_MAX,
 * svarint flags, the tables if they are new. */
enum { locale_bound = sizeof(struct locale_tables) + 64 };

static unsigned char *put_tables(unsigned char *p, const struct locale_tables *tables,
                                 unsigned *ret_index) {
    bool is_new;
    unsigned index = __recut_locale_add(tables, &is_new);
    *ret_index = index;
    p = put_svarint(p, index);
    p = put_svarint(p, (int64_t)MB_CUR_MAX);
    p = put_svarint(p, flags_now(index));
    return put_raw(p, tables, is_new ? sizeof *tables : 0);
}

static unsigned char *put_locale(unsigned char *p, const struct locale_tables *tables,
                                 unsigned *ret_index) {
    unsigned char body[locale_bound];
    size_t size = (size_t)(put_tables(body, tables, ret_index) - body);
    return put_bytes(put_varint(p, OUTPUT_LOCALE), body, size);
}

struct taken {
    unsigned index;
    size_t bytes;
    unsigned flags;
};

static struct taken take_locale(struct log_reader *log) {
    struct taken taken = {0, 1, LOCALE_IS_C};
    if (get_varint(log) != 1 || get_varint(log) != OUTPUT_LOCALE)
        log->damaged = true;
    size_t size;
    const unsigned char *bytes = get_bytes(log, &size);
    struct log_reader body = {.at = bytes, .end = bytes + size};
    taken.index = (unsigned)get_svarint(&body);
    taken.bytes = (size_t)get_svarint(&body);
    taken.flags = (unsigned)get_svarint(&body);
    struct locale_tables tables;
    if (body.end - body.at == sizeof tables) {
        memcpy(&tables, body.at, sizeof tables);
        bool is_new;
        if (__recut_locale_add(&tables, &is_new) != taken.index)
            log->damaged = true;
    }
    if (body.damaged || !__recut_locale_tables(taken.index))
        log->damaged = true;
    return taken;
}

static unsigned char *put_text(unsigned char *p, const char *text) {
    size_t length = text ? strlen(text) : 0;
    return put_raw(put_varint(p, text ? 1 + length : 0), text ? text : "", length);
}

static void skip_text(struct log_reader *log) {
    uint64_t coded = get_varint(log);
    get_raw(log, coded ? coded - 1 : 0);
}

/* --- the program's locale ---------------------------------------------------------------- */

char *__recut_special_setlocale(int, const char *);
char *__recut_special_setlocale(int category, const char *name) {
    int old = errno;
    char *result = NULL;
    struct taken taken;
    if (!__recut_locale_begin())
        return NULL;
    if (__recut_env_mode == ENV_RECORD) {
        char *real = setlocale(category, name);
        struct locale_tables tables;
        __recut_locale_read(&tables, *__ctype_b_loc(), *__ctype_tolower_loc(),
                            *__ctype_toupper_loc());
        size_t length = real ? strlen(real) : 0;
        unsigned char *p = __recut_special_write(
            SPECIAL_setlocale, HERE, old, locale_bound + 40 + length + (name ? strlen(name) : 0));
        if (!p)
            return real;
        p = put_text(put_svarint(p, category), name);
        p = __recut_special_string(p, real, &result);
        p = __recut_special_errno(p, old);
        p = put_locale(put_varint(p, 1), &tables, &taken.index);
        __recut_locale_settle(taken.index, MB_CUR_MAX, flags_now(taken.index));
        __recut_special_end(p);
        return result;
    }
    struct log_reader *log = __recut_special_read(SPECIAL_setlocale, HERE);
    __recut_special_input(log, "category", category);
    skip_text(log);
    result = __recut_special_take_string(log);
    errno = old;
    __recut_special_take_errno(log);
    taken = take_locale(log);
    __recut_env_expected(log);
    __recut_locale_settle(taken.index, taken.bytes, taken.flags);
    __recut_env_answered(log);
    return result;
}

/* Fills the program's copy: in a recorded run it works for libc, too. */
static void fill_copy(locale_t copy, locale_t real, unsigned index) {
    if (real)
        *copy = *real;
    const struct locale_tables *tables = __recut_locale_tables(index);
    copy->__ctype_b = tables->classes + LOCALE_BEFORE_ZERO;
    copy->__ctype_tolower = tables->lower + LOCALE_BEFORE_ZERO;
    copy->__ctype_toupper = tables->upper + LOCALE_BEFORE_ZERO;
}

/* An event of newlocale or duplocale; the inputs differ. */
struct making {
    enum special special;
    uint64_t from;
    int old_errno;
    bool is_new;
    int mask;
    const char *name;
    locale_t base;
};

static locale_t made(const struct making *making, locale_t real) {
    locale_t copy = real ? new_copy(real) : NULL;
    struct locale_tables tables = *__recut_locale_tables(0);
    if (real)
        __recut_locale_read(&tables, real->__ctype_b, real->__ctype_tolower, real->__ctype_toupper);
    unsigned char *p =
        __recut_special_write(making->special, making->from, making->old_errno,
                              locale_bound + 80 + (making->name ? strlen(making->name) : 0));
    if (!p)
        return real;
    if (making->is_new)
        p = put_text(put_svarint(p, making->mask), making->name);
    p = put_svarint(p, (intptr_t)making->base);
    p = __recut_special_result(p, (intptr_t)copy, making->old_errno);
    unsigned index;
    p = put_locale(put_varint(p, 1), &tables, &index);
    if (copy)
        fill_copy(copy, real, index);
    __recut_special_end(p);
    return copy;
}

static locale_t made_again(const struct making *making) {
    struct log_reader *log = __recut_special_read(making->special, making->from);
    if (making->is_new) {
        __recut_special_input(log, "mask", making->mask);
        skip_text(log);
    }
    __recut_special_input(log, "locale", (intptr_t)making->base);
    locale_t result = (locale_t)__recut_special_take_result(log);
    struct taken taken = take_locale(log);
    __recut_env_expected(log);
    if (result) {
        /* Any number that is not used serves as libc's. */
        locale_t copy = new_copy((locale_t)((intptr_t)result | 1));
        if (copy != result)
            __recut_replay_damaged(log);
        fill_copy(copy, NULL, taken.index);
    }
    __recut_env_answered(log);
    return result;
}

static void forget_locale(locale_t copy) {
    for (unsigned i = 0; i < locale_count; i++)
        if (locales[i].copy == copy)
            locales[i].is_freed = true;
}

#define NEW(name_of)                                                                               \
    locale_t __recut_special_##name_of(int, const char *, locale_t);                               \
    locale_t __recut_special_##name_of(int mask, const char *name, locale_t base) {                \
        struct making making = {SPECIAL_##name_of, HERE, errno, true, mask, name, base};           \
        if (!__recut_locale_begin())                                                               \
            return NULL;                                                                           \
        if (__recut_env_mode == ENV_REPLAY)                                                        \
            return made_again(&making);                                                            \
        locale_t real = newlocale(mask, name, real_of(base));                                      \
        return __recut_env_mode == ENV_OFF ? real : made(&making, real);                           \
    }
NEW(newlocale)
NEW(__newlocale)

#define DUPLICATE(name_of)                                                                         \
    locale_t __recut_special_##name_of(locale_t);                                                  \
    locale_t __recut_special_##name_of(locale_t base) {                                            \
        struct making making = {SPECIAL_##name_of, HERE, errno, false, 0, NULL, base};             \
        if (!__recut_locale_begin())                                                               \
            return NULL;                                                                           \
        if (__recut_env_mode == ENV_RECORD)                                                        \
            return made(&making, duplocale(real_of(base)));                                        \
        return made_again(&making);                                                                \
    }
DUPLICATE(duplocale)
DUPLICATE(__duplocale)

/* Nothing that a replay would need to be told. */
#define FREE(name_of)                                                                              \
    void __recut_special_##name_of(locale_t);                                                      \
    void __recut_special_##name_of(locale_t locale) {                                              \
        int old = errno;                                                                           \
        if (__recut_env_mode != ENV_REPLAY)                                                        \
            freelocale(real_of(locale));                                                           \
        forget_locale(locale);                                                                     \
        errno = old;                                                                               \
    }
FREE(freelocale)
FREE(__freelocale)

static locale_t use(enum special special, uint64_t from, locale_t locale) {
    int old = errno;
    struct taken taken;
    if (__recut_env_mode == ENV_OFF)
        return copy_of(uselocale(real_of(locale)));
    if (!__recut_locale_begin())
        return NULL;
    if (__recut_env_mode == ENV_RECORD) {
        locale_t result = copy_of(uselocale(real_of(locale)));
        struct locale_tables tables;
        __recut_locale_read(&tables, *__ctype_b_loc(), *__ctype_tolower_loc(),
                            *__ctype_toupper_loc());
        unsigned char *p = __recut_special_write(special, from, old, locale_bound + 80);
        if (!p)
            return result;
        p = __recut_special_result(put_svarint(p, (intptr_t)locale), (intptr_t)result, old);
        p = put_locale(put_varint(p, 1), &tables, &taken.index);
        __recut_locale_settle(taken.index, MB_CUR_MAX, flags_now(taken.index));
        __recut_special_end(p);
        return result;
    }
    struct log_reader *log = __recut_special_read(special, from);
    __recut_special_input(log, "locale", (intptr_t)locale);
    locale_t result = (locale_t)__recut_special_take_result(log);
    taken = take_locale(log);
    __recut_env_expected(log);
    __recut_locale_settle(taken.index, taken.bytes, taken.flags);
    __recut_env_answered(log);
    return result;
}

#define USE(name_of)                                                                               \
    locale_t __recut_special_##name_of(locale_t);                                                  \
    locale_t __recut_special_##name_of(locale_t locale) {                                          \
        return use(SPECIAL_##name_of, HERE, locale);                                               \
    }
USE(uselocale)
USE(__uselocale)
