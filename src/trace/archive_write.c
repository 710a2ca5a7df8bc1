/* How is an archive written?  See archive.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/mem.h"
#include "trace/archive.h"
#include "trace/tar.h"

enum { LEVEL = 6 };

/* A program that is in the archive, and which file it was. */
struct written {
    char *name;
    dev_t device;
    ino_t inode;
};

struct archive_writer {
    FILE *out;
    ZSTD_CCtx *context;
    uint64_t total;
    size_t file_count;
    VEC(struct written) programs;
    char *packed;
    size_t packed_size;
};

struct archive_writer *archive_writer_new(FILE *out) {
    struct archive_writer *writer = mem_zalloc(1, sizeof *writer);
    writer->out = out;
    writer->context = ZSTD_createCCtx();
    BUG_IF(!writer->context);
    ZSTD_CCtx_setParameter(writer->context, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(writer->context, ZSTD_c_checksumFlag, 1);
    writer->packed_size = ZSTD_CStreamOutSize();
    writer->packed = mem_alloc(writer->packed_size);
    uint8_t mark[ARCHIVE_MARK_SIZE] = {0x50, 0x2a, 0x4d, 0x18, strlen(ARCHIVE_MARK)};
    memcpy(mark + 8, ARCHIVE_MARK, strlen(ARCHIVE_MARK));
    fwrite(mark, sizeof mark, 1, out);
    return writer;
}

void archive_writer_free(struct archive_writer *writer) {
    if (!writer)
        return;
    ZSTD_freeCCtx(writer->context);
    for (size_t i = 0; i < writer->programs.count; i++)
        free(writer->programs.data[i].name);
    VEC_DEINIT(&writer->programs);
    free(writer->packed);
    free(writer);
}

static struct error *put(struct archive_writer *writer, const void *data, size_t size,
                         ZSTD_EndDirective mode) {
    ZSTD_inBuffer in = {data, size, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {writer->packed, writer->packed_size, 0};
        left = ZSTD_compressStream2(writer->context, &out, &in, mode);
        if (ZSTD_isError(left))
            return error_new(ERROR_FAILED, "cannot compress: %s", ZSTD_getErrorName(left));
        if (fwrite(writer->packed, 1, out.pos, writer->out) != out.pos)
            return error_errno("cannot write the archive");
    } while (mode == ZSTD_e_end ? left != 0 : in.pos < in.size);
    writer->total += size;
    return NULL;
}

/* A file that grows meanwhile (a trace that is being recorded) is cut at the size
 * in its entry, one that shrinks is filled up. */
static struct error *put_contents(struct archive_writer *writer, int fd, const char *path,
                                  uint64_t size) {
    static const char zeros[TAR_BLOCK];
    enum { BUFFER = 256 * 1024 };
    char *buffer CLEANUP_FREE = mem_alloc(BUFFER);
    struct error *err = NULL;
    for (uint64_t done = 0; !err && done < size;) {
        size_t part = size - done < BUFFER ? (size_t)(size - done) : BUFFER;
        ssize_t got = read(fd, buffer, part);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_errno("cannot read %s", path);
        if (got == 0)
            memset(buffer, 0, part);
        part = got ? (size_t)got : part;
        err = put(writer, buffer, part, ZSTD_e_continue);
        done += part;
    }
    return err ? err : put(writer, zeros, tar_padding(size), ZSTD_e_continue);
}

/* The name under which this very file is there; NULL if it is not, and from now on it is. */
static const char *find_program(struct archive_writer *writer, const char *name,
                                const struct stat *st) {
    for (size_t i = 0; i < writer->programs.count; i++) {
        const struct written *written = &writer->programs.data[i];
        if (written->device == st->st_dev && written->inode == st->st_ino)
            return written->name;
    }
    if (strlen(name) < TAR_LINK_SIZE)
        VEC_PUSH(&writer->programs, (struct written){mem_strdup(name), st->st_dev, st->st_ino});
    return NULL;
}

static struct error *add_opened(struct archive_writer *writer, const char *name, const char *path,
                                bool is_program, int fd) {
    struct stat st;
    struct tar_header header;
    if (fstat(fd, &st) != 0)
        return error_errno("cannot open %s", path);
    uint64_t size = (uint64_t)st.st_size;
    if (size > TAR_MAX_FILE || writer->total + size > ARCHIVE_MAX_SIZE - (1u << 20))
        return error_new(ERROR_FAILED, "%s: too large to be packed", path);
    if (writer->file_count++ == ARCHIVE_MAX_FILES)
        return error_new(ERROR_FAILED, "%s: a packed trace has at most %d files", path,
                         ARCHIVE_MAX_FILES);
    const char *link = is_program ? find_program(writer, name, &st) : NULL;
    tar_header_init(&header, name, link, size, is_program);
    struct error *err = put(writer, &header, sizeof header, ZSTD_e_continue);
    return err || link ? err : put_contents(writer, fd, path, size);
}

struct error *archive_add(struct archive_writer *writer, const char *name, const char *path,
                          bool is_program) {
    BUG_IF(!archive_is_name(name));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno("cannot open %s", path);
    struct error *err = add_opened(writer, name, path, is_program, fd);
    close(fd);
    return err;
}

struct error *archive_finish(struct archive_writer *writer) {
    static const char zeros[2 * TAR_BLOCK];
    struct error *err = put(writer, zeros, sizeof zeros, ZSTD_e_end);
    if (!err && fflush(writer->out) != 0)
        err = error_errno("cannot write the archive");
    return err;
}
