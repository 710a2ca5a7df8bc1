/*
 * The printf family to streams and descriptors, and perror.
 *
 * A replay formats again, since the text is shown and its length is the result;
 * snprintf() reads nothing but its arguments while the locale is "C".  In another
 * one, where that matters, the text is in the log.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "runtime/echo.h"
#include "runtime/locale.h"
#include "runtime/message.h"
#include "runtime/owned.h"
#include "runtime/raw.h"
#include "runtime/stream_out.h"

/* A formatted text; short ones need no memory. */
struct text {
    char small[1024], *bytes;
    int length;
};

static void format_text(struct text *text, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    text->bytes = text->small;
    text->length = vsnprintf(text->small, sizeof text->small, format, args);
    if (text->length >= (int)sizeof text->small) {
        text->bytes = raw_scratch((size_t)text->length + 1);
        if (text->bytes) {
            vsnprintf(text->bytes, (size_t)text->length + 1, format, again);
        } else {
            text->bytes = text->small;
            text->length = sizeof text->small - 1;
        }
    }
    va_end(again);
}

static void free_text(struct text *text) {
    if (text->bytes != text->small)
        raw_scratch_end(text->bytes, (size_t)text->length + 1);
}

/* The text is formatted twice, once for the log: what libc puts into the stream
 * cannot be had from there. */
static int print_logged(struct output *output, const char *format, va_list args) {
    struct text text;
    va_list again;
    output->is_logged = true;
    if (__recut_env_mode == ENV_REPLAY)
        return (int)__recut_output_replay(output, 0, NULL, 0);
    va_copy(again, args);
    format_text(&text, format, again);
    va_end(again);
    errno = output->old_errno;
    int result = OUTPUT_CALL(*output, (size_t)text.length, vfprintf(output->file, format, args));
    int made = (int)__recut_output_made(output, result, result, text.bytes,
                                        result < 0 ? 0 : (size_t)text.length);
    free_text(&text);
    return made;
}

static int print(struct output *output, const char *format, va_list args) {
    if (__recut_locale_changes(format))
        return print_logged(output, format, args);
    if (__recut_env_mode == ENV_RECORD) {
        enum { usual_length = 1024 };
        int result = OUTPUT_CALL(*output, usual_length, vfprintf(output->file, format, args));
        return (int)__recut_output_made(output, result, result < 0 ? 0 : result, NULL,
                                        result < 0 ? 0 : (size_t)result);
    }
    struct text text;
    format_text(&text, format, args);
    int result = (int)__recut_output_replay(output, text.length, text.bytes,
                                            text.length < 0 ? 0 : (size_t)text.length);
    free_text(&text);
    return result;
}

#define PRINT(name, parameters, file, inputs, body)                                                \
    int __recut_special_##name parameters;                                                         \
    int __recut_special_##name parameters {                                                        \
        struct output output = __recut_output_begin(SPECIAL_##name, HERE, file);                   \
        inputs __recut_output_text(&output, format);                                               \
        body                                                                                       \
    }
#define NUMBER(value) __recut_output_number(&output, (intptr_t)value);
#define VARIADIC                                                                                   \
    va_list args;                                                                                  \
    va_start(args, format);                                                                        \
    int result = print(&output, format, args);                                                     \
    va_end(args);                                                                                  \
    return result;
#define LISTED return print(&output, format, args);

PRINT(printf, (const char *format, ...), stdout, , VARIADIC)
PRINT(vprintf, (const char *format, va_list args), stdout, , LISTED)
PRINT(fprintf, (FILE * file, const char *format, ...), file, NUMBER(file), VARIADIC)
PRINT(vfprintf, (FILE * file, const char *format, va_list args), file, NUMBER(file), LISTED)
PRINT(__printf_chk, (int flag, const char *format, ...), stdout, NUMBER(flag), VARIADIC)
PRINT(__vprintf_chk, (int flag, const char *format, va_list args), stdout, NUMBER(flag), LISTED)
PRINT(__fprintf_chk, (FILE * file, int flag, const char *format, ...), file,
      NUMBER(file) NUMBER(flag), VARIADIC)
