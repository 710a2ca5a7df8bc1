/*
 * Where traces live, how the next one is called, and what a TRACE argument
 * means.
 *
 *   $RECUT_TRACE_DIR, else $XDG_DATA_HOME/recut, else ~/.local/share/recut
 *       inventory-0/          a trace: the program's name and a number
 *       inventory-1/
 *       latest-trace          symbolic link to the last one that was begun
 *
 * Directories are made with mode 0700: a trace holds what the program read.
 */
#ifndef RECUT_TRACE_DIRECTORY_H
#define RECUT_TRACE_DIRECTORY_H

#include <stdbool.h>

#include "base/error.h"

#define TRACE_LATEST_NAME "latest-trace"

/* The directory of all traces, which may not exist yet; the caller frees. */
struct error *trace_directory(char **ret);

/* Makes the directory of a new trace: NAME-N in trace_directory(), N larger than
 * that of all others, NAME being the last part of the path `program`; or, if it
 * is not NULL, `directory`, which must not exist or be empty.  latest-trace points
 * to it from then on. */
struct error *trace_create(const char *program, const char *directory, char **ret_path);

/* Says that a trace is being recorded, as long as the descriptor is open in any
 * process; it is inherited over exec. */
struct error *trace_hold(const char *path, int *ret_fd);

/* What a TRACE argument means: the path of a trace, or a name in the directory of
 * all traces; NULL is latest-trace.  The caller frees. */
struct error *trace_resolve(const char *argument, char **ret_path);

/* Where a process has a file of its trace (trace.h has the names): what all processes of a
 * program share is in the directory of the first one, above that of a child.  The file need not
 * be there.  The caller frees. */
char *trace_file(const char *directory, const char *name);

/* Is there a trace at this path, whole or damaged: a directory with a file
 * `trace` of recut's, or a packed trace? */
bool trace_is_at(const char *path);

/* Names in the directory of all traces that look like one's, by program and
 * number; NULL-terminated, freed by trace_names_free().  No directory, no names. */
struct error *trace_names(char ***ret);
void trace_names_free(char **names);

/* Lets latest-trace point to the newest trace if what it pointed to is gone. */
struct error *trace_repair_latest(void);

#endif
