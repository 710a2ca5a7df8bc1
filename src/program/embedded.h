/*
 * The canonical program inside an executable: writing it, finding it, checking
 * it.  The parser trusts nothing: it is the target of test/fuzz.
 */
#ifndef RECUT_PROGRAM_EMBEDDED_H
#define RECUT_PROGRAM_EMBEDDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/program_section.h"

struct embedded {
    uint8_t build_id[BUILD_ID_SIZE];
    char *bitcode;
    size_t bitcode_size;
    uint64_t *table; /* address of function or global i, 0 if it has none */
    size_t table_count;
    int64_t self_offset;
    char **needed; /* shared libraries that the executable loads; NULL-terminated */
    bool is_static;
};

/* Packs bitcode into the contents of .recut.program; the caller frees. */
void embedded_pack(const void *bitcode, size_t size, char **ret_data, size_t *ret_size,
                   uint8_t ret_build_id[BUILD_ID_SIZE]);

/* Checks and unpacks the contents of .recut.program. */
struct error *embedded_unpack(const void *data, size_t size, struct embedded *ret);

/* Reads the sections of an executable. */
struct error *embedded_open(const char *path, struct embedded *ret);
void embedded_deinit(struct embedded *embedded);

/* Only which build an executable is; the rest of its sections is not looked at. */
struct error *embedded_build_id(const char *path, uint8_t ret[BUILD_ID_SIZE]);

/* The same, and a hash of where the linker put its functions and variables, which the build does
 * not decide. */
struct error *embedded_layout(const char *path, uint8_t ret_build_id[BUILD_ID_SIZE],
                              uint64_t *ret_places);

/* The functions of the environment that an executable uses: names one after the
 * other, each with its NUL. The caller frees. */
struct error *embedded_environment(const char *path, char **ret_names, size_t *ret_size);

#endif
