/*
 * The sprintf family, while the locale is not "C" (locale.h): what a format makes
 * that the locale has no say in is made again in a replay, the rest is logged.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/locale.h"
#include "runtime/special.h"

int __vsprintf_chk(char *, int, size_t, const char *, va_list);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);

struct printing {
    enum special special;
    uint64_t from;
    char *to;
    const char *format;
    bool is_bounded, is_checked;
    size_t size; /* is_bounded */
    int flag;    /* is_checked */
    size_t room;
};

static int print_real(const struct printing *printing, va_list args) {
    if (printing->is_bounded && printing->is_checked)
        return __vsnprintf_chk(printing->to, printing->size, printing->flag, printing->room,
                               printing->format, args);
    if (printing->is_bounded)
        return vsnprintf(printing->to, printing->size, printing->format, args);
    if (printing->is_checked)
        return __vsprintf_chk(printing->to, printing->flag, printing->room, printing->format, args);
    return vsprintf(printing->to, printing->format, args);
}

/* Bytes that a call left, with the NUL. */
static size_t written(const struct printing *printing, int result) {
    if (result < 0 || (printing->is_bounded && printing->size == 0))
        return 0;
    size_t size = (size_t)result + 1;
    return printing->is_bounded && size > printing->size ? printing->size : size;
}

static int print(const struct printing *printing, va_list args) {
    if (!__recut_locale_changes(printing->format))
        return print_real(printing, args);
    int old = errno;
    size_t length = strlen(printing->format);
    if (__recut_env_mode == ENV_RECORD) {
        int result = print_real(printing, args);
        size_t size = written(printing, result);
        unsigned char *p =
            __recut_special_write(printing->special, printing->from, old, 120 + length + size);
        if (!p)
            return result;
        if (printing->is_bounded)
            p = put_svarint(p, (int64_t)printing->size);
        if (printing->is_checked)
            p = put_svarint(put_svarint(p, printing->flag), (int64_t)printing->room);
        p = put_raw(put_varint(p, 1 + length), printing->format, length);
        p = put_varint(__recut_special_result(p, result, old), size != 0);
        if (size)
            p = put_bytes(put_varint(p, 0), printing->to, size);
        __recut_special_end(p);
        return result;
    }
    struct log_reader *log = __recut_special_read(printing->special, printing->from);
    if (printing->is_bounded)
        __recut_special_input(log, "n", (int64_t)printing->size);
    if (printing->is_checked) {
        __recut_special_input(log, "flag", printing->flag);
        __recut_special_input(log, "room", (int64_t)printing->room);
    }
    uint64_t coded = get_varint(log);
    get_raw(log, coded ? coded - 1 : 0);
    int result = (int)__recut_special_take_result(log);
    if (get_varint(log) == 1) {
        size_t size;
        uint64_t parameter = get_varint(log);
        const unsigned char *bytes = get_bytes(log, &size);
        if (parameter != 0 || size != written(printing, result))
            log->damaged = true;
        else
            memcpy(printing->to, bytes, size);
    }
    __recut_env_expected(log);
    __recut_env_answered(log);
    return result;
}

#define PRINT(name, parameters, fields, begin, end)                                                \
    int __recut_special_##name parameters;                                                         \
    int __recut_special_##name parameters {                                                        \
        struct printing printing = {                                                               \
            .special = SPECIAL_##name, .from = HERE, .to = to, .format = format, fields};          \
        begin int result = print(&printing, args);                                                 \
        end return result;                                                                         \
    }
#define START                                                                                      \
    va_list args;                                                                                  \
    va_start(args, format);
#define END va_end(args);
#define LIST(...) __VA_ARGS__
#define BOUNDED .is_bounded = true, .size = size
#define CHECKED .is_checked = true, .flag = flag, .room = room

PRINT(sprintf, (char *to, const char *format, ...), , START, END)
PRINT(vsprintf, (char *to, const char *format, va_list args), , , )
PRINT(snprintf, (char *to, size_t size, const char *format, ...), LIST(BOUNDED), START, END)
PRINT(__snprintf, (char *to, size_t size, const char *format, ...), LIST(BOUNDED), START, END)
PRINT(vsnprintf, (char *to, size_t size, const char *format, va_list args), LIST(BOUNDED), , )
PRINT(__vsnprintf, (char *to, size_t size, const char *format, va_list args), LIST(BOUNDED), , )
PRINT(__sprintf_chk, (char *to, int flag, size_t room, const char *format, ...), LIST(CHECKED),
      START, END)
PRINT(__vsprintf_chk, (char *to, int flag, size_t room, const char *format, va_list args),
      LIST(CHECKED), , )
PRINT(__snprintf_chk, (char *to, size_t size, int flag, size_t room, const char *format, ...),
      LIST(BOUNDED, CHECKED), START, END)
PRINT(__vsnprintf_chk,
      (char *to, size_t size, int flag, size_t room, const char *format, va_list args),
      LIST(BOUNDED, CHECKED), , )
