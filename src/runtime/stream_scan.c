/*
 * The scanf family on streams.
 *
 * What is written where follows from the format: each conversion that was made
 * wrote through one argument.  The log holds, in the order of the conversions,
 * what those arguments point to after the call.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "runtime/scan_format.h"
#include "runtime/special.h"
#include "runtime/stream.h"

enum { most_targets = 64 };

/* The targets of a format; libc's own reading of it is the measure, so sizes of
 * strings are taken after the call. */
static unsigned find_targets(struct scan_target *targets, const char *format, va_list args) {
    va_list copy;
    va_copy(copy, args);
    unsigned count = __recut_scan_targets(format, copy, targets, most_targets);
    va_end(copy);
    return count;
}

static int scan(enum special special, uint64_t from, FILE *file, bool has_file,
                const char *format, va_list args) {
    struct scan_target targets[most_targets];
    unsigned count = find_targets(targets, format, args);
    struct stream *stream = __recut_stream(file);
    int old = errno;
    size_t length = strlen(format);
    if (__recut_env_mode == ENV_RECORD) {
        if (stream)
            stream->is_known = __recut_stream_is_ready(stream);
        __recut_scan_prepare(targets, count);
        int result = vfscanf(file, format, args);
        size_t bound = 200 + length + __recut_stream_bound(file);
        unsigned written = __recut_scan_written(targets, count, result);
        for (unsigned i = 0; i < written; i++)
            bound += __recut_scan_size(&targets[i]) + 24;
        unsigned char *p = __recut_special_write(special, from, old, bound);
        if (!p)
            return result;
        if (has_file)
            p = put_svarint(p, (intptr_t)file);
        p = put_raw(put_varint(p, 1 + length), format, length);
        p = __recut_special_result(p, result, old);
        p = put_varint(p, (uint64_t)written + (stream != NULL));
        for (unsigned i = 0; i < written; i++)
            p = put_bytes(put_varint(p, OUTPUT_OBJECT), __recut_scan_bytes(&targets[i]),
                          __recut_scan_size(&targets[i]));
        if (stream)
            p = __recut_stream_put(p, stream);
        __recut_special_end(p);
        return result;
    }
    struct log_reader *log = __recut_special_read(special, from);
    if (has_file)
        __recut_special_input(log, "stream", (intptr_t)file);
    uint64_t coded = get_varint(log);
    get_raw(log, coded ? coded - 1 : 0);
    int result = (int)__recut_special_take_result(log);
    unsigned next = 0;
    for (uint64_t left = get_varint(log); left && !log->damaged; left--) {
        uint64_t tag = get_varint(log);
        size_t size;
        const unsigned char *bytes = get_bytes(log, &size);
        if (tag == OUTPUT_OBJECT && next < count)
            __recut_scan_fill(&targets[next++], bytes, size);
        else if (!stream || !__recut_stream_take(stream, tag, bytes, size))
            log->damaged = true;
    }
    __recut_env_expected(log);
    __recut_env_answered(log);
    return result;
}

#define SCAN(name, parameters, file, has_file, begin, end)                                         \
    int __recut_special_##name parameters;                                                         \
    int __recut_special_##name parameters {                                                        \
        begin int result = scan(SPECIAL_##name, HERE, file, has_file, format, args);               \
        end return result;                                                                         \
    }
#define START                                                                                      \
    va_list args;                                                                                  \
    va_start(args, format);
#define END va_end(args);
SCAN(scanf, (const char *format, ...), stdin, false, START, END)
SCAN(__isoc99_scanf, (const char *format, ...), stdin, false, START, END)
SCAN(fscanf, (FILE * file, const char *format, ...), file, true, START, END)
SCAN(__isoc99_fscanf, (FILE * file, const char *format, ...), file, true, START, END)
SCAN(vscanf, (const char *format, va_list args), stdin, false, , )
SCAN(__isoc99_vscanf, (const char *format, va_list args), stdin, false, , )
SCAN(vfscanf, (FILE * file, const char *format, va_list args), file, true, , )
SCAN(__isoc99_vfscanf, (FILE * file, const char *format, va_list args), file, true, , )
