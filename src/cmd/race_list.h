/*
 * The races that a replay found (runtime/race_report.c): each pair of source places once,
 * in the order of those places.
 */
#ifndef RECUT_CMD_RACE_LIST_H
#define RECUT_CMD_RACE_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "trace/source.h"

/* What led there, the innermost call first. */
struct race_stack {
    VEC(struct source_frame) frames;
};

struct race_side {
    uint32_t thread;
    bool is_write, is_atomic;
    unsigned size;
    struct race_stack stack;
};

struct race {
    uint64_t address;
    enum { race_static, race_heap, race_local } where;
    /* race_heap: the block and who allocated it; race_local: the variable and its function. */
    uint64_t start, size; /* 0: not known */
    uint32_t owner;
    struct race_stack origin;
    struct race_side sides[2];
};

struct race_list {
    VEC(struct race) races;
    bool is_complete; /* else there were too many to tell */
};

/* From the text that the runtime wrote; the frames point into `source`. */
struct error *race_list_read(int fd, struct source *source, struct race_list *ret);
void race_list_deinit(struct race_list *list);

#endif
