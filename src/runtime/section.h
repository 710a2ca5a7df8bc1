/*
 * One thread at a time is in the runtime, while a run with threads is recorded or
 * replayed; in a replay they come in the order in which they came.
 *
 * All state that recorder and replay keep for the whole program (streams, copies of
 * objects, mappings, where descriptors lead) is used inside of a section only, and
 * every call out of the program begins and ends one.  While a call waits for the
 * world the section is left, and entered again when the call comes back:
 *
 *     enter | what goes in | leave ... read() ... enter | what came out, the event | leave
 *
 * Both moments have numbers of one counter (order.h), so that also what threads tell
 * each other by way of the kernel (a pipe, a file) is in order.
 *
 * Calls that come through stubs are guarded in env.c: a stub leads to the guard, which
 * enters the section, puts its own address in the place of the return address and goes
 * on to the function; when that returns, the section is left.  Functions that have no
 * stub do it by themselves:
 *
 *     SECTION(HERE);
 */
#ifndef RECUT_RUNTIME_SECTION_H
#define RECUT_RUNTIME_SECTION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/self.h"

enum { section_most_guarded = 64 };

struct section_state {
    unsigned depth;
    unsigned base;   /* 1: serial, the thread is in the section while it runs (baton.h) */
    bool went_out;   /* record: the section was left in the call that is not logged yet */
    bool is_counted; /* record: its beginning is among the calls that need no log ... */
    uint32_t path;   /* ... and this is what they were before */
    uint64_t skipped;
    /* Functions that were entered through the guard, and where they return to. */
    struct {
        uint64_t place;
        const void *return_slot;
        bool is_answer;
    } guarded[section_most_guarded];
    unsigned guarded_count;
    unsigned atomic_depth; /* atomic.c */
    FILE *held; /* record: the thread has this stream until the section ends (stream.h) */
};

/* Has the program had more than one thread?  Never false again. */
extern bool __recut_is_threaded;

/* Serial: the thread begins to run code of the program, and ends. */
void __recut_section_begin(uint64_t place);
void __recut_section_end(void);

void __recut_section_enter(uint64_t place);
void __recut_section_leave(void);

/* Record: the call gets an event, which says by itself that the section began. */
void __recut_section_uncount(void);

/* Record: the log has the entry, whatever the call will say of itself. */
void __recut_section_tell(void);

/* Record: the call waits for the world; it came back. The depth goes from one to the
 * other. */
unsigned __recut_section_go_out(void);
void __recut_section_come_back(unsigned depth);
/* Replay: as the recorded run did, and again before the call is answered. */
unsigned __recut_section_pass(void);
void __recut_section_return(unsigned depth, uint64_t place);

/* The guard: `return_slot` is on the stack. False: too many within each other.  What an answer for
 * tests returns is kept (answers.h). */
bool __recut_section_guard(uint64_t *return_slot, bool is_answer);
void __recut_section_guarded_return(void); /* not to be called: an address */
/* The program jumped out of functions whose frames are below `stack`. */
void __recut_section_unwind(const void *stack);
/* The call that the thread is in never returns. */
void __recut_section_abandon(void);
/* Where the guarded function was called from that is at work. */
uint64_t __recut_section_place(void);
/* The same of one that returns to `return_address`, which may be the guard. */
static inline uint64_t section_place(uint64_t return_address) {
    bool is_guarded = return_address == (uint64_t)__recut_section_guarded_return;
    return __builtin_expect(is_guarded, 0) ? __recut_section_place() : return_address;
}

static inline void section_end(const bool *is_entered) {
    if (*is_entered)
        __recut_section_leave();
}
#define SECTION(place)                                                                             \
    __attribute__((cleanup(section_end))) bool section_ = __recut_is_threaded && __recut_self.env; \
    if (section_)                                                                                  \
    __recut_section_enter(place)

#endif