PRINT(__vfprintf_chk, (FILE * file, int flag, const char *format, va_list args), file,
      NUMBER(file) NUMBER(flag), LISTED)

/* --- to descriptors ---------------------------------------------------------------- */

static int print_to(enum special special, uint64_t from, int fd, int flag, const char *format,
                    va_list args) {
    int old = errno;
    bool is_checked = special == SPECIAL___dprintf_chk || special == SPECIAL___vdprintf_chk;
    bool is_logged = __recut_locale_changes(format);
    struct text text = {.bytes = text.small};
    if (__recut_env_mode == ENV_RECORD) {
        if (is_logged) {
            va_list again;
            va_copy(again, args);
            format_text(&text, format, again);
            va_end(again);
            errno = old;
        }
        int result = vdprintf(fd, format, args);
        size_t length = strlen(format), logged = text.length > 0 ? (size_t)text.length : 0;
        unsigned char *p = __recut_special_write(special, from, old, 100 + length + logged);
        if (!p)
            return result;
        p = put_svarint(p, fd);
        if (is_checked)
            p = put_svarint(p, flag);
        p = put_raw(put_varint(p, 1 + length), format, length);
        p = __recut_special_result(p, result, old);
        p = put_varint(p, is_logged);
        if (is_logged)
            p = put_bytes(put_varint(p, OUTPUT_TEXT), text.bytes, logged);
        __recut_special_end(p);
        free_text(&text);
        return result;
    }
    if (!is_logged)
        format_text(&text, format, args);
    struct log_reader *log = __recut_special_read(special, from);
    __recut_special_input(log, "fd", fd);
    if (is_checked)
        __recut_special_input(log, "flag", flag);
    uint64_t coded = get_varint(log);
    get_raw(log, coded ? coded - 1 : 0);
    errno = old;
    int result = (int)__recut_special_take_result(log);
    const char *bytes = text.bytes;
    size_t size = text.length > 0 ? (size_t)text.length : 0;
    if (get_varint(log) != is_logged || (is_logged && get_varint(log) != OUTPUT_TEXT))
        log->damaged = true;
    if (is_logged)
        bytes = (const char *)get_bytes(log, &size);
    __recut_env_expected(log);
    if (result > 0)
        __recut_echo(__recut_echo_target(fd), bytes, size);
    free_text(&text);
    __recut_env_answered(log);
    return result;
}

#define PRINT_TO(name, parameters, flag, begin, end)                                               \
    int __recut_special_##name parameters;                                                         \
    int __recut_special_##name parameters {                                                        \
        begin int result = print_to(SPECIAL_##name, HERE, fd, flag, format, args);                 \
        end return result;                                                                         \
    }
#define START                                                                                      \
    va_list args;                                                                                  \
    va_start(args, format);
PRINT_TO(dprintf, (int fd, const char *format, ...), 0, START, va_end(args);)
PRINT_TO(vdprintf, (int fd, const char *format, va_list args), 0, , )
PRINT_TO(__dprintf_chk, (int fd, int flag, const char *format, ...), flag, START, va_end(args);)
PRINT_TO(__vdprintf_chk, (int fd, int flag, const char *format, va_list args), flag, , )

void __recut_special_perror(const char *);
void __recut_special_perror(const char *prefix) {
    struct output output = __recut_output_begin(SPECIAL_perror, HERE, stderr);
    struct message message;
    output.is_void = true;
    __recut_message_begin(&message);
    if (prefix && *prefix)
        __recut_message_add(&message, "%s: ", prefix);
    __recut_message_error(&message, output.old_errno);
    __recut_message_add(&message, "\n");
    output.is_logged = message.is_logged;
    __recut_output_text(&output, prefix ? prefix : "");
    if (__recut_env_mode == ENV_RECORD) {
        OUTPUT_CALL(output, message.length, (perror(prefix), 0));
        __recut_output_made(&output, 0, 0, message.bytes, message.length);
    } else {
        __recut_output_replay(&output, 0, message.bytes, message.length);
    }
    if (message.bytes != message.small)
        foreign_free(message.bytes);
    errno = output.old_errno;
}
