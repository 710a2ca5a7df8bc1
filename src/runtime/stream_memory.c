/* What do streams in memory leave there?  See stream_memory.h. */
#include "runtime/stream_memory.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "runtime/hash.h"
#include "runtime/owned.h"
#include "runtime/special.h"
#include "runtime/stream.h"

enum { most_streams = 256 };

static struct memory {
    FILE *file;  /* NULL: free */
    size_t unit; /* bytes of a character; 0: the buffer is the program's */
    /* unit is 0: */
    char *buffer;
    size_t size;
    /* else: where the program wants them, */
    void **ret_buffer;
    size_t *ret_size;
    /* what libc has, */
    char *real;
    size_t real_count;
    /* and the program's copy. */
    char *block;
    size_t block_size;
} memories[most_streams];
static unsigned memory_count; /* up to here they were ever used */

static struct memory *find(const FILE *file) {
    for (unsigned i = 0; file && i < memory_count; i++)
        if (memories[i].file == file)
            return &memories[i];
    return NULL;
}

static struct memory *add(void) {
    unsigned i = 0;
    while (i < memory_count && memories[i].file)
        i++;
    if (i == most_streams)
        return NULL;
    if (i == memory_count)
        memory_count++;
    memories[i] = (struct memory){0};
    return &memories[i];
}

bool __recut_memory_has(const FILE *file) { return find(file) != NULL; }

void __recut_memory_forget(const FILE *file) {
    struct memory *memory = find(file);
    if (!memory)
        return;
    if (memory->unit && __recut_env_mode != ENV_REPLAY)
        foreign_free(memory->real);
    memory->file = NULL;
}

/* --- contents ---------------------------------------------------------------------------- */

static size_t content_size(const struct memory *memory) {
    return memory->unit ? memory->real_count * memory->unit : memory->size;
}

/* Puts contents where the program looks for them. */
static bool settle(struct memory *memory, const void *bytes, size_t size) {
    if (!memory->unit) {
        if (size != memory->size)
            return false;
        if (bytes != memory->buffer)
            memcpy(memory->buffer, bytes, size);
        return true;
    }
    size_t need = size + memory->unit;
    if (memory->block_size < need) {
        memory->block = owned_realloc(memory->block, need);
        memory->block_size = memory->block ? need : 0;
    }
    if (!memory->block)
        return false;
    if (size)
        memcpy(memory->block, bytes, size);
    memset(memory->block + size, 0, memory->unit);
    *memory->ret_buffer = memory->block;
    *memory->ret_size = size / memory->unit;
    return true;
}

unsigned __recut_memory_outputs(const FILE *file, size_t *bound) {
    unsigned count = 0;
    for (unsigned i = 0; i < memory_count; i++)
        if (memories[i].file && (!file || memories[i].file == file)) {
            *bound += 40 + content_size(&memories[i]);
            count++;
        }
    return count;
}

unsigned char *__recut_memory_put(unsigned char *p, const FILE *file) {
    for (unsigned i = 0; i < memory_count; i++) {
        struct memory *memory = &memories[i];
        if (!memory->file || (file && memory->file != file))
            continue;
        size_t size = content_size(memory);
        const char *bytes = memory->unit ? memory->real : memory->buffer;
        unsigned char head[10];
        size_t head_size = (size_t)(put_varint(head, i) - head);
        p = put_varint(put_varint(p, OUTPUT_KEPT), head_size + size);
        p = put_raw(put_raw(p, head, head_size), size ? bytes : "", size);
        settle(memory, bytes, size);
    }
    return p;
}

void __recut_memory_sync(const FILE *file) {
    for (unsigned i = 0; i < memory_count; i++)
        if (memories[i].unit && memories[i].file && (!file || memories[i].file == file))
            settle(&memories[i], memories[i].real, content_size(&memories[i]));
}

bool __recut_memory_take(uint64_t tag, const unsigned char *bytes, size_t size) {
    struct log_reader body = {.at = bytes, .end = bytes + size};
    if (tag != OUTPUT_KEPT || !bytes)
        return false;
    uint64_t i = get_varint(&body);
    return !body.damaged && i < memory_count && memories[i].file &&
           settle(&memories[i], body.at, (size_t)(body.end - body.at));
}

