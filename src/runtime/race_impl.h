/* What the files of the race detector share; see race.h. */
#ifndef RECUT_RUNTIME_RACE_IMPL_H
#define RECUT_RUNTIME_RACE_IMPL_H

#include "format/variant.h"
#include "runtime/race.h"

enum {
    race_most_threads = 65536,
    race_most_stack = 24, /* calls of a stack that are told */
};

/* One access to some of eight bytes, the last of its kind by its thread and stack; or an
 * object that orders threads; or the beginning of a heap block or a local. */
struct race_cell {
    uint32_t next;
    uint32_t clock; /* of the thread; RACE_IS_SYNC: the object; RACE_IS_BLOCK: the size */
    uint16_t thread;
    uint8_t mask; /* which of the eight bytes; RACE_IS_SYNC: its first */
    uint8_t kind;
    uint32_t stack;
};

enum { RACE_READS = 1, RACE_WRITES = 2, RACE_IS_ATOMIC = 4, RACE_IS_SYNC = 8, RACE_IS_BLOCK = 16 };

/* One at a time; everything below is used with it. */
void __recut_race_lock(void);
void __recut_race_unlock(void);

/* Memory for ever: zero, and not there before it is used. Ends the replay if there is none. */
void *__recut_race_region(uint64_t size);

/* --- clocks (race_clock.c) ------------------------------------------------------------ */

/* By thread, 0 beyond `size`. */
struct race_clock {
    uint32_t *times;
    uint32_t size;
};

struct race_thread {
    struct race_clock now;
    struct race_clock seen;   /* what relaxed loads saw, for the next fence */
    struct race_clock fenced; /* as it was at the last fence, for relaxed stores */
    uint32_t number;
};

/* Of the calling thread; NULL if it is not the program's. */
extern _Thread_local struct race_thread *__recut_race_self;

static inline uint32_t race_time(const struct race_clock *clock, uint32_t thread) {
    return thread < clock->size ? clock->times[thread] : 0;
}

void __recut_race_clocks_init(void);
/* The object at an address, made if there is none; its number. */
uint32_t __recut_race_object(uint64_t address);
void __recut_race_order(uint32_t object, uint64_t order);

/* --- shadow (race.c) -------------------------------------------------------------------- */

/* The number of the object that is known at an address, made by `make` if there is none. */
uint32_t __recut_race_find(uint64_t address, uint32_t (*make)(void));
void __recut_race_object_free(uint32_t object); /* race_clock.c */
/* The heap block or local that an address is in, and where it begins; NULL if it is not
 * known. */
const struct race_cell *__recut_race_block(uint64_t address, uint64_t *ret_start);

/* --- stacks and reports (race_report.c) --------------------------------------------------- */

struct race_access {
    const struct race_cell *cell; /* the earlier one */
    uint64_t address;             /* of the first byte of both */
    uint8_t mask, kind;           /* of the later one, by the calling thread */
    uint32_t stack;
};

void __recut_race_report_init(int fd);
/* The stack of calls that led to `frame`, whose function returns to the access. */
uint32_t __recut_race_stack(const uint64_t *frame);
/* The same where no more is known than the last call. */
uint32_t __recut_race_place(uint64_t return_address);
void __recut_race_report(const struct race_access *access);
/* Whose data stack or thread-locals those of a slot are now. */
void __recut_race_owner(uint32_t slot, uint32_t number);

#endif
