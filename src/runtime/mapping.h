/*
 * The program's mappings: where they lie (mapping.c), what those of files and segments hold
 * when a run is recorded (mapping_file.c, mapping_segment.c), and all of it for a hash of memory
 * (mapping_visit.c).
 */
#ifndef RECUT_RUNTIME_MAPPING_H
#define RECUT_RUNTIME_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Bytes that a mapping may have to be recorded. */
#define MAPPING_MOST_CONTENTS ((size_t)512 << 20)

static inline size_t mapping_round_up(size_t size) { return (size + 4095) & ~(size_t)4095; }

static inline size_t mapping_without_zeros(const unsigned char *bytes, size_t size) {
    while (size && bytes[size - 1] == 0)
        size--;
    return size;
}

/* A call of mmap(). */
struct mapping {
    void *address;
    size_t size;
    int protection, flags, fd;
    off_t offset;
    uint64_t from; /* return address */
};

/* Maps as it is asked for, at an address that follows from the calls so far
 * alone. MAP_FAILED and errno if that fails. */
void *__recut_map(const struct mapping *mapping);
/* The same for anonymous memory in the place of something else: readable and
 * writable, at the address that `mapping` would get. */
void *__recut_map_instead(const struct mapping *mapping);

/* A range of the program's window, for a mapping that libc makes; 0 if it is full. */
uint64_t __recut_mapping_take(size_t size);
/* A test has memory there again: what the program maps is elsewhere. */
void __recut_mapping_restore(uint64_t low, uint64_t size);
void __recut_mapping_give(uint64_t low, size_t size);

/* Record and replay: a mapping of a file. */
void *__recut_map_file(const struct mapping *mapping);
/* Does any of it come from a file? */
bool __recut_mapping_is_file(const void *address, size_t size);
/* Replay: if so, the file ends before this address from now on. */
void __recut_mapping_cut(const void *address);
/* Record and replay: such a mapping grew by mremap(), to `size` bytes at `now`: what there is of it
 * behind the first `old_size`. */
struct growth {
    void *old;
    size_t old_size, size;
    int flags;
    void *now;     /* MAP_FAILED, with errno, if it failed */
    int old_errno; /* before the call */
    uint64_t from;
};
void __recut_mapping_grew(const struct growth *growth);
void __recut_mapping_forget_file(const void *address, size_t size);

/* Calls `visit` for every page of the program's mappings and of its brk that
 * holds something, with its address before it. */
void __recut_mapping_visit(void (*visit)(const void *memory, size_t size, void *data), void *data);
/* Where the program's mappings and its brk are. */
struct mapping_windows {
    uint64_t map_low, map_high, brk_low, brk_high;
};
struct mapping_windows __recut_mapping_windows(void);

#endif
