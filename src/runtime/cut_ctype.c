/*
 * What do isalpha() and its kind look at in a run of a cut?  See cut.h.
 *
 * libc hands out tables of its own, which a replay has elsewhere, or which are those of another
 * locale. Here both sides get copies at a fixed address.  Where the program may choose a locale,
 * asking for them is a call out of replay space, and what changed since goes into the log with it
 * (cut_effects.c).
 *
 * One set for all threads: with uselocale(), threads may see each other's.
 */
#include <ctype.h>
#include <string.h>

#include "runtime/cut_impl.h"
#include "runtime/hash.h"

enum { below = 128, entries = 384 }; /* EOF and negative characters, too */

static uint16_t classes[entries];
static int32_t lower[entries], upper[entries];
static const uint16_t *class_table = classes + below;
static const int32_t *lower_table = lower + below, *upper_table = upper + below;

/* Is it another table than the one that was copied last? */
static bool refresh(void *copy, const void *original, size_t size) {
    if (memcmp(copy, original, size) == 0)
        return false;
    memcpy(copy, original, size);
    return true;
}

const void *__recut_cut_ctype_classes(void), *__recut_cut_ctype_lower(void),
    *__recut_cut_ctype_upper(void);

const void *__recut_cut_ctype_classes(void) {
    if (__recut_cut_mode != CUT_REPLAY || !class_table['a'])
        refresh(classes, *__ctype_b_loc() - below, sizeof classes);
    return &class_table;
}

const void *__recut_cut_ctype_lower(void) {
    if (__recut_cut_mode != CUT_REPLAY || !lower_table['a'])
        refresh(lower, *__ctype_tolower_loc() - below, sizeof lower);
    return &lower_table;
}

const void *__recut_cut_ctype_upper(void) {
    if (__recut_cut_mode != CUT_REPLAY || !upper_table['a'])
        refresh(upper, *__ctype_toupper_loc() - below, sizeof upper);
    return &upper_table;
}

void *__recut_cut_ctype_find(const char *name) {
    if (strcmp(name, "__ctype_b_loc") == 0)
        return (void *)__recut_cut_ctype_classes;
    if (strcmp(name, "__ctype_tolower_loc") == 0)
        return (void *)__recut_cut_ctype_lower;
    return strcmp(name, "__ctype_toupper_loc") == 0 ? (void *)__recut_cut_ctype_upper : NULL;
}

/* What a call of one of these may have changed. */
struct cut_area __recut_cut_ctype_area(const char *name) {
    static uint64_t seen[3];
    const struct {
        const void *at;
        size_t size;
    } tables[] = {{classes, sizeof classes}, {lower, sizeof lower}, {upper, sizeof upper}};
    unsigned which = name[8] == 'b' ? 0 : strcmp(name, "__ctype_tolower_loc") == 0 ? 1 : 2;
    uint64_t hash = __recut_hash(tables[which].at, tables[which].size);
    if (__atomic_exchange_n(&seen[which], hash, __ATOMIC_RELAXED) == hash)
        return (struct cut_area){NULL, 0};
    return (struct cut_area){tables[which].at, tables[which].size};
}
