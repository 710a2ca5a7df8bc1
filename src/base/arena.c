/* Memory with one lifetime; see arena.h. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { CHUNK_SIZE = 64 * 1024 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t size;
    alignas(max_align_t) char data[];
};

static void *alloc_aligned(struct arena *arena, size_t size, size_t align) {
    size_t start = (arena->used + align - 1) / align * align;
    if (!arena->chunks || start > arena->chunks->size || size > arena->chunks->size - start) {
        size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;
        struct arena_chunk *chunk = mem_zalloc(1, sizeof *chunk + room);
        chunk->next = arena->chunks;
        chunk->size = room;
        arena->chunks = chunk;
        start = 0;
    }
    arena->used = start + size;
    return arena->chunks->data + start;
}

void *arena_alloc(struct arena *arena, size_t size) {
    return alloc_aligned(arena, size, alignof(max_align_t));
}

char *arena_strndup(struct arena *arena, const char *string, size_t length) {
    char *copy = alloc_aligned(arena, length + 1, 1);
    memcpy(copy, string, length);
    copy[length] = '\0';
    return copy;
}

char *arena_strdup(struct arena *arena, const char *string) {
    return arena_strndup(arena, string, strlen(string));
}

char *arena_printf(struct arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text CLEANUP_FREE = mem_vprintf(format, args);
    va_end(args);
    return arena_strdup(arena, text);
}

void arena_deinit(struct arena *arena) {
    struct arena_chunk *next;
    for (struct arena_chunk *chunk = arena->chunks; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *arena = (struct arena){0};
}
