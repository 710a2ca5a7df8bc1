/*
 * Memory of the program that somebody else may write while it runs: shared
 * mappings of files, System V segments, and shared anonymous memory once there
 * is a child.
 *
 * Such memory is environment, though it lies among the program's own: what it
 * holds when it is mapped is logged, and what the program then loads from it is
 * logged load by load by the logging variant, which finds the ranges here
 * (access.c).  Without that variant a replay sees what was there at first and
 * what the program itself stored, and the recorded run says so.  Memory hashes
 * leave these ranges out.
 *
 * The table is the same in both modes: it follows from calls of the program.
 */
#ifndef RECUT_RUNTIME_SHARED_H
#define RECUT_RUNTIME_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* This range is shared from now on. */
void __recut_env_shared(const void *address, size_t size);
/* It will be when the program makes a child. */
void __recut_env_shared_by_children(const void *address, size_t size);
void __recut_env_shared_fork(void);
/* It is not, any more: unmapped. */
void __recut_env_unshared(const void *address, size_t size);

/* Does the run log what it loads from there? If not, it says so when it maps some. */
extern bool __recut_env_shared_is_logged;

/* Does any of it lie in a shared range? */
bool __recut_env_is_shared(const void *address, size_t size);
/* Size of the shared range that begins here, 0 if there is none. */
size_t __recut_env_shared_size(const void *address);

#endif
