/*
 * Files and child processes, for the tools.
 */
#ifndef RECUT_BASE_IO_H
#define RECUT_BASE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The whole file; *ret_data has a NUL behind its last byte and is freed by the
 * caller. */
struct error *io_read_file(const char *path, char **ret_data, size_t *ret_size);

/* The whole file, read as it is looked at; what is changed is changed in memory alone.  It must not
 * get shorter; the caller unmaps. */
struct error *io_map_file(const char *path, char **ret_data, size_t *ret_size);
void io_unmap(char *data, size_t size);

/* Writes a new file or replaces an old one; a failure leaves no part behind. */
struct error *io_write_file(const char *path, const void *data, size_t size);

/* The same with the contents of another file, and executable. */
struct error *io_copy_program(const char *from, const char *to);

/* The same file by another name, if the file system has that: nobody writes into it. */
struct error *io_share_program(const char *from, const char *to);

/* A new private directory below $TMPDIR (or /tmp); removed with
 * io_remove_tree(). */
struct error *io_make_temp_dir(char **ret_path);
void io_remove_tree(const char *path);

/* Creates a directory and its parents, mode 0700. */
struct error *io_make_dirs(const char *path);

/* The directory that holds the running tool, and a file that is installed with
 * it: searched in ../lib/recut and, in a build tree, next to bin/. */
struct error *io_find_installed(const char *name, char **ret_path);

/*
 * Runs a program and waits.  With `capture`, what it writes to stdout and
 * stderr is collected (NUL-terminated) instead of passed on.
 */
struct io_child {
    int exit_code;   /* 128 + signal when killed */
    char *out, *err; /* only with capture; owned by the struct */
};
struct error *io_run(char *const argv[], bool capture, struct io_child *ret);
void io_child_deinit(struct io_child *child);

#endif
