/*
 * What a program wants done around a fork(): pthread_atfork().
 *
 * libc would do it inside of fork(): a replay does not call that, and a child would run code
 * of the program before it has a log of its own.  So the runtime keeps the list, and
 * process.c calls what is on it before and after, as code of the program like any other.
 * Where libc forks for itself, or when nothing is recorded any more, libc calls the same list.
 */
#ifndef RECUT_RUNTIME_PROCESS_HANDLERS_H
#define RECUT_RUNTIME_PROCESS_HANDLERS_H

#include <stdbool.h>

/* Before a fork(): the last first. */
void __recut_handlers_prepare(void);
/* After it: the first first. */
void __recut_handlers_parent(void);
void __recut_handlers_child(void);
/* libc does not call them for the calling thread, or does again. */
void __recut_handlers_rest(bool rest);

#endif
