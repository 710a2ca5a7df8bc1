/* How do objects of the environment get into replay space?  See mirror.h. */
#include "runtime/mirror.h"

#include <errno.h>

#include "format/layout.h"
#include "runtime/hash.h"
#include "runtime/raw.h"

enum { most_nodes = 65536, most_depth = 512 };

/* --- packing ------------------------------------------------------------------- */

static uint64_t object_size(const struct model_type *type, const char *object) {
    uint16_t size = 0;
    if (!type->size_offset)
        return type->size;
    memcpy(&size, object + type->size_offset, sizeof size);
    return size < type->size ? size : type->size;
}

static const void *pointer_at(const char *object, uint32_t offset) {
    const void *pointer;
    memcpy(&pointer, object + offset, sizeof pointer);
    return pointer;
}

static size_t count_of(const void *const *vector) {
    size_t n = 0;
    while (vector[n])
        n++;
    return n;
}

static uint32_t field_count(const char *object, const struct model_field *field) {
    uint32_t count;
    memcpy(&count, object + field->count, sizeof count);
    return count;
}

static size_t pack_size(const struct model_table *table, uint32_t id, const char *object,
                        unsigned depth) {
    const struct model_type *type = model_table_type(table, id);
    uint64_t size = object_size(type, object);
    size_t need = 10 + size;
    for (uint32_t i = 0; i < type->field_count && depth < most_depth; i++) {
        const struct model_field *field = model_table_field(table, type, i);
        need += 10;
        if (field->offset + 8 > size)
            continue;
        const void *target = pointer_at(object, field->offset);
        if (!target)
            continue;
        switch (field->kind) {
        case MODEL_FIELD_STRING:
            need += strlen(target);
            break;
        case MODEL_FIELD_STRINGS:
            for (const char *const *at = target; *at; at++)
                need += 10 + strlen(*at);
            break;
        case MODEL_FIELD_TYPE:
            need += pack_size(table, field->type, target, depth + 1);
            break;
        case MODEL_FIELD_BYTES:
            need += field_count(object, field);
            break;
        case MODEL_FIELD_VECTOR:
            need += count_of(target) * (10 + (size_t)field_count(object, field));
            break;
        }
    }
    return need;
}

size_t __recut_pack_size(const struct model_table *table, uint32_t type, const void *object) {
    return type ? pack_size(table, type, object, 0) : 10 + strlen(object);
}

static unsigned char *pack(unsigned char *p, const struct model_table *table, uint32_t id,
                           const char *object, unsigned depth) {
    const struct model_type *type = model_table_type(table, id);
    uint64_t size = object_size(type, object);
    p = put_bytes(p, object, size);
    for (uint32_t i = 0; i < type->field_count && depth < most_depth; i++) {
        const struct model_field *field = model_table_field(table, type, i);
        const void *target = field->offset + 8 <= size ? pointer_at(object, field->offset) : NULL;
        if (!target) {
            p = put_varint(p, 0);
            continue;
        }
        switch (field->kind) {
        case MODEL_FIELD_STRING: {
            size_t length = strlen(target);
            p = put_raw(put_varint(p, 1 + length), target, length);
            break;
        }
        case MODEL_FIELD_STRINGS:
            p = put_varint(p, 1 + count_of(target));
            for (const char *const *at = target; *at; at++)
                p = put_bytes(p, *at, strlen(*at));
            break;
        case MODEL_FIELD_TYPE:
            p = pack(put_varint(p, depth + 1 < most_depth), table, field->type, target, depth + 1);
            break;
        case MODEL_FIELD_BYTES: {
            uint32_t length = field_count(object, field);
            p = put_raw(put_varint(p, 1 + (uint64_t)length), target, length);
            break;
        }
        case MODEL_FIELD_VECTOR: {
            uint32_t length = field_count(object, field);
            p = put_varint(p, 1 + count_of(target));
            for (const void *const *at = target; *at; at++)
                p = put_bytes(p, *at, length);
            break;
        }
        }
    }
    return p;
}

unsigned char *__recut_pack(unsigned char *p, const struct model_table *table, uint32_t type,
                            const void *object) {
    return type ? pack(p, table, type, object, 0) : put_bytes(p, object, strlen(object));
}

/* --- memory --------------------------------------------------------------------- */

struct block {
    uint64_t key;
    char *memory;
    size_t size;
};
enum { most_blocks = 1024, interned_most = 4096 };
static struct block blocks[most_blocks];
static unsigned block_count;
static char *mirror_at = (char *)RECUT_MIRROR_BASE, *mirror_mapped = (char *)RECUT_MIRROR_BASE;

