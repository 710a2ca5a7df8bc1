/*
 * Linking an executable that carries its canonical program.
 */
#ifndef RECUT_CC_LINK_H
#define RECUT_CC_LINK_H

#include "cc/args.h"

/* Runs the whole link; *ret_exit is the exit code for the caller's caller. */
struct error *cc_link(const struct cc_args *args, int *ret_exit);

#endif
