/*
 * Text in other languages and other codes: gettext, nl_langinfo, iconv.
 *
 * Without a translation gettext() returns the text that it was given, and
 * nothing is logged.  A translation stays where it is for good, as in libc: the
 * program's copy is one that stays, too.
 */
#include <errno.h>
#include <iconv.h>
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <stdlib.h>

#include "runtime/answers.h"
#include "runtime/hash.h"
#include "runtime/mirror.h"
#include "runtime/special.h"

/* --- messages -------------------------------------------------------------------------- */

/* The parameters as models have them: strings come first. */
struct translation {
    enum special special;
    uint64_t from;
    const char *strings[3];
    unsigned string_count;
    int64_t numbers[2];
    unsigned number_count;
    const char *same; /* what it returns without a translation */
};

static size_t length_of(const char *text) { return text ? strlen(text) : 0; }

static char *record_message(const struct translation *message, const char *real) {
    int now = errno; /* none of these changes it */
    struct log_writer *log = &env_thread()->out;
    if (real && real == message->same) {
        env_skip(log, message->from);
        return (char *)real;
    }
    size_t length = length_of(real), bound = 100 + length;
    for (unsigned i = 0; i < message->string_count; i++)
        bound += 10 + length_of(message->strings[i]);
    unsigned char *p = __recut_special_write(message->special, message->from, now, bound);
    if (!p)
        return (char *)real;
    for (unsigned i = 0; i < message->string_count; i++) {
        const char *text = message->strings[i];
        p = put_raw(put_varint(p, text ? 1 + length_of(text) : 0), text ? text : "",
                    length_of(text));
    }
    for (unsigned i = 0; i < message->number_count; i++)
        p = put_svarint(p, message->numbers[i]);
    char *copy;
    p = __recut_special_string(p, real, &copy);
    __recut_special_end(put_varint(p, 0));
    return copy;
}

static char *replay_message(const struct translation *message) {
    if (message->same && env_skips(&env_thread()->in, message->from))
        return (char *)message->same;
    struct log_reader *log = __recut_special_read(message->special, message->from);
    for (unsigned i = 0; i < message->string_count; i++) {
        uint64_t coded = get_varint(log);
        get_raw(log, coded ? coded - 1 : 0);
    }
    for (unsigned i = 0; i < message->number_count; i++)
        __recut_special_input(log, "argument", message->numbers[i]);
    char *result = __recut_special_take_string(log);
    if (get_varint(log) != 0)
        log->damaged = true;
    __recut_env_expected(log);
    __recut_env_answered(log);
    return result;
}

#define MESSAGE(name, parameters, strings, string_count, numbers, number_count, same, call)        \
    char *__recut_special_##name parameters;                                                       \
    char *__recut_special_##name parameters {                                                      \
        struct translation message = {SPECIAL_##name, HERE,         {strings}, string_count,       \
                                      {numbers},      number_count, same};                         \
        return __recut_env_mode == ENV_RECORD ? record_message(&message, call)                     \
                                              : replay_message(&message);                          \
    }
#define LIST(...) __VA_ARGS__
#define PLURAL (n == 1 ? one : many)

MESSAGE(gettext, (const char *s), s, 1, 0, 0, s, dcgettext(NULL, s, LC_MESSAGES))
MESSAGE(dgettext, (const char *domain, const char *s), LIST(domain, s), 2, 0, 0, s,
        dcgettext(domain, s, LC_MESSAGES))
MESSAGE(__dgettext, (const char *domain, const char *s), LIST(domain, s), 2, 0, 0, s,
        dcgettext(domain, s, LC_MESSAGES))
MESSAGE(dcgettext, (const char *domain, const char *s, int category), LIST(domain, s), 2, category,
        1, s, dcgettext(domain, s, category))
MESSAGE(__dcgettext, (const char *domain, const char *s, int category), LIST(domain, s), 2,
        category, 1, s, dcgettext(domain, s, category))
MESSAGE(ngettext, (const char *one, const char *many, unsigned long n), LIST(one, many), 2,
        (int64_t)n, 1, PLURAL, dcngettext(NULL, one, many, n, LC_MESSAGES))
