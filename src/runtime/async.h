/*
 * Signals that come from outside while a run is recorded, and where their handlers run.
 *
 * A handler may run anywhere, and a replay has to run it there.  So it runs at places that
 * a replay can find again:
 *
 *   in a call   that waits for the world: at once, as a call into the program (ENTER);
 *   at a call   the next one of the program's: a SIGNAL event stands before it;
 *   at a tick   in serial mode (baton.h): at the next one, which the event names.
 *
 * Until then the runtime keeps the signal.  If none of these comes for a while, as in a loop
 * that only computes, the handler runs where the program is, and recording ends with a line
 * that says so: a program is never made to wait for its signals because it is recorded.
 *
 * A handler gets a copy of what the kernel says of the signal, at an address that is the
 * same in a replay, and an empty context.
 *
 * Signals that a program sends to itself are its own doing (kill.c), and so are faults
 * (signal.c, crash.c).
 */
#ifndef RECUT_RUNTIME_ASYNC_H
#define RECUT_RUNTIME_ASYNC_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Room for what a handler is shown of a signal. */
enum { async_most = 64, async_shown_size = 1280 };

struct async_state {
    uint32_t begin, end; /* of those that wait, in `signals`, modulo async_most */
    siginfo_t signals[async_most];
    uint32_t depth;            /* handlers that are at work, each within another */
    uint64_t called, events;   /* where the last call came from; what the log had then */
    bool is_shown;             /* replay: for the call into the program that comes next */
    bool is_sending;           /* the thread sends one to itself */
    bool is_armed;             /* serial: the next tick is not by count */
    int32_t ticks;             /* ... and this is the count before that */
    bool is_ticking;           /* none is let in until the tick ends */
    bool is_entering;          /* a handler is about to be entered from outside */
    sigset_t within;           /* ... and this is blocked then */
    const sigset_t *call_mask; /* blocked during the call that the thread is in, if that is other */
    bool is_full;              /* no signal is let in */
    sigset_t mask;             /* ... and this is what the program lets in */
    int64_t since;             /* when the first of them came, in nanoseconds */
    int timer, timer_signal;   /* that reminds of them, and with what; 0: there is none */
};

/* sigaction() for a signal that can come from outside. */
int __recut_async_sigaction(int number, const struct sigaction *action, struct sigaction *old);

/* The program's handler, if libc says that `handler` is installed. */
void (*__recut_async_seen(int number, void (*handler)(int)))(int);

/* What the kernel calls instead of the program's handler. */
void __recut_async_on_signal(int number, siginfo_t *info, void *context);

/* A safe place: the program makes a call. */
void __recut_async_at_call(uint64_t place);
/* The same in record, for one that just went outside. */
void __recut_async_outside(void);
/* Record: the handler of one that came outside is in the log as entered. */
void __recut_async_entered(void);
/* A tick that took `weight` off the count: false if it was made for signals alone, and is
 * over.  Until it ends, none comes. */
bool __recut_async_tick_begins(int32_t weight, sigset_t *mask);
void __recut_async_tick_ends(const sigset_t *mask);
/* In between: the count begins anew. */
void __recut_async_set_count(int32_t count);
/* A child of fork: what waits is its parent's. */
void __recut_async_forked(void);
/* Replay: what the handler sees that a call into the program is about to run. */
struct log_reader;
void __recut_async_show(struct log_reader *log);
/* Replay, serial: the next event may be a signal at a tick. */
void __recut_async_expect(void);

static inline bool async_waits(const struct async_state *state) {
    return __atomic_load_n(&state->end, __ATOMIC_RELAXED) != state->begin;
}

#endif
