/*
 * The scanf family on text in memory.
 *
 * While the locale is "C" it reads nothing but its arguments and is called in
 * both runs, but for the memory that %ms asks for, which is the pool's.  In
 * another locale the log holds what the arguments point to after the call.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "runtime/locale.h"
#include "runtime/scan_format.h"
#include "runtime/special.h"

/* What is scanned, and by which format: text or wide text. */
struct scan {
    enum special special;
    uint64_t from;
    const void *text, *format;
    bool is_wide;
};

static int scan_real(const struct scan *scan, va_list args) {
    return scan->is_wide ? vswscanf(scan->text, scan->format, args)
                         : vsscanf(scan->text, scan->format, args);
}

static unsigned char *put_string(unsigned char *p, const void *text, bool is_wide) {
    size_t size = is_wide ? 4 * wcslen(text) : strlen(text);
    return put_raw(put_varint(p, 1 + size), text, size);
}

static size_t string_bound(const void *text, bool is_wide) {
    return 20 + (is_wide ? 4 * wcslen(text) : strlen(text));
}

static void write_event(const struct scan *scan, int old, int result,
                        const struct scan_target *targets, unsigned written) {
    size_t bound =
        100 + string_bound(scan->text, scan->is_wide) + string_bound(scan->format, scan->is_wide);
    for (unsigned i = 0; i < written; i++)
        bound += __recut_scan_size(&targets[i]) + 24;
    unsigned char *p = __recut_special_write(scan->special, scan->from, old, bound);
    if (!p)
        return;
    p = put_string(p, scan->text, scan->is_wide);
    p = put_string(p, scan->format, scan->is_wide);
    p = __recut_special_result(p, result, old);
    __recut_special_end(__recut_scan_put(put_varint(p, written), targets, written));
}

static int replay_scan(const struct scan *scan, const struct scan_target *targets, unsigned count) {
    struct log_reader *log = __recut_special_read(scan->special, scan->from);
    for (unsigned i = 0; i < 2; i++) {
        uint64_t coded = get_varint(log);
        get_raw(log, coded ? coded - 1 : 0);
    }
    int result = (int)__recut_special_take_result(log);
    unsigned next = 0;
    for (uint64_t left = get_varint(log); left && !log->damaged; left--) {
        size_t size;
        uint64_t tag = get_varint(log);
        const unsigned char *bytes = get_bytes(log, &size);
        if (tag == OUTPUT_OBJECT && next < count && bytes)
            __recut_scan_fill(&targets[next++], bytes, size);
        else
            log->damaged = true;
    }
    __recut_env_expected(log);
    __recut_env_answered(log);
    return result;
}

static int scan_text(const struct scan *scan, va_list args) {
    char small[SCAN_MOST_FORMAT];
    const char *format = scan->is_wide ? small : scan->format;
    if (scan->is_wide && !__recut_scan_narrow(small, scan->format)) {
        __recut_env_stop("swscanf", "its format is too long");
        return scan_real(scan, args);
    }
    if (__recut_locale_is_c && !strchr(format, 'm'))
        return scan_real(scan, args);
    struct scan_target targets[SCAN_MOST_TARGETS];
    va_list copy;
    va_copy(copy, args);
    unsigned count = __recut_scan_targets(format, copy, targets, SCAN_MOST_TARGETS);
    va_end(copy);
    if (!__recut_locale_is_c && __recut_env_mode == ENV_REPLAY)
        return replay_scan(scan, targets, count);
    int old = errno;
    int result = scan_real(scan, args);
    int new_errno = errno;
    unsigned written = __recut_scan_written(targets, count, result);
    errno = new_errno;
    if (!__recut_locale_is_c && __recut_env_mode == ENV_RECORD)
        write_event(scan, old, result, targets, written);
    errno = new_errno;
    return result;
}

#define SCAN(name, type, wide, rest, begin, end)                                                   \
    int __recut_special_##name(const type *, const type *, rest);                                  \
    int __recut_special_##name(const type *text, const type *format, rest) {                       \
        struct scan scan = {SPECIAL_##name, HERE, text, format, wide};                             \
        begin int result = scan_text(&scan, args);                                                 \
        end return result;                                                                         \
    }
#define START                                                                                      \
    va_list args;                                                                                  \
    va_start(args, format);
#define VARIADIC ...
SCAN(sscanf, char, false, VARIADIC, START, va_end(args);)
SCAN(__isoc99_sscanf, char, false, VARIADIC, START, va_end(args);)
SCAN(vsscanf, char, false, va_list args, , )
SCAN(__isoc99_vsscanf, char, false, va_list args, , )
SCAN(__vsscanf, char, false, va_list args, , )
SCAN(swscanf, wchar_t, true, VARIADIC, START, va_end(args);)
SCAN(__isoc99_swscanf, wchar_t, true, VARIADIC, START, va_end(args);)
SCAN(vswscanf, wchar_t, true, va_list args, , )
SCAN(__isoc99_vswscanf, wchar_t, true, va_list args, , )
