/*
 * Where do the bytes of a stream go?
 *
 * Into chunks of the file that are mapped shared, so that they survive the
 * process whatever ends it.  The room for a chunk is reserved before it is
 * mapped: a full disk is an error here and not a SIGBUS later.
 */
#include "runtime/log_write.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/env.h"
#include "runtime/hash.h"
#include "runtime/raw.h"

enum {
    page = 4096,
    first_chunk = 64 * 1024, /* many runs are short */
    usual_chunk = CHUNK_CAPACITY + sizeof(struct chunk_header),
};

static int raw_errno(long result) { return result < 0 ? (int)-result : 0; }

/* Out of the way of the program, which may count on the next free number. */
static int move_away(int fd) {
    struct rlimit limit;
    rlim_t high = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 256;
    high = high > 65536 ? 65536 : high;
    for (rlim_t low = high - high / 8 - 1; low > 3; low /= 2) {
        long moved = raw_syscall3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, (long)low);
        if (moved >= 0) {
            raw_syscall3(SYS_close, fd, 0, 0);
            return (int)moved;
        }
    }
    return fd;
}

static bool write_all(int fd, const void *bytes, size_t size, uint64_t offset) {
    while (size) {
        long got = raw_syscall6(SYS_pwrite64, fd, (long)bytes, (long)size, (long)offset, 0, 0);
        if (got == -EINTR)
            continue;
        if (got <= 0) {
            errno = got ? raw_errno(got) : EIO;
            return false;
        }
        bytes = (const char *)bytes + got;
        size -= (size_t)got;
        offset += (uint64_t)got;
    }
    return true;
}

/* Makes sure that the disk has room; file systems without fallocate get zeros. */
static bool reserve(int fd, uint64_t offset, size_t size) {
    long got;
    do
        got = raw_syscall6(SYS_fallocate, fd, 0, (long)offset, (long)size, 0, 0);
    while (got == -EINTR);
    if (got == 0)
        return true;
    if (got != -EOPNOTSUPP && got != -ENOSYS) {
        errno = raw_errno(got);
        return false;
    }
    static const char zeros[64 * 1024];
    for (size_t done = 0; done < size; done += sizeof zeros) {
        size_t part = size - done < sizeof zeros ? size - done : sizeof zeros;
        if (!write_all(fd, zeros, part, offset + done))
            return false;
    }
    return true;
}

static bool is_still_ours(const struct log_writer *log) {
    struct stat now;
    return raw_syscall3(SYS_fstat, log->fd, (long)&now, 0) == 0 && now.st_dev == log->device &&
           now.st_ino == log->inode;
}

static void seal(struct log_writer *log) {
    struct chunk_header *chunk = log->chunk;
    chunk->hash = __recut_hash(chunk + 1, chunk->used);
    __atomic_store_n(&chunk->sealed, 1, __ATOMIC_RELEASE);
    raw_syscall3(SYS_munmap, (long)chunk, (long)log->chunk_size, 0);
    log->chunk = NULL;
    log->cursor = log->limit = NULL;
}

static bool open_chunk(struct log_writer *log, size_t size) {
    if (!is_still_ours(log)) {
        errno = EBADF;
        return false;
    }
    if (!reserve(log->fd, log->file_offset, size))
        return false;
    long at = raw_syscall6(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_POPULATE, log->fd, (long)log->file_offset);
    if (at < 0 && at > -4096) {
        errno = raw_errno(at);
        return false;
    }
    log->chunk = (struct chunk_header *)at;
    log->chunk_size = size;
    log->file_offset += size;
    log->cursor = (unsigned char *)(log->chunk + 1);
    log->limit = (unsigned char *)log->chunk + size;
    log->chunk->capacity = (uint32_t)(size - sizeof *log->chunk);
    log->chunk->first_event = log->events - log->skipped;
    __atomic_store_n(&log->chunk->magic, CHUNK_MAGIC, __ATOMIC_RELEASE);
    return true;
}

bool __recut_log_make_room(struct log_writer *log, size_t need) {
    int saved = errno;
    if (!log->chunk && log->fd < 0)
        return false;
    if (log->chunk)
        seal(log);
    size_t size = log->file_offset == STREAM_HEADER_SIZE ? first_chunk : usual_chunk;
    if (need > size - sizeof(struct chunk_header))
        size = (need + sizeof(struct chunk_header) + page - 1) / page * page;
    bool done = size < CHUNK_MAX_CAPACITY ? open_chunk(log, size) : (errno = EFBIG, false);
    if (!done) {
        const char *reason = strerror(errno);
        log->fd = -1;
        __recut_env_stop(NULL, reason);
    }
    errno = saved;
    return done;
}

bool __recut_log_create(struct log_writer *log, const char *directory, uint32_t slot,
                        const struct trace_header *trace) {
    char path[4096], number[24];
    size_t length = strlen(directory);
    const char *digits = __recut_decimal(slot, number);
    if (length + 32 > sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(path, directory, length);
    memcpy(path + length, "/log.", 5);
    strcpy(path + length + 5, digits);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    *log = (struct log_writer){.fd = move_away(fd), .file_offset = STREAM_HEADER_SIZE};
    struct stat now;
    struct stream_header header = {
        .magic = STREAM_MAGIC, .version = LOG_VERSION, .slot = slot, .id = trace->id};
    memcpy(header.build_id, trace->build_id, BUILD_ID_SIZE);
    if (fstat(log->fd, &now) != 0 || !write_all(log->fd, &header, sizeof header, 0))
        return false;
    log->device = now.st_dev;
    log->inode = now.st_ino;
    return open_chunk(log, first_chunk);
}

void __recut_log_close(struct log_writer *log) {
    if (log->chunk)
        seal(log);
    if (log->fd >= 0)
        raw_syscall3(SYS_close, log->fd, 0, 0);
    log->fd = -1;
}
