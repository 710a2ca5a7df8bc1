/*
 * Memory with one lifetime: many small things, released together.
 *
 * A zeroed struct arena is empty and ready.  What arena_alloc() returns is
 * zeroed, aligned for any type, and stays where it is until arena_deinit().
 */
#ifndef RECUT_BASE_ARENA_H
#define RECUT_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* newest first */
    size_t used;                /* of the newest */
};

void *arena_alloc(struct arena *arena, size_t size);
char *arena_strndup(struct arena *arena, const char *string, size_t length);
char *arena_strdup(struct arena *arena, const char *string);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void arena_deinit(struct arena *arena);

#endif
