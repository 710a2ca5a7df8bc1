/* See nearest.h.  Cost: the product of the lengths for each name. */
#include "base/nearest.h"

#include <string.h>

enum { LONGEST = 64 };

/* At most LONGEST. */
static size_t distance(const char *a, const char *b) {
    size_t row[LONGEST + 1], n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t before = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t least = before + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < least)
                least = row[j] + 1;
            if (row[j - 1] + 1 < least)
                least = row[j - 1] + 1;
            before = row[j];
            row[j] = least;
        }
    }
    return row[m];
}

void nearest_consider(struct nearest *nearest, const char *name) {
    size_t d = name ? distance(nearest->wanted, name) : SIZE_MAX;
    if (d < nearest->distance) {
        nearest->distance = d;
        nearest->name = name;
    }
}

bool nearest_is_near(const struct nearest *nearest) {
    return nearest->name && nearest->distance <= 1 + strlen(nearest->wanted) / 3;
}
