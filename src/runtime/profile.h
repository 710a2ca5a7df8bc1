/*
 * Counters of the profile variant: a row of a shared file for each thread.
 */
#ifndef RECUT_RUNTIME_PROFILE_H
#define RECUT_RUNTIME_PROFILE_H

#include <stdbool.h>

struct variant_header;

/* Maps the file that the tool prepared; says why not and returns false. */
bool __recut_profile_init(const struct variant_header *header, const char *path);

/* Called by the variant in a thread that has no counters yet (attach.S). */
void __recut_profile_attach_here(void);

#endif
