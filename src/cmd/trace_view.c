/* A trace and its source, opened for a command; see trace_view.h. */
#include "cmd/trace_view.h"

#include <stdlib.h>

#include "base/mem.h"
#include "trace/directory.h"

struct error *trace_view_open(const char *argument, struct trace_view *ret) {
    struct trace_view view = {.limit = 32};
    struct error *err = trace_resolve(argument, &view.path);
    if (!err)
        err = trace_open(view.path, &view.trace);
    if (err) {
        free(view.path);
        return err;
    }
    /* Without the executable there are still addresses. */
    struct error *missing CLEANUP_ERROR =
        source_open(trace_program(view.trace), trace_info(view.trace)->build_id, &view.source);
    if (view.source && trace_path(view.trace))
        source_use_variant(view.source, trace_path(view.trace));
    if (missing)
        view.no_source = mem_strdup(missing->message);
    *ret = view;
    return NULL;
}

size_t trace_view_unwind(const struct trace_view *view, const struct trace_event *event,
                         uint64_t ret[UNWIND_MOST]) {
    struct unwind_frame stack[UNWIND_MOST];
    struct unwind_files files = {trace_program(view->trace), trace_path(view->trace), NULL, NULL};
    size_t count = unwind_crash(&files, event, stack);
    for (size_t i = 0; i < count; i++)
        ret[i] = stack[i].address;
    return count;
}

void trace_view_close(struct trace_view *view) {
    source_close(view->source);
    trace_close(view->trace);
    free(view->no_source);
    free(view->path);
    *view = (struct trace_view){0};
}
