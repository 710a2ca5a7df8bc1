/* What do functions with code of their own share?  See special.h. */
#include "runtime/special.h"

#include "runtime/diverge.h"
#include "runtime/mirror.h"
#include "runtime/stream.h"

#define SPECIAL(name) void __recut_special_##name(void);
#define SPECIAL_INNER(name)
#define SPECIAL_OWN(name) SPECIAL(name)
#define SPECIAL_LOCALE(name) SPECIAL(name)
#define SPECIAL_FILTER(name) SPECIAL(name)
#define SPECIAL_FREE(name) SPECIAL(name)
#define SPECIAL_OWN_FREE(name) SPECIAL(name)
#include "runtime/specials.def"

static const struct {
    const char *name;
    void (*function)(void);
    enum { special_plain, special_own, special_locale, special_filter } kind;
    bool is_free;
} specials[] = {
#define SPECIAL(name) {#name, __recut_special_##name, special_plain, false},
#define SPECIAL_INNER(name) {#name, NULL, special_plain, false},
#define SPECIAL_OWN(name) {#name, __recut_special_##name, special_own, false},
#define SPECIAL_LOCALE(name) {#name, __recut_special_##name, special_locale, false},
#define SPECIAL_FILTER(name) {#name, __recut_special_##name, special_filter, false},
#define SPECIAL_FREE(name) {#name, __recut_special_##name, special_plain, true},
#define SPECIAL_OWN_FREE(name) {#name, __recut_special_##name, special_own, true},
#include "runtime/specials.def"
};

static unsigned lookup(const char *name, size_t length) {
    unsigned i = 0;
    while (i < SPECIAL_COUNT &&
           (strncmp(specials[i].name, name, length) != 0 || specials[i].name[length] != '\0'))
        i++;
    return i;
}

/* Events of a filter are the generic ones. */
uint64_t __recut_special_index(const char *name, size_t length) {
    unsigned i = lookup(name, length);
    return i == SPECIAL_COUNT || specials[i].kind == special_filter ? ENV_NONE : SPECIAL_BASE + i;
}

static void *find(const char *name, bool in_locale) {
    unsigned i = lookup(name, strlen(name));
    if (i == SPECIAL_COUNT || (specials[i].kind >= special_locale) != in_locale)
        return NULL;
    return (void *)specials[i].function;
}

void *__recut_special_find(const char *name) { return find(name, false); }
void *__recut_special_find_locale(const char *name) { return find(name, true); }

bool __recut_special_stays(const char *name) {
    unsigned i = lookup(name, strlen(name));
    return i < SPECIAL_COUNT && specials[i].kind == special_own;
}

bool __recut_special_is_free(const char *name) {
    unsigned i = lookup(name, strlen(name));
    return i < SPECIAL_COUNT && specials[i].is_free;
}

const char *__recut_special_name(uint64_t index) { return specials[index - SPECIAL_BASE].name; }

unsigned char *__recut_special_write(enum special special, uint64_t from, int old, size_t bound) {
    struct log_writer *log = &env_thread()->out;
    if (!env_is_from_program(from)) {
        __recut_stream_doubt(); /* a stream may be what a library used */
        return NULL;
    }
    uint32_t site = __recut_env_site(log, from, SPECIAL_BASE + special);
    unsigned char *p = log_begin(log, env_call_head(errno != old), bound + 40);
    return p ? put_varint(p, site) : NULL;
}

unsigned char *__recut_special_result(unsigned char *p, int64_t result, int old) {
    return __recut_special_errno(put_svarint(p, result), old);
}

unsigned char *__recut_special_errno(unsigned char *p, int old) {
    return errno != old ? put_svarint(p, errno) : p;
}

void __recut_special_end(unsigned char *p) {
    struct log_writer *log = &env_thread()->out;
    log->events++;
    log_end(log, p);
    __recut_env_note(log);
}

struct log_reader *__recut_special_read(enum special special, uint64_t from) {
    struct log_reader *log = &env_thread()->in;
    __recut_env_expect(log, from, SPECIAL_BASE + special);
    return log;
}

void __recut_special_input(struct log_reader *log, const char *name, int64_t value) {
    int64_t recorded = get_svarint(log);
    struct diverge_place now = {log->site->name_text, log->site->return_address};
    if (log->damaged)
        __recut_replay_damaged(log);
    if (recorded != value)
        __recut_diverge_number(log, name, recorded, value, now);
}

int64_t __recut_special_take_result(struct log_reader *log) {
    int64_t result = get_svarint(log);
    __recut_special_take_errno(log);
    return result;
}

void __recut_special_take_errno(struct log_reader *log) {
    if (log->flags & EVENT_ERRNO)
        errno = (int)get_svarint(log);
}

unsigned char *__recut_special_string(unsigned char *p, const char *text, char **ret) {
    size_t length = text ? strlen(text) : 0;
    unsigned char head[10];
    *ret = text ? __recut_mirror_text(text, length) : NULL;
    if (!text)
        return put_varint(p, 0);
    p = put_varint(p, 1 + (uint64_t)(put_varint(head, length) - head) + length);
    return put_bytes(p, text, length);
}

char *__recut_special_take_string(struct log_reader *log) {
    size_t length;
    if (get_varint(log) == 0)
        return NULL;
    const unsigned char *text = get_bytes(log, &length);
    return text ? __recut_mirror_text(text, length) : NULL;
}
