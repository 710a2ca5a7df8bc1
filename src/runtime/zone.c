/*
 * tzset and mktime: time zones, where a model cannot say it all.
 *
 * mktime() leaves a pointer to the name of the zone in the program's structure;
 * the program gets a copy of the name there, as with localtime().  What these
 * do to tzname, timezone and daylight is told by imports.h.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "runtime/hash.h"
#include "runtime/imports.h"
#include "runtime/mirror.h"
#include "runtime/special.h"

static void take_outputs(struct log_reader *log, struct tm *tm) {
    for (uint64_t left = get_varint(log); left && !log->damaged; left--) {
        uint64_t tag = get_varint(log);
        size_t size;
        const unsigned char *bytes = get_bytes(log, &size);
        if (tag == OUTPUT_TEXT && tm)
            tm->tm_zone = __recut_mirror_text(bytes, size);
        else if (tag == 0 && tm && size == sizeof *tm)
            memcpy(tm, bytes, size);
        else if (!bytes || !__recut_imports_take(tag, bytes, size))
            log->damaged = true;
    }
    __recut_env_expected(log);
    __recut_env_answered(log);
}

void __recut_special_tzset(void);
void __recut_special_tzset(void) {
    int old = errno;
    size_t bound = 40;
    if (__recut_env_mode != ENV_RECORD) {
        struct log_reader *log = __recut_special_read(SPECIAL_tzset, HERE);
        __recut_special_take_errno(log);
        take_outputs(log, NULL);
        return;
    }
    __recut_imports_before();
    tzset();
    unsigned outputs = __recut_imports_changed(&bound);
    unsigned char *p = __recut_special_write(SPECIAL_tzset, HERE, old, bound);
    if (!p)
        return;
    p = put_varint(__recut_special_errno(p, old), outputs);
    __recut_special_end(__recut_imports_put(p));
}

static time_t make(enum special special, uint64_t from, struct tm *tm,
                   time_t (*real)(struct tm *)) {
    int old = errno;
    uint32_t hash = (uint32_t)__recut_hash(tm, sizeof *tm);
    if (__recut_env_mode != ENV_RECORD) {
        struct log_reader *log = __recut_special_read(special, from);
        uint32_t recorded = get_u32(log);
        struct diverge_place now = {log->site->name_text, from};
        if (recorded != hash && !log->damaged)
            __recut_diverge(log, "contents of tm", "others", "these", now);
        time_t result = (time_t)__recut_special_take_result(log);
        take_outputs(log, tm);
        return result;
    }
    const char *zone_before = tm->tm_zone;
    __recut_imports_before();
    time_t result = real(tm);
    const char *zone = tm->tm_zone != zone_before ? tm->tm_zone : NULL;
    size_t length = zone ? strlen(zone) : 0, bound = 120 + sizeof *tm + length;
    unsigned outputs = __recut_imports_changed(&bound);
    unsigned char *p = __recut_special_write(special, from, old, bound);
    if (!p)
        return result;
    p = __recut_special_result(put_u32(p, hash), result, old);
    p = put_varint(p, 1 + (zone != NULL) + outputs);
    if (zone) {
        p = put_bytes(put_varint(p, OUTPUT_TEXT), zone, length);
        tm->tm_zone = __recut_mirror_text(zone, length);
    }
    p = put_bytes(put_varint(p, 0), tm, sizeof *tm);
    __recut_special_end(__recut_imports_put(p));
    return result;
}

#define MAKE(name)                                                                                 \
    time_t __recut_special_##name(struct tm *);                                                    \
    time_t __recut_special_##name(struct tm *tm) { return make(SPECIAL_##name, HERE, tm, name); }
MAKE(mktime)
MAKE(timelocal)
MAKE(timegm)
