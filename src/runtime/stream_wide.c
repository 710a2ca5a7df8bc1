/*
 * Output to wide streams.
 *
 * A wide stream converts when it writes, in the locale that was in force when it
 * became wide, which a replay has not.  So each call is in the log, with the bytes
 * that its text becomes.
 */
#include <iconv.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <wchar.h>

#include "runtime/owned.h"
#include "runtime/special.h"
#include "runtime/stream.h"

/* --- output ------------------------------------------------------------------------------ */

struct wide_output {
    enum special special;
    uint64_t from;
    FILE *file;
    int old_errno;
    int64_t numbers[2]; /* inputs before the text */
    unsigned number_count;
    const wchar_t *text; /* NULL: none of the inputs is one */
    bool file_is_last;   /* the stream is an input behind it */
};

/* The bytes that wide text becomes; memory of libc's. What cannot be converted
 * ends it, as it ends the output. */
struct converted {
    char *bytes;
    size_t size, last; /* bytes that the last `wide_pending` characters became */
};

enum { most_bytes = 16 }; /* of one character */

/* For what the locale's code has not, streams write something like it. */
static size_t write_like(char *to, wchar_t c) {
    char code[80], *from = (char *)&c;
    size_t left = sizeof c, room = most_bytes;
    snprintf(code, sizeof code, "%s//TRANSLIT", nl_langinfo(CODESET));
    iconv_t conversion = iconv_open(code, "WCHAR_T");
    if (conversion == (iconv_t)-1)
        return (size_t)-1;
    size_t failed = iconv(conversion, &from, &left, &to, &room);
    iconv_close(conversion);
    return failed == (size_t)-1 ? failed : most_bytes - room;
}

static struct converted convert(const wchar_t *text, size_t length, size_t wide_pending) {
    struct converted to = {__recut_env_malloc((length + 1) * most_bytes), 0, 0};
    mbstate_t state = {0};
    for (size_t i = 0; to.bytes && i < length; i++) {
        size_t n = wcrtomb(to.bytes + to.size, text[i], &state);
        if (n == (size_t)-1)
            n = write_like(to.bytes + to.size, text[i]);
        if (n == (size_t)-1)
            break;
        to.size += n;
        to.last += i + wide_pending >= length ? n : 0;
    }
    return to;
}

/* Record: the call was made and `text` was put into the stream. */
static int64_t put_made(const struct wide_output *output, int64_t result, const wchar_t *text,
                        size_t length) {
    int new_errno = errno;
    struct stream *stream = __recut_stream(output->file);
    size_t wide_pending = fwide(output->file, 0) > 0 ? __fpending(output->file) : 0;
    struct converted bytes = convert(text, length, wide_pending);
    size_t pending =
        wide_pending < length || !length ? bytes.last : (stream ? stream->pending : 0) + bytes.size;
    size_t text_length = output->text ? wcslen(output->text) : 0;
    errno = new_errno;
    unsigned char *p = __recut_special_write(output->special, output->from, output->old_errno,
                                             200 + bytes.size + 4 * text_length);
    if (p) {
        for (unsigned i = 0; i < output->number_count; i++)
            p = put_svarint(p, output->numbers[i]);
        if (output->text)
            p = put_raw(put_varint(p, 1 + 4 * text_length), output->text, 4 * text_length);
        if (output->file_is_last)
            p = put_svarint(p, (intptr_t)output->file);
        p = __recut_special_result(p, result, output->old_errno);
        p = put_varint(p, 4);
        p = put_bytes(put_varint(p, OUTPUT_TEXT), bytes.bytes ? bytes.bytes : "", bytes.size);
        p = __recut_stream_put_number(p, OUTPUT_BUFFERING, __recut_stream_buffering(output->file));
        p = __recut_stream_put_number(p, OUTPUT_FD, __recut_stream_fd(output->file));
        p = __recut_stream_put_number(p, OUTPUT_PENDING, (int64_t)pending);
        if (stream) {
            stream->buffering = __recut_stream_buffering(output->file);
            stream->pending = pending;
            stream->is_known = false;
        }
        __recut_special_end(p);
    }
    foreign_free(bytes.bytes);
    errno = new_errno;
    return result;
}

static int64_t put_again(const struct wide_output *output) {
    struct log_reader *log = __recut_special_read(output->special, output->from);
    struct stream *stream = __recut_stream(output->file);
    for (unsigned i = 0; i < output->number_count; i++)
        __recut_special_input(log, "argument", output->numbers[i]);
    if (output->text) {
        uint64_t coded = get_varint(log);
        get_raw(log, coded ? coded - 1 : 0);
    }
    if (output->file_is_last)
        __recut_special_input(log, "stream", (intptr_t)output->file);
    int64_t result = __recut_special_take_result(log), pending = 0;
    const unsigned char *text = NULL;
    size_t count = 0;
    for (uint64_t left = get_varint(log); left && !log->damaged; left--) {
        uint64_t tag = get_varint(log);
        size_t size;
        const unsigned char *bytes = get_bytes(log, &size);
        struct log_reader number = {.at = bytes, .end = bytes + size};
        if (tag == OUTPUT_TEXT) {
            text = bytes;
            count = size;
        } else if (tag == OUTPUT_BUFFERING && stream) {
            stream->buffering = (enum stream_buffering)get_svarint(&number);
        } else if (tag == OUTPUT_FD && stream) {
            stream->fd = (int)get_svarint(&number);
        } else if (tag == OUTPUT_PENDING) {
            pending = get_svarint(&number);
        }
    }
    __recut_env_expected(log);
    if (stream && text)
        __recut_stream_show(stream, (const char *)text, count, (size_t)pending);
    __recut_env_answered(log);
    return result;
}

