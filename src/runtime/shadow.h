/*
 * The shadow stack of each thread (format/shadow.h), and what a replay does with it for
 * `recut test`: it tells which frames are there when the program fails, and keeps the memory of
 * the moment at which the function of such a frame begins.
 *
 * The latter is done by a child process, which has all memory as it was and no hurry.
 */
#ifndef RECUT_RUNTIME_SHADOW_H
#define RECUT_RUNTIME_SHADOW_H

#include "format/shadow.h"

/* A variant with such code was loaded: this thread, and those that come, get a stack. */
void __recut_shadow_begin(void);
void __recut_shadow_attach(void);

/* Called by the variant: a frame is whole. */
void __recut_shadow_entered(struct shadow_frame *frame);

/* Replay: from now on, by this descriptor and these entries (format/capture.h); NULL: it is to
 * be found out which are wanted. */
void __recut_shadow_init(int fd, const char *entries);
/* Replay: the program fails here. */
void __recut_shadow_failed(void);

#endif
