/*
 * How is an archive read?  See archive.h.
 *
 * It is decompressed as it is read, in buffers of fixed size; what it says of
 * sizes decides only how much is read of it.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/mem.h"
#include "trace/archive.h"
#include "trace/tar.h"
#include "trace/trace.h"

struct archive_reader {
    FILE *in; /* NULL: a plain tar file, in `plain` */
    struct bytes plain;
    ZSTD_DCtx *context;
    char *packed;
    size_t packed_size;
    ZSTD_inBuffer buffer;
    bool is_full, is_end; /* zstd may hold more; of a frame */
    uint64_t left;        /* of the present file */
    size_t padding;       /* behind it */
    uint64_t total;       /* of all files so far */
    VEC(char *) names;    /* so far */
};

static struct error *damaged(const char *what) {
    return error_new(ERROR_INPUT, "is damaged: %s", what);
}

bool archive_has_mark(const uint8_t begin[ARCHIVE_MARK_SIZE]) {
    static const uint8_t frame[8] = {0x50, 0x2a, 0x4d, 0x18, 8, 0, 0, 0};
    return memcmp(begin, frame, sizeof frame) == 0 && memcmp(begin + 8, ARCHIVE_MARK, 8) == 0;
}

static bool is_digits(const char *text) {
    size_t length = strspn(text, "0123456789");
    return length > 0 && length <= 10 && text[length] == '\0';
}

