/*
 * Hashes of memory: XXH3, compiled into the runtime, with no name of its own
 * to be seen from outside.
 */
#ifndef RECUT_RUNTIME_HASH_H
#define RECUT_RUNTIME_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t __recut_hash(const void *bytes, size_t count) __attribute__((visibility("hidden")));

#endif
