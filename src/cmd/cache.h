/*
 * Where is kept what can be made again: $RECUT_CACHE_DIR, else $XDG_CACHE_HOME/recut, else
 * ~/.cache/recut; a folder in it for each kind of thing.
 */
#ifndef RECUT_CMD_CACHE_H
#define RECUT_CMD_CACHE_H

#include <stdint.h>

/* The folder, which exists afterwards if it can be made.  The caller frees. */
char *cache_folder(const char *name);

/* A number for this build of the tools: another makes other things. */
uint64_t cache_tool_identity(void);

/* Removes the oldest files of a folder until the rest is no more than so many bytes, but for the
 * newest. */
void cache_trim(const char *folder, uint64_t most);

#endif
