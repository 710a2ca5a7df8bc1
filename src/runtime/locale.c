/* What of the locale counts for a replay?  See locale.h. */
#include "runtime/locale.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/env.h"
#include "runtime/mirror.h"

bool __recut_locale_is_c = true;

/* --- tables ---------------------------------------------------------------------------- */

enum { most_tables = 64 };

/* What the program gets the address of: where the tables of the moment begin. */
struct current {
    const unsigned short *classes;
    const int *lower, *upper;
};

static struct locale_tables *all_tables[most_tables];
static unsigned table_count;
static struct current *current;
static size_t most_bytes = 1; /* MB_CUR_MAX */

void __recut_locale_read(struct locale_tables *to, const unsigned short *classes, const int *lower,
                         const int *upper) {
    memcpy(to->classes, classes - LOCALE_BEFORE_ZERO, sizeof to->classes);
    memcpy(to->lower, lower - LOCALE_BEFORE_ZERO, sizeof to->lower);
    memcpy(to->upper, upper - LOCALE_BEFORE_ZERO, sizeof to->upper);
}

unsigned __recut_locale_add(const struct locale_tables *tables, bool *ret_is_new) {
    *ret_is_new = false;
    for (unsigned i = 0; i < table_count; i++)
        if (memcmp(all_tables[i], tables, sizeof *tables) == 0)
            return i;
    struct locale_tables *copy =
        table_count < most_tables ? __recut_mirror_take(sizeof *copy) : NULL;
    if (!copy)
        return 0;
    *copy = *tables;
    all_tables[table_count] = copy;
    *ret_is_new = true;
    return table_count++;
}

static void set_current(unsigned index) {
    current->classes = all_tables[index]->classes + LOCALE_BEFORE_ZERO;
    current->lower = all_tables[index]->lower + LOCALE_BEFORE_ZERO;
    current->upper = all_tables[index]->upper + LOCALE_BEFORE_ZERO;
}

/* Both runs begin with the tables of "C", which a replay has as well. */
bool __recut_locale_begin(void) {
    if (current)
        return true;
    struct locale_tables tables;
    __recut_locale_read(&tables, *__ctype_b_loc(), *__ctype_tolower_loc(), *__ctype_toupper_loc());
    current = __recut_mirror_take(sizeof *current);
    if (!current)
        return false;
    bool is_new;
    set_current(__recut_locale_add(&tables, &is_new));
    return true;
}

const unsigned short **__recut_special___ctype_b_loc(void);
const int **__recut_special___ctype_tolower_loc(void), **__recut_special___ctype_toupper_loc(void);
size_t __recut_special___ctype_get_mb_cur_max(void);

const unsigned short **__recut_special___ctype_b_loc(void) {
    return __recut_locale_begin() ? &current->classes : __ctype_b_loc();
}
const int **__recut_special___ctype_tolower_loc(void) {
    return __recut_locale_begin() ? &current->lower : __ctype_tolower_loc();
}
const int **__recut_special___ctype_toupper_loc(void) {
    return __recut_locale_begin() ? &current->upper : __ctype_toupper_loc();
}
size_t __recut_special___ctype_get_mb_cur_max(void) { return most_bytes; }

const struct locale_tables *__recut_locale_tables(unsigned index) {
    return index < table_count ? all_tables[index] : NULL;
}

/* --- what is as in "C" ------------------------------------------------------------------- */

static unsigned same_as_c = LOCALE_IS_C | LOCALE_CLASSES_AS_C | LOCALE_NUMBERS_AS_C;

/* Functions that look at nothing but the classes of single bytes, and those that
 * look for a decimal point besides. */
static const char *const by_classes[] = {
    "isalpha",     "isalnum",    "isblank",      "iscntrl",  "isdigit",    "isgraph",
    "islower",     "isprint",    "ispunct",      "isspace",  "isupper",    "isxdigit",
    "toupper",     "tolower",    "_toupper",     "_tolower", "strcasecmp", "__strcasecmp",
    "strncasecmp", "strcasestr", "__strcasestr", "atoi",     "atol",       "atoll",
    "strtol",      "strtoul",    "strtoll",      "strtoull", "strtoimax",  "strtoumax",
    "mbsinit",
};
static const char *const by_numbers[] = {"atof",     "strtod",   "strtof",  "strtold",
                                         "strfromd", "strfromf", "strfroml"};

static bool is_in(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool __recut_locale_is_utf8(void) { return same_as_c & LOCALE_IS_UTF8; }
bool __recut_locale_has_ascii(void) {
    return (same_as_c & LOCALE_IS_UTF8) && (same_as_c & LOCALE_CLASSES_AS_C);
}

static bool is_same(const char *name) {
    if (same_as_c & LOCALE_IS_C)
        return true;
    if (!(same_as_c & LOCALE_CLASSES_AS_C))
        return false;
    return is_in(by_classes, sizeof by_classes / sizeof *by_classes, name) ||
           ((same_as_c & LOCALE_NUMBERS_AS_C) &&
            is_in(by_numbers, sizeof by_numbers / sizeof *by_numbers, name));
}

void __recut_locale_settle(unsigned index, size_t bytes, unsigned flags) {
    set_current(index);
    most_bytes = bytes;
    if (flags == same_as_c)
        return;
    same_as_c = flags;
    __recut_locale_is_c = flags & LOCALE_IS_C;
    __recut_env_locale(is_same);
}

/* --- formats ----------------------------------------------------------------------------- */

bool __recut_locale_changes(const char *format) {
    if (__recut_locale_is_c)
        return false;
    for (const char *at = format; (at = strchr(at, '%')); at++) {
        at++;
        size_t flags = strspn(at, "0123456789-+ #.*$'I");
        if (memchr(at, '\'', flags) || memchr(at, 'I', flags))
            return true;
        at += flags;
        size_t modifiers = strspn(at, "hlqjztL");
        bool is_long = memchr(at, 'l', modifiers) != NULL;
        at += modifiers;
        if (!*at)
            return true;
        if (strchr("mCS", *at) || (is_long && strchr("cs", *at)) ||
            (!(same_as_c & LOCALE_NUMBERS_AS_C) && strchr("aAeEfFgG", *at)))
            return true;
    }
    return false;
}
