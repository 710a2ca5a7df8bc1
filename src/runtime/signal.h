/*
 * The runtime's own signal handler: it reports an overflow of the data stack
 * and of main's machine stack, then lets the signal do what it would have done.
 */
#ifndef RECUT_RUNTIME_SIGNAL_H
#define RECUT_RUNTIME_SIGNAL_H

void __recut_signal_init(void);

#endif
