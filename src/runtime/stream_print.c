/*
 * The printf family to streams and descriptors, and perror.
 *
 * A replay formats again, since the text is shown and its length is the result;
 * snprintf() reads nothing but its arguments while the locale is "C".
 */
#include <stdarg.h>
#include <stdlib.h>

#include "runtime/echo.h"
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
        text->bytes = malloc((size_t)text->length + 1);
        vsnprintf(text->bytes, (size_t)text->length + 1, format, again);
    }
    va_end(again);
}

static void free_text(struct text *text) {
    if (text->bytes != text->small)
        free(text->bytes);
}

static int print(struct output *output, const char *format, va_list args) {
    if (__recut_env_mode == ENV_RECORD) {
        int result = vfprintf(output->file, format, args);
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
    if (__recut_env_mode == ENV_RECORD) {
        int result = vdprintf(fd, format, args);
        size_t length = strlen(format);
        unsigned char *p = __recut_special_write(special, from, old, 100 + length);
        if (!p)
            return result;
        p = put_svarint(p, fd);
        if (is_checked)
            p = put_svarint(p, flag);
        p = put_raw(put_varint(p, 1 + length), format, length);
        p = __recut_special_result(p, result, old);
        __recut_special_end(put_varint(p, 0));
        return result;
    }
    struct text text;
    format_text(&text, format, args);
    struct log_reader *log = __recut_special_read(special, from);
    __recut_special_input(log, "fd", fd);
    if (is_checked)
        __recut_special_input(log, "flag", flag);
    uint64_t coded = get_varint(log);
    get_raw(log, coded ? coded - 1 : 0);
    errno = old;
    int result = (int)__recut_special_take_result(log);
    if (get_varint(log) != 0)
        log->damaged = true;
    __recut_env_expected(log);
    if (result > 0)
        __recut_echo(__recut_echo_target(fd), text.bytes, (size_t)text.length);
    free_text(&text);
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
    output.is_void = true;
    char text[1024];
    bool has_prefix = prefix && *prefix;
    int length = snprintf(text, sizeof text, "%s%s%s\n", has_prefix ? prefix : "",
                          has_prefix ? ": " : "", strerror(output.old_errno));
    __recut_output_text(&output, prefix ? prefix : "");
    if (__recut_env_mode == ENV_RECORD) {
        errno = output.old_errno;
        perror(prefix);
        __recut_output_made(&output, 0, 0, text, (size_t)length);
    } else {
        __recut_output_replay(&output, 0, text, (size_t)length);
    }
    errno = output.old_errno;
}
