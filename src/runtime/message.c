/* err, warn, error, psignal, herror: what do they print?  See message.h. */
#include "runtime/message.h"

#include <errno.h>
#include <error.h>
#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/locale.h"
#include "runtime/owned.h"
#include "runtime/stream_out.h"

void __recut_message_begin(struct message *message) {
    message->bytes = message->small;
    message->length = 0;
    message->capacity = sizeof message->small;
    message->is_logged = false;
}

void __recut_message_list(struct message *message, const char *format, va_list args) {
    int old = errno;
    va_list again;
    va_copy(again, args);
    size_t room = message->capacity - message->length;
    message->is_logged |= __recut_locale_changes(format);
    int length = vsnprintf(message->bytes + message->length, room, format, args);
    if (length >= 0 && (size_t)length >= room) {
        size_t capacity = message->length + (size_t)length + 1;
        char *larger = foreign_malloc(capacity);
        if (larger) {
            memcpy(larger, message->bytes, message->length);
            if (message->bytes != message->small)
                foreign_free(message->bytes);
            message->bytes = larger;
            message->capacity = capacity;
            errno = old; /* %m */
            vsnprintf(larger + message->length, (size_t)length + 1, format, again);
        } else {
            length = (int)room - 1;
        }
    }
    message->length += length > 0 ? (size_t)length : 0;
    va_end(again);
    errno = old;
}

void __recut_message_add(struct message *message, const char *format, ...) {
    va_list args;
    va_start(args, format);
    __recut_message_list(message, format, args);
    va_end(args);
}

void __recut_message_error(struct message *message, int number) {
    int old = errno;
    errno = number;
    __recut_message_add(message, "%m");
    errno = old;
}

void __recut_message_end(struct message *message, uint64_t from, const char *name) {
    int old = errno;
    struct output output = __recut_output_begin(SPECIAL_fputs, from, stderr);
    message->bytes[message->length] = '\0';
    output.is_logged = message->is_logged;
    __recut_output_text(&output, message->is_logged ? name : message->bytes);
    __recut_output_number(&output, (intptr_t)stderr);
    if (__recut_env_mode == ENV_OFF)
        fputs(message->bytes, stderr);
    else if (__recut_env_mode == ENV_REPLAY)
        __recut_output_replay(&output, 1, message->bytes, message->length);
    else
        __recut_output_made(&output,
                            OUTPUT_CALL(output, message->length, fputs(message->bytes, stderr)), 1,
                            message->bytes, message->length);
    if (message->bytes != message->small)
        foreign_free(message->bytes);
    errno = old;
}

/* --- err.h ------------------------------------------------------------------------------- */

static void warn_list(uint64_t from, bool has_error, const char *format, va_list args) {
    struct message message;
    int number = errno;
    __recut_message_begin(&message);
    __recut_message_add(&message, "%s: ", program_invocation_short_name);
    if (format)
        __recut_message_list(&message, format, args);
    if (has_error) {
        if (format)
            __recut_message_add(&message, ": ");
        __recut_message_error(&message, number);
    }
    __recut_message_add(&message, "\n");
    __recut_message_end(&message, from, format ? format : "");
}

#define WARN(name, has_error)                                                                      \
    void __recut_special_##name(const char *, ...);                                                \
    void __recut_special_##name(const char *format, ...) {                                         \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        warn_list(HERE, has_error, format, args);                                                  \
        va_end(args);                                                                              \
    }                                                                                              \
    void __recut_special_v##name(const char *, va_list);                                           \
    void __recut_special_v##name(const char *format, va_list args) {                               \
        warn_list(HERE, has_error, format, args);                                                  \
    }
WARN(warn, true)
WARN(warnx, false)

#define ERR(name, has_error)                                                                       \
    void __recut_special_##name(int, const char *, ...) __attribute__((noreturn));                 \
    void __recut_special_##name(int status, const char *format, ...) {                             \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        warn_list(HERE, has_error, format, args);                                                  \
        exit(status);                                                                              \
    }                                                                                              \
    void __recut_special_v##name(int, const char *, va_list) __attribute__((noreturn));            \
    void __recut_special_v##name(int status, const char *format, va_list args) {                   \
        warn_list(HERE, has_error, format, args);                                                  \
        exit(status);                                                                              \
    }
ERR(err, true)
ERR(errx, false)

/* --- error.h ----------------------------------------------------------------------------- */

struct place {
    const char *file;
    unsigned line;
};

static void error_list(uint64_t from, int status, int number, const struct place *place,
                       const char *format, va_list args) {
    struct message message;
    int old = errno;
    __recut_flush(from, stdout);
    __recut_message_begin(&message);
    if (error_print_progname)
        error_print_progname();
    else
        __recut_message_add(&message, place ? "%s:" : "%s: ", program_invocation_name);
    if (place && place->file)
        __recut_message_add(&message, "%s:%u: ", place->file, place->line);
    else if (place)
        __recut_message_add(&message, " ");
    errno = old;
    __recut_message_list(&message, format, args);
    ++error_message_count;
    if (number) {
        __recut_message_add(&message, ": ");
        __recut_message_error(&message, number);
    }
    __recut_message_add(&message, "\n");
    __recut_message_end(&message, from, format);
    __recut_flush(from, stderr);
    if (status)
        exit(status);
}

void __recut_special_error(int, int, const char *, ...);
void __recut_special_error(int status, int number, const char *format, ...) {
    va_list args;
    va_start(args, format);
    error_list(HERE, status, number, NULL, format, args);
    va_end(args);
}

void __recut_special_error_at_line(int, int, const char *, unsigned, const char *, ...);
void __recut_special_error_at_line(int status, int number, const char *file, unsigned line,
                                   const char *format, ...) {
    static struct place last;
    if (error_one_per_line) {
        bool again = last.line == line &&
                     (file == last.file || (file && last.file && strcmp(file, last.file) == 0));
        if (again)
            return;
        last = (struct place){file, line};
    }
    struct place place = {file, line};
    va_list args;
    va_start(args, format);
    error_list(HERE, status, number, &place, format, args);
    va_end(args);
}

/* --- signals, hosts, errors -------------------------------------------------------------- */

static void say(uint64_t from, const char *prefix, const char *text, bool is_logged) {
    struct message message;
    __recut_message_begin(&message);
    message.is_logged = is_logged;
    if (prefix && *prefix)
        __recut_message_add(&message, "%s: ", prefix);
    __recut_message_add(&message, "%s\n", text);
    __recut_message_end(&message, from, prefix ? prefix : "");
}

void __recut_special_psignal(int, const char *);
void __recut_special_psignal(int number, const char *prefix) {
    char unknown[40];
    snprintf(unknown, sizeof unknown, "Unknown signal %d", number);
    say(HERE, prefix, sigdescr_np(number) ? strsignal(number) : unknown, !__recut_locale_is_c);
}

/* What failed last is known to libc alone. */
void __recut_special_herror(const char *);
void __recut_special_herror(const char *prefix) {
    say(HERE, prefix, __recut_env_mode == ENV_RECORD ? hstrerror(h_errno) : "", true);
}