/* --- opening ----------------------------------------------------------------------------- */

static FILE *open_growing(enum special special, uint64_t from, void **ret_buffer, size_t *ret_size,
                          size_t unit) {
    int old = errno;
    struct memory *memory = add();
    FILE *file = NULL;
    if (!memory) {
        errno = EMFILE;
        return NULL;
    }
    if (__recut_env_mode == ENV_RECORD) {
        file = unit == 1 ? open_memstream(&memory->real, &memory->real_count)
                         : open_wmemstream((wchar_t **)(void *)&memory->real, &memory->real_count);
        unsigned char *p = __recut_special_write(special, from, old, 60);
        if (!p)
            return file;
        p = __recut_special_result(p, (intptr_t)file, old);
        __recut_special_end(put_varint(p, 0));
    } else {
        struct log_reader *log = __recut_special_read(special, from);
        file = (FILE *)__recut_special_take_result(log);
        if (get_varint(log) != 0)
            log->damaged = true;
        __recut_env_expected(log);
        __recut_env_answered(log);
    }
    memory->file = file;
    memory->unit = unit;
    memory->ret_buffer = ret_buffer;
    memory->ret_size = ret_size;
    return file;
}

FILE *__recut_special_open_memstream(char **, size_t *);
FILE *__recut_special_open_memstream(char **ret, size_t *ret_size) {
    return open_growing(SPECIAL_open_memstream, HERE, (void **)ret, ret_size, 1);
}

FILE *__recut_special_open_wmemstream(wchar_t **, size_t *);
FILE *__recut_special_open_wmemstream(wchar_t **ret, size_t *ret_size) {
    return open_growing(SPECIAL_open_wmemstream, HERE, (void **)ret, ret_size, sizeof **ret);
}

/* A stream that is only read leaves nothing. */
FILE *__recut_special_fmemopen(void *, size_t, const char *);
FILE *__recut_special_fmemopen(void *buffer, size_t size, const char *mode) {
    int old = errno;
    bool writes = buffer && (*mode != 'r' || strchr(mode, '+'));
    uint32_t hash = buffer ? (uint32_t)__recut_hash(buffer, size) : 0;
    struct memory *memory = writes ? add() : NULL;
    if (writes && !memory) {
        errno = EMFILE;
        return NULL;
    }
    if (memory)
        *memory = (struct memory){.buffer = buffer, .size = size};
    FILE *file;
    if (__recut_env_mode == ENV_RECORD) {
        file = fmemopen(buffer, size, mode);
        size_t length = strlen(mode), bound = 100 + length;
        if (memory)
            memory->file = file;
        unsigned outputs = file && memory ? __recut_memory_outputs(file, &bound) : 0;
        unsigned char *p = __recut_special_write(SPECIAL_fmemopen, HERE, old, bound);
        if (!p)
            return file;
        p = put_svarint(put_u32(p, hash), (int64_t)size);
        p = put_raw(put_varint(p, 1 + length), mode, length);
        p = put_varint(__recut_special_result(p, (intptr_t)file, old), outputs);
        __recut_special_end(outputs ? __recut_memory_put(p, file) : p);
        return file;
    }
    struct log_reader *log = __recut_special_read(SPECIAL_fmemopen, HERE);
    get_u32(log);
    __recut_special_input(log, "n", (int64_t)size);
    uint64_t coded = get_varint(log);
    get_raw(log, coded ? coded - 1 : 0);
    file = (FILE *)__recut_special_take_result(log);
    if (memory)
        memory->file = file;
    for (uint64_t left = get_varint(log); left && !log->damaged; left--) {
        uint64_t tag = get_varint(log);
        size_t count;
        const unsigned char *bytes = get_bytes(log, &count);
        if (!__recut_memory_take(tag, bytes, count))
            log->damaged = true;
    }
    __recut_env_expected(log);
    __recut_env_answered(log);
    return file;
}
