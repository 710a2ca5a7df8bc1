/*
 * How commands show a trace: opened with its source lines, as text, as JSON.
 *
 *     struct trace_view view;
 *     struct error *err = trace_view_open(argument, &view);
 *     ...
 *     trace_view_close(&view);
 *
 * What comes out of a trace or an executable is not trusted with a terminal:
 * text goes through trace_text_clean() or is quoted.
 */
#ifndef RECUT_CMD_TRACE_VIEW_H
#define RECUT_CMD_TRACE_VIEW_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "trace/source.h"
#include "trace/trace.h"
#include "trace/unwind.h"

struct trace_view {
    char *path;
    struct trace *trace;
    struct source *source; /* NULL: no lines are known */
    char *no_source;       /* why; NULL if they are */
    size_t limit;          /* of bytes and strings in text; 0 for none */
};

/* Opens a TRACE argument; NULL is the latest. */
struct error *trace_view_open(const char *argument, struct trace_view *ret);
void trace_view_close(struct trace_view *view);

/* Return addresses of a crash, the place itself first; unwind.h. */
size_t trace_view_unwind(const struct trace_view *view, const struct trace_event *event,
                         uint64_t ret[UNWIND_MOST]);

/* --- text ---------------------------------------------------------------------- */

/* Without what a terminal would obey. */
void trace_text_clean(FILE *out, const char *text);
/* "GET /\r\n"..., at most `limit` bytes; 0 for all. */
void trace_text_bytes(FILE *out, struct bytes bytes, size_t limit);
/* What the environment of a cut did to memory. */
void trace_text_store(FILE *out, const struct trace_event *event, size_t limit);
/* "main.c:41", else a function's name, else the address. */
void trace_text_place(FILE *out, const struct trace_view *view, uint64_t return_address);
/* "helper main.c:7 in main main.c:41": all that is known of a place. */
void trace_text_frames(FILE *out, const struct trace_view *view, uint64_t address, bool is_return);
void trace_text_value(FILE *out, const struct trace_view *view, const struct trace_value *value);
/* read(3, "GET /"..., 4096) = 78 */
void trace_text_call(FILE *out, const struct trace_view *view, const struct trace_event *event);
/* "ENOENT", "SIGSEGV"; the number if it has no name.  Good until the next call. */
const char *trace_error_name(int64_t number);
const char *trace_signal_name(int number);
/* "exit 3", "SIGSEGV", "killed", ... */
void trace_text_end(FILE *out, const struct trace_summary *summary);

/* --- JSON ---------------------------------------------------------------------- */

cJSON *trace_json_event(const struct trace_view *view, uint32_t thread,
                        const struct trace_event *event);
cJSON *trace_json_header(const struct trace_view *view);
void trace_json_number(cJSON *object, const char *name, uint64_t number);
void trace_json_string(cJSON *object, const char *name, const char *text);
void trace_json_end(cJSON *object, const struct trace_summary *summary);

#endif
