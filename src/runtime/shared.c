/* Which memory may others write?  See shared.h. */
#include "runtime/shared.h"

#include <string.h>

#include "runtime/env.h"
#include "runtime/raw.h"

enum { most_ranges = 1024 };

/* Not sorted: programs have a few. A range that finds no room is forgotten, which
 * costs exactness of that range and nothing else. */
static struct range {
    uint64_t low, high;
    bool by_children; /* only from the first child on */
} ranges[most_ranges];
static unsigned count;

bool __recut_env_shared_is_logged;

static void add(uint64_t low, uint64_t high, bool by_children) {
    if (count < most_ranges && low < high)
        ranges[count++] = (struct range){low, high, by_children};
}

/* Once: from here on others have a say in what the program reads. */
static void say_once(void) {
    static bool is_said;
    if (is_said || __recut_env_mode != ENV_RECORD || __recut_env_shared_is_logged)
        return;
    is_said = true;
    __recut_say("the program maps memory that other processes may write; what they write there "
                "is recorded with `recut record --shared` only",
                NULL);
}

void __recut_env_shared(const void *address, size_t size) {
    add((uint64_t)address, (uint64_t)address + size, false);
    say_once();
}

void __recut_env_shared_by_children(const void *address, size_t size) {
    add((uint64_t)address, (uint64_t)address + size, true);
}

void __recut_env_shared_fork(void) {
    for (unsigned i = 0; i < count; i++) {
        ranges[i].by_children = false;
        say_once();
    }
}

void __recut_env_unshared(const void *address, size_t size) {
    uint64_t low = (uint64_t)address, high = low + size;
    for (unsigned i = 0; i < count;) {
        struct range old = ranges[i];
        if (old.high <= low || old.low >= high) {
            i++;
            continue;
        }
        ranges[i] = ranges[--count];
        if (old.low < low)
            add(old.low, low, old.by_children);
        if (old.high > high)
            add(high, old.high, old.by_children);
    }
}

bool __recut_env_is_shared(const void *address, size_t size) {
    uint64_t low = (uint64_t)address, high = low + size;
    for (unsigned i = 0; i < count; i++)
        if (ranges[i].low < high && ranges[i].high > low && !ranges[i].by_children)
            return true;
    return false;
}

size_t __recut_env_shared_size(const void *address) {
    for (unsigned i = 0; i < count; i++)
        if (ranges[i].low == (uint64_t)address)
            return ranges[i].high - ranges[i].low;
    return 0;
}
