/*
 * From addresses in an executable to its source: function, file and line.
 *
 * By its debugging information where there is any, and with it also the
 * functions that were inlined; else by its symbols; else not at all.  Answers are
 * kept, so that asking again is cheap.
 */
#ifndef RECUT_TRACE_SOURCE_H
#define RECUT_TRACE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/program_section.h"

struct source;

struct source_frame {
    const char *function; /* NULL if it is not known */
    const char *file;     /* path as the compiler had it; NULL if it is not known */
    int line, column;     /* 0 if they are not known */
};

/* An executable; with `build_id`, only if it is this build. */
struct error *source_open(const char *path, const uint8_t build_id[BUILD_ID_SIZE],
                          struct source **ret);
void source_close(struct source *source);

/* The executable was run with DIRECTORY/variant, if there is such a file: addresses
 * below the executable are in that. */
void source_use_variant(struct source *source, const char *directory);
/* The same for any image; for one that lay behind another (format/variant.h), after that. */
void source_use_image(struct source *source, const char *path);

/* Where the call is that returns to this address: innermost first, then where
 * that was inlined, and so on.  At least one, whatever is known. */
size_t source_call(struct source *source, uint64_t return_address, const struct source_frame **ret);
/* The same for an instruction. */
size_t source_find(struct source *source, uint64_t address, const struct source_frame **ret);
/* The function that begins at this address, NULL if none does. */
const char *source_function(const struct source *source, uint64_t address);

/* The last part of a path. */
const char *source_base_name(const char *path);

#endif
