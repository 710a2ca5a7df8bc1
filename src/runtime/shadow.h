/*
 * The shadow stack (format/shadow.h), and what a replay does with it for `recut test`: each record
 * gets a number, and when that of a wanted one comes, the memory of that moment is kept, by a child
 * process, which has all memory as it was and no hurry.
 */
#ifndef RECUT_RUNTIME_SHADOW_H
#define RECUT_RUNTIME_SHADOW_H

#include <stdbool.h>

#include "format/log.h"
#include "format/shadow.h"

/* A variant was loaded: what it tells of records, if it has any. */
void __recut_shadow_begin(const struct shadow_note *first, const struct shadow_note *end);
const struct shadow_note *__recut_shadow_notes(const struct shadow_note **ret_end);

/* Called by the variant: a function has begun, and this is its record. */
void __recut_shadow_entered(char *record, uint64_t size, char *slot, uint64_t function);

/* Replay: from now on, by this descriptor and these entries (format/capture.h); NULL: what is there
 * when the program fails is written. */
void __recut_shadow_init(int fd, const char *entries);
/* Replay: the program fails like this. */
void __recut_shadow_failed(const struct crash_event *event);
/* Replay: it did not, after all. */
void __recut_shadow_withdraw(void);
/* Replay: it says so; if that was waited for, the replay ends. */
void __recut_shadow_told(const struct crash_event *event, const char *why);

/* Is what happens captured? */
bool __recut_shadow_writes(void);

#endif