static wint_t put_one(struct wide_output output, wchar_t c) {
    if (__recut_env_mode != ENV_RECORD)
        return (wint_t)put_again(&output);
    wint_t result = STREAM_OUTSIDE(output.file, fputwc(c, output.file));
    return (wint_t)put_made(&output, (int32_t)result, &c, result != WEOF);
}

#define PUT_ONE(name)                                                                              \
    wint_t __recut_special_##name(wchar_t, FILE *);                                                \
    wint_t __recut_special_##name(wchar_t c, FILE *file) {                                         \
        struct wide_output output = {SPECIAL_##name,      HERE, file, errno,                       \
                                     {c, (intptr_t)file}, 2,    NULL, false};                      \
        return put_one(output, c);                                                                 \
    }
PUT_ONE(fputwc)
PUT_ONE(putwc)
PUT_ONE(fputwc_unlocked)
PUT_ONE(putwc_unlocked)

#define PUT_CHAR(name)                                                                             \
    wint_t __recut_special_##name(wchar_t);                                                        \
    wint_t __recut_special_##name(wchar_t c) {                                                     \
        struct wide_output output = {SPECIAL_##name, HERE, stdout, errno, {c}, 1, NULL, false};    \
        return put_one(output, c);                                                                 \
    }
PUT_CHAR(putwchar)
PUT_CHAR(putwchar_unlocked)

#define PUT_TEXT(name)                                                                             \
    int __recut_special_##name(const wchar_t *, FILE *);                                           \
    int __recut_special_##name(const wchar_t *text, FILE *file) {                                  \
        struct wide_output output = {SPECIAL_##name, HERE, file, errno, {0}, 0, text, true};       \
        if (__recut_env_mode != ENV_RECORD)                                                        \
            return (int)put_again(&output);                                                        \
        int result = STREAM_OUTSIDE(file, fputws(text, file));                                     \
        return (int)put_made(&output, result, text, result < 0 ? 0 : wcslen(text));                \
    }
PUT_TEXT(fputws)
PUT_TEXT(fputws_unlocked)

/* --- formats ----------------------------------------------------------------------------- */

/* Formatted text is had by formatting it once more, into memory that grows until
 * it fits. */
static wchar_t *format_wide(const wchar_t *format, va_list args, int length) {
    wchar_t *text = __recut_env_malloc(((size_t)length + 1) * sizeof *text);
    if (text && vswprintf(text, (size_t)length + 1, format, args) < 0)
        text[0] = L'\0';
    return text;
}

static int print_wide(struct wide_output *output, const wchar_t *format, va_list args) {
    if (__recut_env_mode != ENV_RECORD)
        return (int)put_again(output);
    va_list again;
    va_copy(again, args);
    int result = STREAM_OUTSIDE(output->file, vfwprintf(output->file, format, args));
    int new_errno = errno;
    wchar_t *text = result > 0 ? format_wide(format, again, result) : NULL;
    va_end(again);
    errno = new_errno;
    put_made(output, result, text, text ? (size_t)result : 0);
    foreign_free(text);
    errno = new_errno;
    return result;
}

#define PRINT(name, parameters, file, numbers, count, begin, end)                                  \
    int __recut_special_##name parameters;                                                         \
    int __recut_special_##name parameters {                                                        \
        struct wide_output output = {SPECIAL_##name, HERE,  file,   errno,                         \
                                     {numbers},      count, format, false};                        \
        begin int result = print_wide(&output, format, args);                                      \
        end return result;                                                                         \
    }
#define START                                                                                      \
    va_list args;                                                                                  \
    va_start(args, format);
#define END va_end(args);
#define BOTH (intptr_t)file, flag
PRINT(wprintf, (const wchar_t *format, ...), stdout, 0, 0, START, END)
PRINT(vwprintf, (const wchar_t *format, va_list args), stdout, 0, 0, , )
PRINT(fwprintf, (FILE * file, const wchar_t *format, ...), file, (intptr_t)file, 1, START, END)
PRINT(vfwprintf, (FILE * file, const wchar_t *format, va_list args), file, (intptr_t)file, 1, , )
PRINT(__wprintf_chk, (int flag, const wchar_t *format, ...), stdout, flag, 1, START, END)
PRINT(__vwprintf_chk, (int flag, const wchar_t *format, va_list args), stdout, flag, 1, , )
PRINT(__fwprintf_chk, (FILE * file, int flag, const wchar_t *format, ...), file, BOTH, 2, START,
      END)
PRINT(__vfwprintf_chk, (FILE * file, int flag, const wchar_t *format, va_list args), file, BOTH, 2,
      , )
