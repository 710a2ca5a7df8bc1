/*
 * Of many names, the one that is nearest to what somebody wrote.
 *
 *     struct nearest nearest = nearest_to(wanted);
 *     for (...)
 *         nearest_consider(&nearest, name);
 *     if (nearest_is_near(&nearest))
 *         ... did you mean nearest.name?
 */
#ifndef RECUT_BASE_NEAREST_H
#define RECUT_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nearest {
    const char *wanted, *name; /* `name`: the nearest seen so far, or NULL */
    size_t distance;           /* letters to insert, delete or change */
};

static inline struct nearest nearest_to(const char *wanted) {
    return (struct nearest){wanted, NULL, SIZE_MAX};
}
/* `name` may be NULL, and must outlive the search. */
void nearest_consider(struct nearest *nearest, const char *name);
/* Is it so near that somebody may have meant it? */
bool nearest_is_near(const struct nearest *nearest);

#endif