static char *extend(size_t size) {
    enum { step = 256 * 1024 };
    size = (size + 15) / 16 * 16;
    while ((size_t)(mirror_mapped - mirror_at) < size) {
        size_t more = (size + step - 1) / step * step;
        if ((uint64_t)mirror_mapped + more > RECUT_MIRROR_END ||
            raw_map_at((uint64_t)mirror_mapped, more) != 0)
            return NULL;
        mirror_mapped += more;
    }
    char *memory = mirror_at;
    mirror_at += size;
    return memory;
}

void *__recut_mirror_take(size_t size) { return extend(size); }

static char *block_for(uint64_t key, size_t size) {
    unsigned i = 0;
    while (i < block_count && blocks[i].key != key)
        i++;
    if (i == most_blocks)
        return extend(size);
    if (i == block_count)
        blocks[block_count++].key = key;
    if (blocks[i].size < size) {
        blocks[i].memory = extend(2 * size);
        blocks[i].size = blocks[i].memory ? 2 * size : 0;
    }
    return blocks[i].memory;
}

/* Strings that stay: each text once. */
static char *intern(const unsigned char *text, size_t length) {
    static struct {
        char *text;
        size_t length;
    } kept[interned_most];
    static unsigned kept_count;
    for (unsigned i = 0; i < kept_count; i++)
        if (kept[i].length == length && memcmp(kept[i].text, text, length) == 0)
            return kept[i].text;
    char *memory = extend(length + 1);
    if (!memory)
        return NULL;
    memcpy(memory, text, length);
    memory[length] = '\0';
    if (kept_count < interned_most) {
        kept[kept_count].text = memory;
        kept[kept_count++].length = length;
    }
    return memory;
}

char *__recut_mirror_text(const void *text, size_t length) { return intern(text, length); }

/* --- unpacking ------------------------------------------------------------------ */

struct unpacker {
    struct log_reader *from;
    const struct model_table *table;
    char *at, *end; /* memory that is left; NULL: everything is interned */
    unsigned nodes;
};

static char *take(struct unpacker *u, size_t size) {
    size = (size + 15) / 16 * 16;
    if (!u->at)
        return extend(size);
    if ((size_t)(u->end - u->at) < size)
        return NULL;
    char *memory = u->at;
    u->at += size;
    return memory;
}

/* A string or bytes of this length, with a NUL behind them. */
static char *take_text(struct unpacker *u, uint64_t length) {
    const unsigned char *text = get_raw(u->from, length);
    if (!text)
        return NULL;
    if (!u->at)
        return intern(text, length);
    char *memory = take(u, length + 1);
    if (memory) {
        memcpy(memory, text, length);
        memory[length] = '\0';
    }
    return memory;
}

static void *take_vector(struct unpacker *u, uint64_t count) {
    if (count > most_nodes || u->from->damaged)
        return NULL;
    char **vector = (char **)(void *)take(u, (count + 1) * sizeof *vector);
    for (uint64_t i = 0; vector && i < count; i++)
        vector[i] = take_text(u, get_varint(u->from));
    if (vector)
        vector[count] = NULL;
    return vector;
}

static char *unpack(struct unpacker *u, uint32_t id, char *object) {
    const struct model_type *type = model_table_type(u->table, id);
    size_t size;
    const unsigned char *bytes = get_bytes(u->from, &size);
    if (!bytes || size > type->size || u->nodes++ > most_nodes)
        return NULL;
    if (!object && !(object = take(u, type->size)))
        return NULL;
    memcpy(object, bytes, size);
    for (uint32_t i = 0; i < type->field_count && !u->from->damaged; i++) {
        const struct model_field *field = model_table_field(u->table, type, i);
        uint64_t count = get_varint(u->from);
        void *target = NULL;
        if (count && field->kind == MODEL_FIELD_TYPE)
            target = unpack(u, field->type, NULL);
        else if (count && (field->kind == MODEL_FIELD_STRING || field->kind == MODEL_FIELD_BYTES))
            target = take_text(u, count - 1);
        else if (count)
            target = take_vector(u, count - 1);
        if (field->offset + 8 <= size)
            memcpy(object + field->offset, &target, sizeof target);
    }
    return object;
}

void *__recut_unpack(struct log_reader *from, const struct model_table *table, uint32_t type,
                     uint64_t key) {
    /* Nothing grows more than this: a pointer for each byte, and rounding up. */
    size_t need = 32 * (size_t)(from->end - from->at) + 1024;
    char *memory = block_for(key, need);
    if (!memory)
        return NULL;
    struct unpacker u = {.from = from, .table = table, .at = memory, .end = memory + need};
    return type ? unpack(&u, type, NULL) : take_text(&u, get_varint(from));
}

bool __recut_unpack_into(struct log_reader *from, const struct model_table *table, uint32_t type,
                         void *object) {
    struct unpacker u = {.from = from, .table = table};
    return unpack(&u, type, object) != NULL;
}
