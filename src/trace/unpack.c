/*
 * Where is a packed trace unpacked, and is what is in it a trace?
 *
 * The directory in the cache is named by the hash of the file, so that the same
 * file is unpacked once.  It is made under another name and renamed when it is
 * whole.  Blocks of zeros become holes: an archive cannot fill a disk with
 * nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/hex.h"
#include "base/io.h"
#include "base/mem.h"
#include "trace/archive.h"
#include "trace/pack.h"

static void close_file(FILE **file) {
    if (*file)
        fclose(*file);
}

static struct error *open_pack(const char *path, FILE **ret) {
    struct stat st;
    uint8_t mark[ARCHIVE_MARK_SIZE];
    if (stat(path, &st) != 0)
        return error_errno("cannot open %s", path);
    /* Opening a FIFO would wait. */
    if (!S_ISREG(st.st_mode))
        return error_new(ERROR_INPUT, "%s: is not a trace", path);
    FILE *in = fopen(path, "re");
    if (!in)
        return error_errno("cannot open %s", path);
    if (fread(mark, sizeof mark, 1, in) != 1 || !archive_has_mark(mark)) {
        fclose(in);
        return error_new(ERROR_INPUT, "%s: is not a trace", path);
    }
    *ret = in;
    return NULL;
}

bool pack_is_at(const char *path) {
    FILE *in = NULL;
    struct error *err = open_pack(path, &in);
    if (in)
        fclose(in);
    error_free(err);
    return in != NULL;
}

/* The directory for this file, which may not be there yet. */
static struct error *find_place(FILE *in, const char *path, char **ret) {
    XXH3_state_t *state = XXH3_createState();
    XXH3_128bits_reset(state);
    char buffer[16 * 1024];
    size_t got;
    rewind(in);
    while ((got = fread(buffer, 1, sizeof buffer, in)) > 0)
        XXH3_128bits_update(state, buffer, got);
    XXH128_canonical_t hash;
    XXH128_canonicalFromHash(&hash, XXH3_128bits_digest(state));
    XXH3_freeState(state);
    if (ferror(in))
        return error_errno("cannot read %s", path);
    rewind(in);
    char text[HEX_SIZE(sizeof hash)];
    hex_format(hash.digest, sizeof hash.digest, text);
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache)
        *ret = mem_printf("%s/recut/packed/%s", cache, text);
    else if (home && *home)
        *ret = mem_printf("%s/.cache/recut/packed/%s", home, text);
    else
        return error_new(ERROR_FAILED,
                         "no place to unpack %s: neither XDG_CACHE_HOME nor HOME "
                         "is set",
                         path);
    return NULL;
}

static bool is_zero(const char *data, size_t size) {
    return size == 0 || (data[0] == 0 && memcmp(data, data + 1, size - 1) == 0);
}

static struct error *write_block(int fd, const char *data, size_t size, uint64_t offset) {
    if (is_zero(data, size))
        return NULL;
    while (size) {
        ssize_t done = pwrite(fd, data, size, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return error_errno("cannot be unpacked");
        data += done;
        size -= (size_t)done;
        offset += (uint64_t)done;
    }
    return NULL;
}

static struct error *unpack_file(struct archive_reader *reader, const char *directory,
                                 const struct archive_entry *entry) {
    enum { BLOCK = 64 * 1024 };
    char *block CLEANUP_FREE = mem_alloc(BLOCK);
    char *path CLEANUP_FREE = mem_printf("%s/%s", directory, entry->name);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                  entry->is_program ? 0700 : 0600);
    if (fd < 0)
        return error_errno("cannot create %s", path);
    struct error *err = NULL;
    size_t got = 1;
    for (uint64_t offset = 0; !err && got; offset += got) {
        err = archive_read(reader, block, BLOCK, &got);
        if (!err)
            err = write_block(fd, block, got, offset);
    }
    if (!err && ftruncate(fd, (off_t)entry->size) != 0)
        err = error_errno("cannot be unpacked");
    close(fd);
    return err;
}

static struct error *unpack_link(const char *directory, const struct archive_entry *entry) {
    char *path CLEANUP_FREE = mem_printf("%s/%s", directory, entry->name);
    char *from CLEANUP_FREE = mem_printf("%s/%s", directory, entry->link);
    return io_share_program(from, path);
}

/* The directory that it is in may not be there yet; the reader has checked its name. */
static struct error *unpack_entry(struct archive_reader *reader, const char *directory,
                                  const struct archive_entry *entry) {
    const char *slash = strrchr(entry->name, '/');
    if (slash) {
        char *inside CLEANUP_FREE =
            mem_printf("%s/%.*s", directory, (int)(slash - entry->name), entry->name);
        struct error *err = io_make_dirs(inside);
        if (err)
            return err;
    }
    return *entry->link ? unpack_link(directory, entry) : unpack_file(reader, directory, entry);
}

static struct error *unpack_all(FILE *in, const char *directory) {
    if (mkdir(directory, 0700) != 0)
        return error_errno("cannot create %s", directory);
    struct archive_reader *reader = archive_reader_new(in);
    struct archive_entry entry;
    bool is_end = false;
    struct error *err = archive_next(reader, &entry, &is_end);
    while (!err && !is_end) {
        err = unpack_entry(reader, directory, &entry);
        if (!err)
            err = archive_next(reader, &entry, &is_end);
    }
    archive_reader_free(reader);
    return err;
}

struct error *pack_unpack(const char *path, char **ret_directory) {
    FILE *in __attribute__((cleanup(close_file))) = NULL;
    char *place CLEANUP_FREE = NULL;
    struct error *err = open_pack(path, &in);
    if (!err)
        err = find_place(in, path, &place);
    if (err)
        return err;
    if (access(place, F_OK) != 0) {
        char *parent CLEANUP_FREE = mem_strndup(place, (size_t)(strrchr(place, '/') - place));
        char *temp CLEANUP_FREE = mem_printf("%s.%ld.tmp", place, (long)getpid());
        err = io_make_dirs(parent);
        if (err)
            return err;
        io_remove_tree(temp);
        err = unpack_all(in, temp);
        /* Another recut may have been faster with the same. */
        if (!err && rename(temp, place) != 0 && errno != EEXIST && errno != ENOTEMPTY)
            err = error_errno("cannot create %s", place);
        io_remove_tree(temp);
        if (err)
            return error_in(err, "%s", path);
    }
    *ret_directory = place;
    place = NULL;
    return NULL;
}

struct error *pack_forget(const char *path) {
    FILE *in __attribute__((cleanup(close_file))) = NULL;
    char *place CLEANUP_FREE = NULL;
    struct error *err = open_pack(path, &in);
    if (!err)
        err = find_place(in, path, &place);
    if (!err)
        io_remove_tree(place);
    return err;
}
