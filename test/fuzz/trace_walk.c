/* Everything that is done with a trace; see trace_walk.h. */
#include "trace_walk.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/trace_view.h"
#include "trace/archive.h"

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

/* An error is one line with the right code. */
static void check_error(struct error *err) {
    CHECK(err->code == ERROR_INPUT && err->message[0] && !strchr(err->message, '\n'));
    error_free(err);
}

static FILE *nowhere(void) {
    static FILE *out;
    if (!out)
        out = fopen("/dev/null", "w");
    CHECK(out);
    return out;
}

static void tell_event(const struct trace_view *view, const struct trace_event *event) {
    FILE *out = nowhere();
    if (event->kind == EVENT_CALL)
        trace_text_call(out, view, event);
    if (event->site)
        trace_text_frames(out, view, event->site->address, true);
    cJSON *object = trace_json_event(view, 0, event);
    char *text = cJSON_PrintUnformatted(object);
    CHECK(text);
    cJSON_free(text);
    cJSON_Delete(object);
}

static bool walk_stream(const struct trace_view *view, size_t stream) {
    struct trace_cursor *cursor = trace_cursor_new(view->trace, stream);
    const struct trace_event *event;
    struct error *err;
    uint64_t number = 0, offset = 0;
    while (!(err = trace_next(cursor, &event)) && event) {
        CHECK(event->number >= number && event->offset >= offset);
        CHECK(event->size >= (event->kind == EVENT_LOAD ? 1 : 2)); /* a short load has no size */
        CHECK((event->kind == EVENT_CALL) <= (event->site != NULL));
        number = event->number;
        offset = event->offset + event->size;
        tell_event(view, event);
    }
    bool is_whole = !err;
    if (err)
        check_error(err);
    /* There is nothing after the end, nor after an error. */
    CHECK(!trace_next(cursor, &event) && !event);
    trace_cursor_free(cursor);
    return is_whole;
}

bool walk_trace(const struct trace_part *parts, size_t count) {
    struct trace_view view = {.limit = 32};
    struct error *err = trace_from_parts(parts, count, &view.trace);
    if (err) {
        CHECK(!view.trace);
        check_error(err);
        return false;
    }
    bool is_whole = true;
    for (size_t i = 0; i < trace_stream_count(view.trace); i++)
        is_whole &= walk_stream(&view, i);
    err = trace_check(view.trace);
    CHECK(is_whole == !err);
    if (err)
        check_error(err);
    err = trace_find_missing(view.trace);
    if (err)
        check_error(err);
    struct trace_summary summary;
    err = trace_summarise(view.trace, &summary);
    CHECK(!err || !is_whole);
    if (err)
        check_error(err);
    else
        trace_text_end(nowhere(), &summary);
    cJSON *header = trace_json_header(&view);
    char *text = cJSON_PrintUnformatted(header);
    CHECK(text);
    cJSON_free(text);
    cJSON_Delete(header);
    trace_close(view.trace);
    return is_whole;
}

bool walk_archive(struct bytes tar) {
    struct archive_reader *reader = archive_reader_new_plain(tar);
    struct archive_entry entry;
    bool is_end = false;
    uint64_t total = 0;
    struct error *err = NULL;
    while (!err && !is_end) {
        err = archive_next(reader, &entry, &is_end);
        char block[1000];
        size_t got = 1;
        CHECK(err || is_end || archive_is_name(entry.name));
        CHECK(err || is_end || !*entry.link || (archive_is_name(entry.link) && !entry.size));
        while (!err && !is_end && got) {
            err = archive_read(reader, block, sizeof block, &got);
            total += err ? 0 : got;
        }
    }
    CHECK(total <= tar.size);
    archive_reader_free(reader);
    if (err)
        check_error(err);
    return !err;
}
