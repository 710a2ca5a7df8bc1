/*
 * Which files of a link carry bitcode, and which members of archives do.
 */
#ifndef RECUT_PROGRAM_OBJECTS_H
#define RECUT_PROGRAM_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/mem.h"

enum object_kind {
    OBJECT_NATIVE,  /* no bitcode inside */
    OBJECT_BITCODE, /* an ELF object with one bitcode module, or bitcode itself */
    OBJECT_SEVERAL, /* several modules in one object, as `ld -r` leaves them */
    OBJECT_ARCHIVE,
    OBJECT_OTHER, /* shared library, linker script: the linker's business */
};

struct error *object_classify(const char *path, enum object_kind *ret);

/* The bitcode of an ELF object (or of a bitcode file) in memory. */
bool object_find_bitcode(const char *data, size_t size, const char **ret, size_t *ret_size);

/* Length of the first bitcode module in a run of modules, 0 if there is none. */
size_t bitcode_module_length(const char *data, size_t size);

/* Writes an archive of the members that have no bitcode, for the linker that
 * gets the others in another form; *ret_native and *ret_with_bitcode count
 * both.  Nothing is written if all members are of one kind. */
struct error *archive_write_native(const char *path, const char *filtered_path, size_t *ret_native,
                                   size_t *ret_with_bitcode);

/* If a member holds several modules: all members as files in `directory`, which
 * the caller frees; else none. */
struct error *archive_expand_several(const char *path, const char *directory, char ***ret_files,
                                     size_t *ret_count);

#endif
