/*
 * Threads of a program, and the memory that more than one of them touches.
 *
 * A thread is the code that runs from main(), from what one function gives to
 * pthread_create() or thrd_create(), or from a function that the environment enters
 * when it likes: a handler of signals, a callback that some library keeps, what is to run when
 * the program or a thread ends.  Each but that of main() may be there several times at once.
 *
 *     struct threads *threads = threads_build(effects);
 *     if (threads_share(threads, cell)) ...
 *
 * What is not told here: the order that creating, joining and locks give.
 */
#ifndef RECUT_ANALYSIS_THREADS_H
#define RECUT_ANALYSIS_THREADS_H

#include "analysis/effects.h"

struct threads;

struct threads *threads_build(struct effects *effects);
void threads_free(struct threads *threads);

/* Thread 0 is main's. */
uint32_t threads_count(const struct threads *threads);
/* Where a thread begins; NO_ID of main's. */
function_id threads_entry(const struct threads *threads, uint32_t thread);

/* Is it main(), or does it run before it? */
bool threads_is_main(const struct threads *threads, function_id function);

/* May a thread read from the cell what another has written, with neither waiting for
 * the other to begin or end? */
bool threads_share(const struct threads *threads, uint32_t cell);

/* Does a thread that begins there run last: what it leaves in memory is seen by no thread that was
 * there before?  A handler of signals that never returns, what atexit() was given. */
bool threads_is_last(const struct threads *threads, function_id entry);
/* Are all but main's such as interrupt it: handlers of signals, and what runs when the program
 * ends? Then what is interrupted stands still until the other returns. */
bool threads_are_interrupts(const struct threads *threads);
/* May something be left in the cell by a thread that is neither main's nor one of the last? */
bool threads_is_left(const struct threads *threads, uint32_t cell);

/* The only place that a pointer can lead to, if it is in an object of which there is one, a global
 * or a local of main(): object << 32 | offset.  THREADS_NO_OBJECT if it is not so. */
#define THREADS_NO_OBJECT UINT64_MAX
uint64_t threads_single_object(const struct program *program, const struct pta *pta,
                               value_id pointer);

/* The name of a function without what recut puts in front. */
const char *threads_plain_name(const struct program *program, function_id function);
/* Is it a call that may enter one of these, or that enters nothing else? */
bool threads_calls(const struct program *program, const struct pta *pta, instruction_id call,
                   const char *const *names);
bool threads_only_calls(const struct program *program, const struct pta *pta, instruction_id call,
                        const char *const *names);
/* Does the call create a thread, or wait for the end of one?  What is given to atexit() or
 * signal() counts as a thread: it begins no sooner than that, and nobody waits for it. */
bool threads_is_create(const struct program *program, const struct pta *pta, instruction_id call);
/* The same, of a program whose threads are known: those who ask of each call again and again. */
bool threads_creates(const struct threads *threads, instruction_id call);
bool threads_is_join(const struct program *program, const struct pta *pta, instruction_id call);
/* Does it give a function to the environment, to be called later?  One for signals? */
bool threads_is_registration(const struct program *program, const struct pta *pta,
                             instruction_id call);
bool threads_is_handler(const struct program *program, const struct pta *pta, instruction_id call);
/* Does it send a signal, now or later? */
bool threads_is_sending(const struct program *program, const struct pta *pta, instruction_id call);
/* For what threads keep by a key?  Does the call keep something by one? */
bool threads_is_key(const struct program *program, const struct pta *pta, instruction_id call);
bool threads_is_keeping(const struct program *program, const struct pta *pta, instruction_id call);
/* Does it wait for something that another thread sends: a condition, a semaphore, a barrier? */
bool threads_is_wait(const struct program *program, const struct pta *pta, instruction_id call);
/* Does it wait for what another thread sends through a pipe or a pair of sockets?  Reading does, in
 * a program that makes some. */
bool threads_may_receive(const struct threads *threads, instruction_id call);
/* Does it cancel a thread?  May a thread that is cancelled end in it? */
bool threads_is_cancel(const struct program *program, const struct pta *pta, instruction_id call);
bool threads_is_cancelled_at(const struct threads *threads, instruction_id call);
/* Does the program make processes by fork()?  Does the call wait for such a one to end? */
bool threads_has_forks(const struct threads *threads);
bool threads_is_wait_for_child(const struct threads *threads, instruction_id call);
/* Does it end the thread that calls it, with its argument as the result? */
bool threads_is_exit(const struct program *program, const struct pta *pta, instruction_id call);

#endif
