/* Who cleans up when a thread ends?  pthread_exit(), pthread_cancel() and
 * pthread_cleanup_push(), in runs that are recorded or replayed. */
#ifndef RECUT_RUNTIME_CLEANUP_H
#define RECUT_RUNTIME_CLEANUP_H

#include <stdbool.h>

/* The thread ends with this result, once the functions that are to clean up have run. */
void __recut_cleanup_end(void *result) __attribute__((noreturn));

/* Does it end by itself?  False while it ends because libc cancelled it. */
bool __recut_cleanup_is_ending(void);

/* The thread is gone. */
void __recut_cleanup_done(void);

#endif
