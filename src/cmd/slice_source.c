/*
 * Source files as slices show them; slice.h.
 */
#include <string.h>

#include "base/io.h"
#include "cmd/slice.h"

bool slice_source_open(struct slice_source *source, const char *path) {
    struct error *err CLEANUP_ERROR = io_read_file(path, &source->data, &source->size);
    if (err)
        return false;
    for (size_t at = 0; at < source->size;) {
        VEC_PUSH(&source->starts, at);
        const char *end = memchr(source->data + at, '\n', source->size - at);
        at = end ? (size_t)(end - source->data) + 1 : source->size;
    }
    return true;
}

void slice_source_close(struct slice_source *source) {
    free(source->data);
    VEC_DEINIT(&source->starts);
    *source = (struct slice_source){0};
}

const char *slice_source_line(const struct slice_source *source, uint32_t line,
                              size_t *ret_length) {
    *ret_length = 0;
    if (!line || line > source->starts.count)
        return "";
    size_t start = source->starts.data[line - 1];
    size_t end = line < source->starts.count ? source->starts.data[line] : source->size;
    while (end > start && (source->data[end - 1] == '\n' || source->data[end - 1] == '\r'))
        end--;
    *ret_length = end - start;
    return source->data + start;
}
