/*
 * Variants: another build of some of the program's functions, mapped at start
 * and patched over the entries of the originals.
 */
#ifndef RECUT_RUNTIME_VARIANT_H
#define RECUT_RUNTIME_VARIANT_H

#include <stdbool.h>

#include <stdint.h>

#include "format/variant.h"

/* Loads the variant that $RECUT_VARIANT names, if it belongs to this build. A
 * variant that cannot be loaded is reported, and the program runs without. */
void __recut_variant_load(char **envp);

/* The kind of the variant that was loaded (enum variant_kind), 0 if none was. */
extern uint64_t __recut_variant_kind;

/* In a handler: was it an access of the variant's own, that may fail?  Then the thread goes on
 * behind it. */
bool __recut_variant_fault(void *context);

#endif
