/*
 * Making a trace portable, and using one that was (archive.h has the format).
 */
#ifndef RECUT_TRACE_PACK_H
#define RECUT_TRACE_PACK_H

#include <stdbool.h>

#include "base/error.h"
#include "trace/processes.h"
#include "trace/trace.h"

/* Packs all processes of a trace, with their executables and the libraries that the dynamic
 * linker would load for them now.  An executable that does not pass pack_check_program() is left
 * out, unless it is that of the first process, whose caller has checked it. */
struct error *pack_write(const struct trace_processes *processes, const char *output);

/* Is the executable still there, and the one that was recorded? */
struct error *pack_check_program(const struct trace *trace);

/* Is there a packed trace at this path? */
bool pack_is_at(const char *path);

/* Unpacks into $XDG_CACHE_HOME/recut/packed/HASH (else ~/.cache/...), once for the
 * same contents; the directory that it is in is the caller's to free. */
struct error *pack_unpack(const char *path, char **ret_directory);

/* Removes what pack_unpack() has left of this file, if anything. */
struct error *pack_forget(const char *path);

#endif
