/*
 * The locale of a program that is recorded or replayed.
 *
 * A replay never opens a locale: libc's own stays "C" in it.  While the program's
 * is "C" too, functions of class `locale` are called in both runs and nothing is
 * logged.  From the call on that chooses another, in both runs the slots of those
 * that may do something else in it lead to the generic code, which logs what they
 * do, and back when the program returns to "C".  Most locales, and all that are
 * UTF-8, have the character classes of "C" for single bytes, many its numbers:
 * what depends on nothing more is not logged.  What printf() and its relatives
 * make is logged as text where the format has something in it that the locale
 * changes.
 *
 * Tables of character classes are logged once for each locale, and the program
 * sees copies (mirror.h), at the same addresses in both runs.  A locale_t is such
 * a copy, too, since macros of <ctype.h> look into it; for libc it is as good as
 * its own.
 */
#ifndef RECUT_RUNTIME_LOCALE_H
#define RECUT_RUNTIME_LOCALE_H

#include <stdbool.h>
#include <stddef.h>

/* The program's locale is "C" in all categories. */
extern bool __recut_locale_is_c;

/* It is UTF-8, or at least has the characters of ASCII as in "C". */
bool __recut_locale_is_utf8(void);
bool __recut_locale_has_ascii(void);

/* May what printf() makes of this format be different in a replay? */
bool __recut_locale_changes(const char *format);

/* --- between locale.c and locale_choose.c --- */

enum { LOCALE_ENTRIES = 384, LOCALE_BEFORE_ZERO = 128 };

/* As <ctype.h> has them; index 0 is LOCALE_BEFORE_ZERO. */
struct locale_tables {
    unsigned short classes[LOCALE_ENTRIES];
    int lower[LOCALE_ENTRIES], upper[LOCALE_ENTRIES];
};

/* What of a locale is as in "C", and its code. */
enum locale_flags {
    LOCALE_IS_C = 1,
    LOCALE_CLASSES_AS_C = 2,
    LOCALE_NUMBERS_AS_C = 4,
    LOCALE_IS_UTF8 = 8,
};

/* Both runs begin with the tables of "C", number 0. False without memory. */
bool __recut_locale_begin(void);
void __recut_locale_read(struct locale_tables *to, const unsigned short *classes, const int *lower,
                         const int *upper);
/* The number of such tables; the same ones have the same number. */
unsigned __recut_locale_add(const struct locale_tables *tables, bool *ret_is_new);
const struct locale_tables *__recut_locale_tables(unsigned number);
/* The program's locale is this from now on. */
void __recut_locale_settle(unsigned tables, size_t most_bytes, unsigned flags);

#endif
