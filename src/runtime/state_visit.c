/*
 * Where is there memory of the program?  See state.h.
 *
 * Its variables, as they are listed; and what is mapped where only the program's memory lies
 * (format/layout.h), as the kernel tells.
 */
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "runtime/crash.h"
#include "runtime/raw.h"
#include "runtime/state.h"

extern const struct {
    const void *address;
    uint64_t size;
} __recut_state[], __recut_imports[];
extern const uint64_t __recut_state_count, __recut_import_count;

struct window {
    uint64_t low, high;
};

static const struct window windows[] = {
    {RECUT_ARGS_BASE, RECUT_TLS_END},
    {RECUT_TABLES_BASE, RECUT_TABLES_BASE + RECUT_POOL_TABLES},
    {RECUT_MIRROR_BASE, RECUT_MIRROR_END},
    {RECUT_DATA_STACK_TOP - RECUT_STACK_MAX, RECUT_DATA_STACK_TOP},
    {RECUT_DATA_STACK_TOP, RECUT_BRK_END}, /* of contexts, and so on */
};

enum { most_text = 8 << 20 };

/* A line of /proc/self/maps: "from-to rw.. ..."; what is behind it, or NULL. */
static const char *next_mapping(const char *line, struct window *ret, bool *ret_readable) {
    char *end;
    ret->low = strtoull(line, &end, 16);
    if (*end != '-')
        return NULL;
    ret->high = strtoull(end + 1, &end, 16);
    *ret_readable = end[0] == ' ' && end[1] == 'r';
    const char *newline = strchr(end, '\n');
    return newline ? newline + 1 : NULL;
}

bool __recut_state_find_variable(uint64_t address, uint64_t *ret_start, uint64_t *ret_size) {
    for (uint64_t i = 0; i < __recut_state_count; i++) {
        uint64_t start = (uint64_t)__recut_state[i].address;
        if (address - start < __recut_state[i].size) {
            *ret_start = start;
            *ret_size = __recut_state[i].size;
            return true;
        }
    }
    return false;
}

bool __recut_state_find_mapping(uint64_t address, uint64_t *ret_low, uint64_t *ret_high) {
    char *text = raw_scratch(most_text);
    struct window mapping;
    bool is_readable, is_found = false;
    if (!text)
        return false;
    text[__recut_crash_mappings(text, most_text - 1)] = '\0';
    for (const char *line = text;
         !is_found && line && (line = next_mapping(line, &mapping, &is_readable));)
        is_found = is_readable && address >= mapping.low && address < mapping.high;
    raw_scratch_end(text, most_text);
    if (is_found) {
        *ret_low = mapping.low;
        *ret_high = mapping.high;
    }
    return is_found;
}

void __recut_state_visit(void (*visit)(const void *memory, size_t size, void *data), void *data) {
    for (uint64_t i = 0; i < __recut_state_count; i++)
        visit(__recut_state[i].address, __recut_state[i].size, data);
    for (uint64_t i = 0; i < __recut_import_count; i++)
        visit(__recut_imports[i].address, __recut_imports[i].size, data);
    char *text = raw_scratch(most_text);
    if (!text)
        return;
    text[__recut_crash_mappings(text, most_text - 1)] = '\0';
    struct window mapping;
    bool is_readable;
    for (const char *line = text; line && (line = next_mapping(line, &mapping, &is_readable));)
        for (size_t i = 0; is_readable && i < sizeof windows / sizeof *windows; i++) {
            uint64_t low = mapping.low > windows[i].low ? mapping.low : windows[i].low;
            uint64_t high = mapping.high < windows[i].high ? mapping.high : windows[i].high;
            if (low < high)
                visit((const void *)low, high - low, data);
        }
    raw_scratch_end(text, most_text);
}