MESSAGE(dngettext, (const char *domain, const char *one, const char *many, unsigned long n),
        LIST(domain, one, many), 3, (int64_t)n, 1, PLURAL,
        dcngettext(domain, one, many, n, LC_MESSAGES))
MESSAGE(dcngettext,
        (const char *domain, const char *one, const char *many, unsigned long n, int category),
        LIST(domain, one, many), 3, LIST((int64_t)n, category), 2, PLURAL,
        dcngettext(domain, one, many, n, category))
MESSAGE(nl_langinfo, (nl_item item), NULL, 0, item, 1, NULL, nl_langinfo(item))
MESSAGE(nl_langinfo_l, (nl_item item, locale_t locale), NULL, 0, LIST(item, (intptr_t)locale), 2,
        NULL, nl_langinfo_l(item, locale))

/* --- codes ----------------------------------------------------------------------------- */

/* One output holds what was written where `out` pointed; the pointers and what is
 * left follow from how far each went. */
size_t __recut_special_iconv(iconv_t, char **, size_t *, char **, size_t *);
size_t __recut_special_iconv(iconv_t conversion, char **in, size_t *in_left, char **out,
                             size_t *out_left) {
    int old = errno;
    const void *const inputs[] = {in, in_left, out, out_left};
    uint32_t hashes[4];
    for (unsigned i = 0; i < 4; i++)
        hashes[i] = inputs[i] ? (uint32_t)__recut_hash(inputs[i], sizeof(void *)) : 0;
    if (__recut_env_mode == ENV_RECORD) {
        char *in_before = in ? *in : NULL, *out_before = out ? *out : NULL;
        size_t result = iconv(conversion, in, in_left, out, out_left);
        size_t taken = in_before ? (size_t)(*in - in_before) : 0;
        size_t given = out_before ? (size_t)(*out - out_before) : 0;
        unsigned char *p = __recut_special_write(SPECIAL_iconv, HERE, old, 120 + given);
        if (!p)
            return result;
        p = put_svarint(p, (intptr_t)conversion);
        for (unsigned i = 0; i < 4; i++)
            p = put_u32(p, hashes[i]);
        p = __recut_special_result(p, (int64_t)result, old);
        p = put_varint(p, 2);
        p = put_varint(p, OUTPUT_CONSUMED);
        unsigned char *size = p++;
        p = put_svarint(p, (int64_t)taken);
        *size = (unsigned char)(p - size - 1);
        p = put_bytes(put_varint(p, OUTPUT_OBJECT), out_before ? out_before : "", given);
        __recut_special_end(p);
        return result;
    }
    struct log_reader *log = __recut_special_read(SPECIAL_iconv, HERE);
    __recut_special_input(log, "conversion", (intptr_t)conversion);
    struct diverge_place now = {"iconv", HERE};
    for (unsigned i = 0; i < 4; i++)
        if (get_u32(log) != hashes[i] && !log->damaged)
            __recut_diverge(log, "argument", "another", "this", now);
    size_t result = (size_t)__recut_special_take_result(log);
    for (uint64_t left = get_varint(log); left && !log->damaged; left--) {
        uint64_t tag = get_varint(log);
        size_t size;
        const unsigned char *bytes = get_bytes(log, &size);
        struct log_reader number = {.at = bytes, .end = bytes + size};
        size_t taken = tag == OUTPUT_CONSUMED ? (size_t)get_svarint(&number) : 0;
        if (taken && in && *in && *in_left >= taken) {
            *in += taken;
            *in_left -= taken;
        } else if (tag == OUTPUT_OBJECT && size && out && *out && *out_left >= size) {
            __recut_answer_writes(*out, size);
            memcpy(*out, bytes, size);
            *out += size;
            *out_left -= size;
        } else if (taken || (tag == OUTPUT_OBJECT && size)) {
            log->damaged = true;
        }
    }
    __recut_env_expected(log);
    __recut_env_answered(log);
    return result;
}
