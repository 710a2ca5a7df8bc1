/*
 * Making a trace portable, and using one that was (archive.h has the format).
 */
#ifndef RECUT_TRACE_PACK_H
#define RECUT_TRACE_PACK_H

#include <stdbool.h>

#include "base/error.h"
#include "trace/trace.h"

/* Packs a trace with its executable and the libraries that the dynamic linker
 * would load for it now.  The executable must still be the one that was recorded. */
struct error *pack_write(const struct trace *trace, const char *output);

/* Is there a packed trace at this path? */
bool pack_is_at(const char *path);

/* Unpacks into $XDG_CACHE_HOME/recut/packed/HASH (else ~/.cache/...), once for the
 * same contents; the directory that it is in is the caller's to free. */
struct error *pack_unpack(const char *path, char **ret_directory);

/* Removes what pack_unpack() has left of this file, if anything. */
struct error *pack_forget(const char *path);

#endif
