/*
 * A packed trace: one file with everything that a replay needs elsewhere.
 *
 *   zstd skippable frame with the mark "RECUTPK1"
 *   zstd frame with a tar file (POSIX ustar):
 *       trace, models, variant        the trace
 *       process, log.0 ...            its first process
 *       program                       its executable
 *       lib/NAME                      its libraries, the dynamic linker among them
 *       pid.4711/process, log.0 ...   a child
 *       exec/...                      what the process became: all of these again; likewise
 *                                     pid.4711/exec/...
 *       pid.4712/...                  a program that something else started: all of these again
 *
 * An executable or a library that came before under another name is a link to that.
 * So `tar --zstd -xf FILE` unpacks it too.  The reader takes these names alone, each once,
 * and plain files and such links alone, so that nothing in an archive can name a
 * place outside of it; and no more than ARCHIVE_MAX_SIZE bytes in all.
 */
#ifndef RECUT_TRACE_ARCHIVE_H
#define RECUT_TRACE_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "trace/bytes.h"
#include "trace/tar.h"

#define ARCHIVE_MARK "RECUTPK1"
#define ARCHIVE_MARK_SIZE 16 /* of the frame that holds it */
#define ARCHIVE_MAX_SIZE (16ULL << 30)
#define ARCHIVE_MAX_FILES 10000

/* Is this what an archive begins with? */
bool archive_has_mark(const uint8_t begin[ARCHIVE_MARK_SIZE]);

/* May a file in an archive have this name? */
bool archive_is_name(const char *name);

/* Writing, to a stream that the caller opens and closes. */
struct archive_writer;
struct archive_writer *archive_writer_new(FILE *out);
void archive_writer_free(struct archive_writer *writer);
/* Adds a file; `is_program` makes it executable, and a link if it is there already. */
struct error *archive_add(struct archive_writer *writer, const char *name, const char *path,
                          bool is_program);
struct error *archive_finish(struct archive_writer *writer);

/* Reading: from a stream, or from the bytes of a plain tar file (for tests). */
struct archive_entry {
    char name[TAR_NAME_SIZE];
    char link[TAR_LINK_SIZE]; /* a file that came before and is the same; empty if none is */
    uint64_t size;
    bool is_program;
};
struct archive_reader;
struct archive_reader *archive_reader_new(FILE *in);
struct archive_reader *archive_reader_new_plain(struct bytes tar);
void archive_reader_free(struct archive_reader *reader);
/* The next file; *ret_is_end instead if there is none. */
struct error *archive_next(struct archive_reader *reader, struct archive_entry *ret,
                           bool *ret_is_end);
/* The next bytes of the present file; 0 at its end. */
struct error *archive_read(struct archive_reader *reader, void *data, size_t size,
                           size_t *ret_size);

#endif
