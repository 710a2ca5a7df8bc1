/*
 * From the registers and the stack of a crash to a stack trace.
 *
 * By the call frame information of the executable and, for a crash inside a
 * library, of the library: the one that was packed with the trace, else the file
 * that was mapped.  A call through a bad pointer is followed too.  Where nothing
 * is known of a frame the trace ends: what is there is right, if the files are
 * still those of the run.
 */
#ifndef RECUT_TRACE_UNWIND_H
#define RECUT_TRACE_UNWIND_H

#include "trace/trace.h"

#define UNWIND_MOST 256

struct unwind_files {
    const char *program;
    const char *directory; /* of the trace, or NULL */
    const char *image;     /* the variant that was run; NULL: the one of the trace */
    const char *over;      /* the image that lay over it (format/variant.h), or NULL */
};

struct unwind_frame {
    uint64_t address; /* of the crash; then return addresses */
    uint64_t slot;    /* where its own return address is; 0 if that is not known */
};

/* Innermost first; returns how many. */
size_t unwind_crash(const struct unwind_files *files, const struct trace_event *event,
                    struct unwind_frame ret[UNWIND_MOST]);

/* The same, but without so many innermost frames, and of a deeper stack both ends: half of them,
 * UNWIND_MOST / 2, are the outermost.  `ret_left_out` is how many are between. */
size_t unwind_ends(const struct unwind_files *files, const struct trace_event *event, uint64_t skip,
                   struct unwind_frame ret[UNWIND_MOST], uint64_t *ret_left_out);

#endif
