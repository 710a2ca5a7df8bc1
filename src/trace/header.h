/*
 * The header of a trace: written once, before the program starts.
 */
#ifndef RECUT_TRACE_HEADER_H
#define RECUT_TRACE_HEADER_H

#include "trace/trace.h"

/* More than any kernel passes to a program. */
#define TRACE_HEADER_MAX (64u << 20)

/* Writes DIRECTORY/trace.  Arguments and environment are counted by the caller;
 * `info->id` is to be random, and the same in every stream. */
struct error *trace_write_header(const char *directory, const struct trace_info *info);

/* The same as a block in memory, which the caller frees. */
struct error *trace_make_header(const struct trace_info *info, char **ret_data, size_t *ret_size);

/* Fills in what does not depend on the program: libc, processor, time, id.
 * The strings live as long as the tool. */
struct error *trace_describe_machine(struct trace_info *info);

#endif
