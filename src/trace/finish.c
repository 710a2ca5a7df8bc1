/* How does a log get its last chunk?  See finish.h. */
#include "trace/finish.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/io.h"
#include "base/mem.h"
#include "format/log.h"
#include "trace/trace.h"

static bool is_window(const char *data, size_t size, const struct stat *log) {
    const struct chunk_header *chunk = (const void *)data;
    return size >= sizeof *chunk && chunk->magic == CHUNK_MAGIC &&
           chunk->used <= size - sizeof *chunk && chunk->place >= STREAM_HEADER_SIZE &&
           chunk->place <= (uint64_t)log->st_size;
}

static struct error *append(const char *log_path, const char *tail_path) {
    char *data CLEANUP_FREE = NULL;
    size_t size;
    int fd = open(log_path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat log;
    if (fd < 0)
        return error_errno("cannot open %s", log_path);
    /* Whoever still writes it has it locked. */
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        return NULL;
    }
    /* Only now: it may have been written until the lock was free. */
    struct error *err = io_read_file(tail_path, &data, &size);
    if (!err && fstat(fd, &log) == 0 && is_window(data, size, &log)) {
        struct chunk_header *chunk = (void *)data;
        size_t rounded = (chunk->used + CHUNK_ALIGN - 1) / CHUNK_ALIGN * CHUNK_ALIGN;
        rounded = rounded < size - sizeof *chunk ? rounded : size - sizeof *chunk;
        if ((chunk->skipped || chunk->repeated) &&
            !rounded) /* it says what came after all events */
            rounded = CHUNK_ALIGN;
        memset(data + sizeof *chunk + chunk->used, 0, rounded - chunk->used);
        chunk->capacity = (uint32_t)rounded;
        chunk->hash = XXH3_64bits(chunk + 1, chunk->used);
        chunk->sealed = 1;
        size_t all = rounded ? sizeof *chunk + rounded : 0;
        if (ftruncate(fd, (off_t)chunk->place) != 0)
            err = error_errno("cannot write %s", log_path);
        /* On a full disk the room is that of the window itself. */
        else if (pwrite(fd, data, all, (off_t)chunk->place) != (ssize_t)all &&
                 (unlink(tail_path) != 0 ||
                  pwrite(fd, data, all, (off_t)chunk->place) != (ssize_t)all))
            err = error_errno("cannot write %s", log_path);
    }
    close(fd);
    if (!err && unlink(tail_path) != 0 && errno != ENOENT)
        err = error_errno("cannot remove %s", tail_path);
    return err;
}

struct error *trace_finish(const char *directory) {
    static const char prefix[] = "tail.";
    DIR *entries = opendir(directory);
    if (!entries)
        return error_errno("cannot open %s", directory);
    struct error *err = NULL;
    for (struct dirent *entry; !err && (entry = readdir(entries));) {
        const char *slot = entry->d_name + sizeof prefix - 1;
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0 || !*slot ||
            strspn(slot, "0123456789") != strlen(slot))
            continue;
        char *tail CLEANUP_FREE = mem_printf("%s/%s", directory, entry->d_name);
        char *log CLEANUP_FREE = mem_printf("%s/%s%s", directory, TRACE_LOG_PREFIX, slot);
        err = append(log, tail);
    }
    closedir(entries);
    return err;
}
