/*
 * Where do the bytes of a stream go?
 *
 * Into a window of a file that is mapped shared, DIR/tail.SLOT, so that they
 * survive the process whatever ends it; and from there, a chunk at a time, to the
 * end of DIR/log.SLOT.  The window's pages are touched once and used again, which
 * makes logging as cheap as copying.
 *
 *   tail.0:  | chunk_header | events ...        |     `place`: where in log.0
 *   log.0:   | stream_header | chunk | chunk | ...     the window belongs
 *
 * `place` changes after the window was written out.  So whenever the process ends,
 * what is in log.0 up to `place`, and the window behind it, is the stream; the
 * tools put the two together (src/trace/finish.c).
 *
 * The room of the window is reserved when it is made: a full disk is an error of
 * a write and never a SIGBUS.
 */
#include "runtime/log_write.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/env.h"
#include "runtime/hash.h"
#include "runtime/raw.h"
#include "runtime/section.h"

enum {
    page = 4096,
    usual_window = CHUNK_CAPACITY + sizeof(struct chunk_header),
    small_window = 64 * 1024, /* where there is no more room */
    few_threads = 16,
    kept_room = 256, /* at the end of the window, for the last words of a stream */
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

/* May a file of ours be this long?  To try it is a signal that kills. */
static bool fits_limit(uint64_t size) {
    struct rlimit limit;
    if (raw_syscall6(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)&limit, 0, 0) != 0 ||
        limit.rlim_cur >= size)
        return true;
    errno = EFBIG;
    return false;
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

/* An empty chunk in the memory that events go to, which belongs at this place of
 * the file. */
static void begin_chunk(struct log_writer *log, struct chunk_header *chunk, size_t size) {
    chunk->sealed = 0;
    chunk->first_event = log->events - log->skipped;
    chunk->capacity = (uint32_t)(size - sizeof *chunk);
    chunk->place = log->file_offset;
    chunk->skipped = chunk->repeated = 0;
    __atomic_store_n(&chunk->used, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&chunk->magic, CHUNK_MAGIC, __ATOMIC_RELEASE);
    log->chunk = chunk;
    log->cursor = (unsigned char *)(chunk + 1);
    log->limit = (unsigned char *)chunk + size - (chunk == log->window ? kept_room : 0);
}

/* Appends the chunk to the file, only as long as it is full. */
static bool write_chunk(struct log_writer *log) {
    struct chunk_header *chunk = log->chunk;
    if (!chunk->used)
        return true;
    size_t size = (chunk->used + CHUNK_ALIGN - 1) / CHUNK_ALIGN * CHUNK_ALIGN;
    memset((char *)(chunk + 1) + chunk->used, 0, size - chunk->used);
    chunk->capacity = (uint32_t)size;
    chunk->hash = __recut_hash(chunk + 1, chunk->used);
    chunk->sealed = 1;
    if (!is_still_ours(log)) {
        errno = EBADF;
        return false;
    }
    if (!fits_limit(log->file_offset + sizeof *chunk + size) ||
        !write_all(log->fd, chunk, sizeof *chunk + size, log->file_offset))
        return false;
    log->file_offset += sizeof *chunk + size;
    return true;
}

/* Memory for one event that is larger than the window. */
static struct chunk_header *large_memory(struct log_writer *log, size_t size) {
    if (size > log->large_size) {
        if (log->large)
            raw_syscall3(SYS_munmap, (long)log->large, (long)log->large_size, 0);
        long at = raw_syscall6(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        log->large = at < 0 && at > -4096 ? NULL : (void *)at;
        log->large_size = log->large ? size : 0;
    }
    return log->large;
}

/* The rest of the window is kept for this: why the stream ends here. */
static void write_last(struct log_writer *log, const char *reason) {
    size_t length = strlen(reason);
    log->chunk = log->window;
    log->cursor = (unsigned char *)(log->window + 1) + log->window->used;
    log->limit = (unsigned char *)log->window + log->window_size;
    log->window->sealed = 0;
    log->window->capacity = (uint32_t)(log->window_size - sizeof *log->window);
    unsigned char *p = length + 40 < kept_room ? log_begin(log, EVENT_LOST, length + 10) : NULL;
    if (p)
        log_end(log, put_bytes(p, reason, length));
}

bool __recut_log_make_room(struct log_writer *log, size_t need) {
    int saved = errno;
    if (!log->chunk)
        return false;
    bool done = write_chunk(log);
    size_t size = log->window_size;
    struct chunk_header *chunk = log->window;
    if (done && need > log->window_size - sizeof *chunk - kept_room) {
        size = (need + sizeof *chunk + page - 1) / page * page;
        chunk = size < CHUNK_MAX_CAPACITY ? large_memory(log, size) : NULL;
        done = chunk != NULL;
        errno = EFBIG;
    }
    if (done) {
        /* The window holds nothing any more that the file does not. */
        begin_chunk(log, log->window, log->window_size);
        log->window->skipped = __recut_is_threaded || log->is_cut ? log->skipped : 0;
        log->window->repeated = log->repeated;
        if (chunk != log->window)
            begin_chunk(log, chunk, size);
    } else {
        const char *reason = strerror(errno);
        write_last(log, reason);
        log->chunk = NULL;
        log->cursor = log->limit = NULL;
        __recut_env_stop(NULL, reason);
    }
    errno = saved;
    return done;
}

static int create(const char *directory, const char *name, uint32_t slot) {
    char path[4096], number[24];
    size_t length = strlen(directory), prefix = strlen(name);
    if (length + prefix + sizeof number > sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(path, directory, length);
    memcpy(path + length, name, prefix);
    strcpy(path + length + prefix, __recut_decimal(slot, number));
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static bool map_window(struct log_writer *log, const char *directory, uint32_t slot) {
    int fd = create(directory, "/tail.", slot);
    if (fd < 0)
        return false;
    bool done = false;
    /* Each thread has one.  A page of it costs as much as it takes to log some thousand bytes when
     * it is touched first, and a part of a program logs little. */
    size_t wanted = slot < few_threads && !log->is_cut ? usual_window : small_window;
    for (log->window_size = wanted; !done; log->window_size = small_window) {
        done = fits_limit(log->window_size) && reserve(fd, 0, log->window_size);
        if (done || log->window_size == small_window)
            break;
    }
    void *at =
        done ? mmap(NULL, log->window_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    int saved = errno;
    close(fd);
    errno = saved;
    log->window = at == MAP_FAILED ? NULL : at;
    return log->window != NULL;
}

bool __recut_log_create(struct log_writer *log, const char *directory, uint32_t slot,
                        const struct trace_header *trace) {
    int fd = create(directory, "/log.", slot);
    if (fd < 0)
        return false;
    *log = (struct log_writer){
        .fd = move_away(fd), .file_offset = STREAM_HEADER_SIZE, .is_cut = trace->cut};
    struct stat now;
    struct {
        struct stream_header header;
        char rest[STREAM_HEADER_SIZE - sizeof(struct stream_header)];
    } first = {
        .header = {.magic = STREAM_MAGIC, .version = LOG_VERSION, .slot = slot, .id = trace->id}};
    memcpy(first.header.build_id, trace->build_id, BUILD_ID_SIZE);
    raw_syscall3(SYS_flock, log->fd, LOCK_EX | LOCK_NB, 0); /* tools leave it alone then */
    if (fstat(log->fd, &now) != 0 || !write_all(log->fd, &first, sizeof first, 0) ||
        !map_window(log, directory, slot))
        return false;
    log->device = now.st_dev;
    log->inode = now.st_ino;
    begin_chunk(log, log->window, log->window_size);
    return true;
}

void __recut_log_close(struct log_writer *log) {
    if (log->chunk && write_chunk(log))
        begin_chunk(log, log->window, log->window_size);
    __recut_log_drop(log);
}

void __recut_log_drop(struct log_writer *log) {
    if (log->window)
        raw_syscall3(SYS_munmap, (long)log->window, log->window_size, 0);
    if (log->fd >= 0)
        raw_syscall3(SYS_close, log->fd, 0, 0);
    log->chunk = log->window = NULL;
    log->cursor = log->limit = NULL;
    log->fd = -1;
}
