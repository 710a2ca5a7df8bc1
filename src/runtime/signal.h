/*
 * The runtime's own signal handler: it reports an overflow of the data stack
 * and of the machine stack, then lets the signal do what it would have done.
 */
#ifndef RECUT_RUNTIME_SIGNAL_H
#define RECUT_RUNTIME_SIGNAL_H

#include <stdint.h>

void __recut_signal_init(void);
/* Gives a new thread a stack for the handler, if it has none. */
void __recut_signal_thread(uint32_t slot);

#endif