static bool is_one_of(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Behind "pid.4711/"; NULL if it does not begin with that. */
static const char *skip_child(const char *name) {
    size_t prefix = strlen(TRACE_CHILD_PREFIX);
    if (strncmp(name, TRACE_CHILD_PREFIX, prefix) != 0 || name[prefix] == '0')
        return NULL;
    size_t digits = strspn(name + prefix, "0123456789");
    return digits > 0 && digits <= 10 && name[prefix + digits] == '/' ? name + prefix + digits + 1
                                                                      : NULL;
}

/* The file's own name, behind the directory of its process. */
static const char *skip_process(const char *name) {
    size_t exec = strlen(TRACE_EXEC_NAME "/");
    const char *child;
    for (;;)
        if (strncmp(name, TRACE_EXEC_NAME "/", exec) == 0)
            name += exec;
        else if ((child = skip_child(name)))
            name = child;
        else
            return name;
}

/* lib/NAME: no further folder, and no "." or "..". */
static bool is_library(const char *name) {
    size_t lib = strlen(TRACE_LIBRARY_NAME "/");
    if (strncmp(name, TRACE_LIBRARY_NAME "/", lib) != 0)
        return false;
    const char *base = name + lib;
    for (const char *p = base; *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("._-+@,", *p))
            return false;
    return *base && *base != '.';
}

bool archive_is_name(const char *name) {
    static const char *const shared[] = {TRACE_HEADER_NAME, TRACE_MODELS_NAME, TRACE_PROGRAM_NAME,
                                         TRACE_VARIANT_NAME, TRACE_CUT_NAME};
    size_t log = strlen(TRACE_LOG_PREFIX);
    if (!tar_is_name(name))
        return false;
    const char *file = skip_process(name);
    if (strncmp(file, TRACE_LOG_PREFIX, log) == 0)
        return is_digits(file + log);
    if (strcmp(file, TRACE_PROCESS_NAME) == 0)
        return true;
    return is_one_of(file, shared, sizeof shared / sizeof *shared) || is_library(file);
}

/* Files that nobody writes once they are there: what may be the same under two names. */
static bool is_program_name(const char *name) {
    const char *file = skip_process(name);
    return archive_is_name(name) && (is_library(file) || strcmp(file, TRACE_PROGRAM_NAME) == 0);
}

struct archive_reader *archive_reader_new(FILE *in) {
    struct archive_reader *reader = mem_zalloc(1, sizeof *reader);
    reader->in = in;
    reader->context = ZSTD_createDCtx();
    BUG_IF(!reader->context);
    reader->packed_size = ZSTD_DStreamInSize();
    reader->packed = mem_alloc(reader->packed_size);
    return reader;
}

struct archive_reader *archive_reader_new_plain(struct bytes tar) {
    struct archive_reader *reader = mem_zalloc(1, sizeof *reader);
    reader->plain = tar;
    return reader;
}

void archive_reader_free(struct archive_reader *reader) {
    if (!reader)
        return;
    ZSTD_freeDCtx(reader->context);
    free(reader->packed);
    for (size_t i = 0; i < reader->names.count; i++)
        free(reader->names.data[i]);
    VEC_DEINIT(&reader->names);
    free(reader);
}

/* Decompresses a piece; *ret_is_end if it is the last of its frame. */
static struct error *decompress(struct archive_reader *reader, ZSTD_outBuffer *out,
                                bool *ret_is_end) {
    if (reader->buffer.pos == reader->buffer.size && !reader->is_full) {
        size_t got = fread(reader->packed, 1, reader->packed_size, reader->in);
        if (got == 0)
            return ferror(reader->in) ? error_errno("cannot be read") : damaged("it is cut off");
        reader->buffer = (ZSTD_inBuffer){reader->packed, got, 0};
    }
    size_t left = ZSTD_decompressStream(reader->context, out, &reader->buffer);
    if (ZSTD_isError(left))
        return damaged(ZSTD_getErrorName(left));
    /* Then zstd may hold more than there was room for. */
    reader->is_full = out->pos == out->size;
    *ret_is_end = left == 0;
    return NULL;
}

static struct error *get_packed(struct archive_reader *reader, void *data, size_t size) {
    ZSTD_outBuffer out = {data, size, 0};
    struct error *err = NULL;
    while (!err && out.pos < out.size)
        err = decompress(reader, &out, &reader->is_end);
    return err;
}

static struct error *get(struct archive_reader *reader, void *data, size_t size) {
    if (reader->in)
        return get_packed(reader, data, size);
    if (size > reader->plain.size)
        return damaged("it is cut off");
    if (size)
        memcpy(data, reader->plain.data, size);
    reader->plain.data += size;
    reader->plain.size -= size;
    return NULL;
}

/* To the end of the frame, where zstd has its checksum of all of it.  tar fills up
 * its last record; what is longer is not that. */
static struct error *finish(struct archive_reader *reader) {
    char record[20 * TAR_BLOCK];
    ZSTD_outBuffer out = {record, sizeof record, 0};
    struct error *err = NULL;
    while (!err && reader->in && !reader->is_end) {
        if (out.pos == out.size)
            return damaged("there is more behind its end");
        err = decompress(reader, &out, &reader->is_end);
    }
    return err;
}

static struct error *pass_over(struct archive_reader *reader) {
    char block[4096];
    size_t got;
    do {
        struct error *err = archive_read(reader, block, sizeof block, &got);
        if (err)
            return err;
    } while (got);
    struct error *err = get(reader, block, reader->padding);
    reader->padding = 0;
    return err;
}

static bool has_name(const struct archive_reader *reader, const char *name) {
    return is_one_of(name, (const char *const *)reader->names.data, reader->names.count);
}

static struct error *accept_entry(struct archive_reader *reader, const struct tar_header *header,
                                  struct archive_entry *ret) {
    struct archive_entry entry = {
        .size = tar_header_size(header),
        .is_program = tar_header_is_program(header),
    };
    tar_header_name(header, entry.name);
    if (!archive_is_name(entry.name))
        return damaged("it holds a file that is no part of a trace");
    if (has_name(reader, entry.name))
        return damaged("it holds a file twice");
    if (tar_header_is_link(header)) {
        memcpy(entry.link, header->link, sizeof entry.link);
        if (!is_program_name(entry.name) || !is_program_name(entry.link) ||
            !has_name(reader, entry.link))
            return damaged("it holds a link that leads to no program in it");
    }
    if (reader->names.count == ARCHIVE_MAX_FILES || entry.size > ARCHIVE_MAX_SIZE - reader->total)
        return error_new(ERROR_INPUT, "is too large: a packed trace has at most %llu GiB",
                         ARCHIVE_MAX_SIZE >> 30);
    VEC_PUSH(&reader->names, mem_strdup(entry.name));
    reader->total += entry.size;
    reader->left = entry.size;
    reader->padding = tar_padding(entry.size);
    *ret = entry;
    return NULL;
}

struct error *archive_next(struct archive_reader *reader, struct archive_entry *ret,
                           bool *ret_is_end) {
    static const struct tar_header none;
    struct tar_header header;
    struct error *err = pass_over(reader);
    if (!err)
        err = get(reader, &header, sizeof header);
    if (err)
        return err;
    if (memcmp(&header, &none, sizeof header) == 0) {
        *ret_is_end = true;
        return finish(reader);
    }
    const char *wrong = tar_header_check(&header);
    if (wrong)
        return damaged(wrong);
    *ret_is_end = false;
    return accept_entry(reader, &header, ret);
}

struct error *archive_read(struct archive_reader *reader, void *data, size_t size,
                           size_t *ret_size) {
    if (size > reader->left)
        size = (size_t)reader->left;
    struct error *err = get(reader, data, size);
    if (err)
        return err;
    reader->left -= size;
    *ret_size = size;
    return NULL;
}
