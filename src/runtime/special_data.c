/* How do strings and objects of specials get into the log and back?  See
 * special_data.h. */
#include "runtime/special_data.h"

#include <stdio.h>

#include "runtime/hash.h"
#include "runtime/owned.h"

void *__recut_special_real(enum special special) {
    static void *found[SPECIAL_COUNT];
    if (!found[special])
        found[special] = __recut_env_find(__recut_special_name(SPECIAL_BASE + special));
    return found[special];
}

/* --- inputs ------------------------------------------------------------------------- */

size_t __recut_special_text_bound(const char *text) { return 10 + (text ? strlen(text) : 0); }

unsigned char *__recut_special_put_text(unsigned char *p, const char *text) {
    size_t length = text ? strlen(text) : 0;
    return put_raw(put_varint(p, text ? 1 + length : 0), text ? text : "", length);
}

static struct diverge_place here(const struct log_reader *log) {
    return (struct diverge_place){log->site->name_text, log->site->return_address};
}

void __recut_special_text(struct log_reader *log, const char *name, const char *text) {
    uint64_t coded = get_varint(log);
    const unsigned char *recorded = get_raw(log, coded ? coded - 1 : 0);
    if (log->damaged)
        __recut_replay_damaged(log);
    size_t length = text ? strlen(text) : 0;
    if (coded == (text ? 1 + length : 0) && memcmp(recorded, text ? text : "", length) == 0)
        return;
    char old[256];
    snprintf(old, sizeof old, "%.*s", coded ? (int)(coded - 1) : 4,
             coded ? (const char *)recorded : "NULL");
    __recut_diverge(log, name, old, text ? text : "NULL", here(log));
}

uint32_t __recut_special_hash_of(const void *memory, size_t size) {
    return memory ? (uint32_t)__recut_hash(memory, size) : 0;
}

unsigned char *__recut_special_put_hash(unsigned char *p, const void *memory, size_t size) {
    return put_u32(p, __recut_special_hash_of(memory, size));
}

void __recut_special_hash_is(struct log_reader *log, const char *name, uint32_t hash) {
    if (get_u32(log) != hash && !log->damaged)
        __recut_diverge(log, name, "others", "these", here(log));
}

void __recut_special_hash(struct log_reader *log, const char *name, const void *memory,
                          size_t size) {
    __recut_special_hash_is(log, name, __recut_special_hash_of(memory, size));
}

/* --- outputs ------------------------------------------------------------------------ */

unsigned char *__recut_special_put_object(unsigned char *p, const void *object, size_t size) {
    p = put_varint(p, object != NULL);
    return object ? put_bytes(put_varint(p, OUTPUT_OBJECT), object, size) : p;
}

const unsigned char *__recut_special_take_object(struct log_reader *log, size_t *ret_size) {
    *ret_size = 0;
    uint64_t count = get_varint(log);
    if (count == 0)
        return NULL;
    if (count != 1 || get_varint(log) != OUTPUT_OBJECT)
        __recut_replay_damaged(log);
    const unsigned char *object = get_bytes(log, ret_size);
    if (!object)
        __recut_replay_damaged(log);
    return object;
}

void *__recut_special_take_block(struct log_reader *log) {
    size_t size;
    const unsigned char *object = __recut_special_take_object(log, &size);
    void *block = object ? owned_malloc(size) : NULL;
    return block ? memcpy(block, object, size) : NULL;
}

void __recut_special_done(struct log_reader *log) {
    int saved = errno;
    __recut_env_expected(log);
    __recut_env_answered(log);
    errno = saved;
}

/* --- parts -------------------------------------------------------------------------- */

void __recut_special_part(enum special special, uint64_t from, int64_t number, const void *object,
                          size_t size) {
    unsigned char *p = __recut_special_write(special, from, errno, 64 + size);
    if (!p)
        return;
    p = put_svarint(put_svarint(p, number), 0);
    p = put_u64(put_u64(p, 0), 0);
    __recut_special_end(__recut_special_put_object(p, object, size));
}

bool __recut_special_is_next(enum special special) {
    struct log_reader *log = &env_thread()->in;
    if (!log_next(log) || log->kind != EVENT_CALL)
        return false;
    struct log_reader ahead = *log;
    uint64_t site = get_varint(&ahead);
    return !ahead.damaged && site < log->site_count &&
           log->sites[site].index == SPECIAL_BASE + (uint32_t)special;
}

bool __recut_special_take_part(enum special special, uint64_t from, int64_t *ret_number,
                               const unsigned char **ret_object, size_t *ret_size) {
    struct log_reader *log = &env_thread()->in;
    if (!__recut_special_is_next(special))
        return false;
    __recut_special_read(special, from);
    *ret_number = get_svarint(log);
    if (get_svarint(log) != 0 || get_u64(log) != 0 || get_u64(log) != 0)
        __recut_replay_damaged(log);
    *ret_object = __recut_special_take_object(log, ret_size);
    __recut_special_done(log);
    return true;
}
