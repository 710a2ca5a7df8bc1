/*
 * The scanf family on streams, wide ones too.
 *
 * What is written where follows from the format: each conversion that was made
 * wrote through one argument.  The log holds, in the order of the conversions,
 * what those arguments point to after the call.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>

#include "runtime/env_callback.h"
#include "runtime/scan_format.h"
#include "runtime/special.h"
#include "runtime/stream.h"

struct scan {
    enum special special;
    uint64_t from;
    FILE *file;
    bool has_file; /* the stream is an argument */
    const void *format;
    bool is_wide;
};

static int scan_real(const struct scan *scan, va_list args) {
    return scan->is_wide ? vfwscanf(scan->file, scan->format, args)
                         : vfscanf(scan->file, scan->format, args);
}

static void write_event(const struct scan *scan, int old, int result,
                        const struct scan_target *targets, unsigned written) {
    struct stream *stream = __recut_stream(scan->file);
    size_t length = scan->is_wide ? 4 * wcslen(scan->format) : strlen(scan->format);
    size_t bound =
        200 + length + __recut_stream_bound(scan->file) + __recut_scan_bound(targets, written);
    unsigned char *p = __recut_special_write(scan->special, scan->from, old, bound);
    if (!p)
        return;
    if (scan->has_file)
        p = put_svarint(p, (intptr_t)scan->file);
    p = put_raw(put_varint(p, 1 + length), scan->format, length);
    p = __recut_special_result(p, result, old);
    p = put_varint(p, (uint64_t)written + (stream != NULL));
    p = __recut_scan_put(p, targets, written);
    if (stream)
        p = __recut_stream_put(p, stream);
    __recut_special_end(p);
}

static int read_event(const struct scan *scan, const struct scan_target *targets, unsigned count) {
    struct stream *stream = __recut_stream(scan->file);
    struct log_reader *log = __recut_special_read(scan->special, scan->from);
    if (scan->has_file)
        __recut_special_input(log, "stream", (intptr_t)scan->file);
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

static int scan_stream(const struct scan *scan, va_list args) {
    struct scan_target targets[SCAN_MOST_TARGETS];
    char small[SCAN_MOST_FORMAT];
    const char *format = scan->is_wide ? small : scan->format;
    if (scan->is_wide && !__recut_scan_narrow(small, scan->format)) {
        __recut_env_stop("wscanf", "its format is too long");
        return scan_real(scan, args);
    }
    va_list copy;
    va_copy(copy, args);
    unsigned count = __recut_scan_targets(format, copy, targets, SCAN_MOST_TARGETS);
    va_end(copy);
    if (__recut_env_mode == ENV_REPLAY)
        return read_event(scan, targets, count);
    struct stream *stream = __recut_stream(scan->file);
    int old = errno;
    if (stream && __recut_stream_hold(scan->file))
        stream->is_known = __recut_stream_is_ready(stream);
    int result = STREAM_OUTSIDE(scan->file, scan_real(scan, args));
    write_event(scan, old, result, targets, __recut_scan_written(targets, count, result));
    return result;
}

#define SCAN(name, type, parameters, file, has_file, begin, end)                                   \
    int __recut_special_##name parameters;                                                         \
    int __recut_special_##name parameters {                                                        \
        struct scan scan = {SPECIAL_##name, HERE,   file,                                          \
                            has_file,       format, sizeof(type) == sizeof(wchar_t)};              \
        begin int result = scan_stream(&scan, args);                                               \
        end return result;                                                                         \
    }
#define START                                                                                      \
    va_list args;                                                                                  \
    va_start(args, format);
#define END va_end(args);
#define FAMILY(plain, of_file, list, list_of_file, type)                                           \
    SCAN(plain, type, (const type *format, ...), stdin, false, START, END)                         \
    SCAN(of_file, type, (FILE * file, const type *format, ...), file, true, START, END)            \
    SCAN(list, type, (const type *format, va_list args), stdin, false, , )                         \
    SCAN(list_of_file, type, (FILE * file, const type *format, va_list args), file, true, , )
FAMILY(scanf, fscanf, vscanf, vfscanf, char)
FAMILY(__isoc99_scanf, __isoc99_fscanf, __isoc99_vscanf, __isoc99_vfscanf, char)
SCAN(__vfscanf, char, (FILE * file, const char *format, va_list args), file, true, , )
FAMILY(wscanf, fwscanf, vwscanf, vfwscanf, wchar_t)
FAMILY(__isoc99_wscanf, __isoc99_fwscanf, __isoc99_vwscanf, __isoc99_vfwscanf, wchar_t)
