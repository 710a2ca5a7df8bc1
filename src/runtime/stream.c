/* What does a stream hold, for the log?  See stream.h. */
#include "runtime/stream.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "format/log.h"
#include "runtime/echo.h"
#include "runtime/env.h"
#include "runtime/env_thread.h"
#include "runtime/raw.h"

enum { most_streams = 4096, unbuffered_flag = 0x2, line_flag = 0x200, backup_flag = 0x100 };

static struct stream *streams;
static unsigned stream_count; /* up to here they were ever used */
static uint64_t epoch = 1;
static struct stream *last;

static struct stream *find(FILE *file) {
    for (unsigned i = 0; i < stream_count; i++)
        if (streams[i].file == file)
            return &streams[i];
    return NULL;
}

static struct stream *add(FILE *file) {
    if (!streams) {
        long at = raw_syscall6(SYS_mmap, 0, most_streams * sizeof *streams, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at < 0 && at > -4096)
            return NULL;
        streams = (struct stream *)at;
    }
    unsigned i = 0;
    while (i < stream_count && streams[i].file)
        i++;
    if (i == most_streams)
        i = 0; /* the oldest is forgotten: its next call is in the log */
    if (i == stream_count)
        stream_count++;
    struct stream old = streams[i];
    streams[i] =
        (struct stream){.file = file, .bytes = old.bytes, .capacity = old.capacity, .fd = -1};
    return &streams[i];
}

struct stream *__recut_stream(FILE *file) {
    if (last && last->file == file)
        return last;
    struct stream *stream = find(file);
    if (!stream)
        stream = add(file);
    return last = stream;
}

void __recut_stream_forget(FILE *file) {
    struct stream *stream = find(file);
    if (!stream)
        return;
    if (last == stream)
        last = NULL;
    char *bytes = stream->bytes;
    size_t capacity = stream->capacity;
    *stream = (struct stream){.bytes = bytes, .capacity = capacity};
}

void __recut_stream_doubt(void) { epoch++; }

static bool make_room(struct stream *stream, size_t size) {
    enum { least = 8192 };
    if (size <= stream->capacity)
        return true;
    size_t capacity = stream->capacity ? stream->capacity : least;
    while (capacity < size)
        capacity *= 2;
    long at = raw_syscall6(SYS_mmap, 0, (long)capacity, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at < 0 && at > -4096)
        return false;
    if (stream->bytes) {
        memcpy((char *)at, stream->bytes, stream->capacity);
        raw_syscall3(SYS_munmap, (long)stream->bytes, (long)stream->capacity, 0);
    }
    stream->bytes = (char *)at;
    stream->capacity = capacity;
    return true;
}

bool __recut_stream_hold(FILE *file) {
    struct section_state *section = &env_thread()->section;
    if (!__recut_is_threaded || !section->depth || section->held == file)
        return true;
    if (section->held)
        funlockfile(section->held);
    section->held = NULL;
    if (ftrylockfile(file) != 0)
        return false;
    section->held = file;
    return true;
}

void __recut_stream_wait(FILE *file) {
    flockfile(file);
    env_thread()->section.held = file;
}

bool __recut_stream_may_wait(FILE *file, size_t count) {
    bool is_buffered = !(file->_flags & (unbuffered_flag | line_flag)) && file->_mode <= 0 &&
                       file->_IO_write_base && file->_IO_buf_end > file->_IO_write_ptr;
    return !is_buffered || (size_t)(file->_IO_buf_end - file->_IO_write_ptr) <= count;
}

/* --- input ------------------------------------------------------------------------ */

/* Bytes that were pushed back lie elsewhere; wide streams hold them decoded. */
static bool is_plain(const FILE *file) { return !(file->_flags & backup_flag) && file->_mode <= 0; }

static size_t buffered(const FILE *file) {
    return is_plain(file) && file->_IO_read_end > file->_IO_read_ptr
               ? (size_t)(file->_IO_read_end - file->_IO_read_ptr)
               : 0;
}

bool __recut_stream_is_ready(struct stream *stream) {
    const FILE *file = stream->file;
    size_t count = stream->end - stream->begin;
    if (!stream->is_known || !count || file->_IO_read_ptr != stream->position ||
        buffered(file) != count)
        return false;
    if (stream->epoch == epoch)
        return true;
    if (memcmp(stream->position, stream->bytes + stream->begin, count) != 0)
        return false;
    stream->epoch = epoch;
    return true;
}

void __recut_stream_took(struct stream *stream, size_t count) {
    stream->begin += count;
    stream->position += count;
}

size_t __recut_stream_bound(FILE *file) { return buffered(file) + 48; }

/* Either how much of `ready` is gone, or what is there now. */
unsigned char *__recut_stream_put(unsigned char *p, struct stream *stream) {
    const FILE *file = stream->file;
    size_t now = buffered(file), old = stream->end - stream->begin;
    if (stream->is_known && now && now <= old &&
        memcmp(stream->bytes + stream->end - now, file->_IO_read_ptr, now) == 0) {
        stream->begin = stream->end - now;
        p = put_varint(p, OUTPUT_CONSUMED);
        unsigned char *size = p++;
        p = put_svarint(p, (int64_t)(old - now));
        *size = (unsigned char)(p - size - 1);
    } else {
        stream->is_known = make_room(stream, now);
        stream->begin = 0;
        stream->end = stream->is_known ? now : 0;
        if (stream->is_known)
            memcpy(stream->bytes, file->_IO_read_ptr, now);
        p = put_varint(p, OUTPUT_BUFFER);
        p = put_bytes(p, file->_IO_read_ptr, stream->end);
    }
    stream->position = file->_IO_read_ptr;
    stream->epoch = epoch;
    return p;
}

bool __recut_stream_take(struct stream *stream, uint64_t tag, const unsigned char *bytes,
                         size_t size) {
    if (tag == OUTPUT_BUFFER) {
        if (!make_room(stream, size))
            return false;
        memcpy(stream->bytes, bytes, size);
        stream->is_known = true;
        stream->begin = 0;
        stream->end = size;
        return true;
    }
    struct log_reader number = {.at = bytes, .end = bytes + size};
    int64_t count = get_svarint(&number);
    if (tag != OUTPUT_CONSUMED || count < 0 || (size_t)count > stream->end - stream->begin)
        return false;
    stream->begin += (size_t)count;
    return true;
}

/* --- output ----------------------------------------------------------------------- */

size_t __recut_stream_predict(const struct stream *stream, const char *bytes, size_t count) {
    if (stream->buffering == STREAM_NONE)
        return 0;
    if (stream->buffering == STREAM_LINE) {
        const char *line = memrchr(bytes, '\n', count);
        if (line)
            return (size_t)(bytes + count - line - 1);
    }
    return stream->pending + count;
}

size_t __recut_stream_pending(FILE *file) {
    return file->_IO_write_ptr > file->_IO_write_base
               ? (size_t)(file->_IO_write_ptr - file->_IO_write_base)
               : 0;
}

enum stream_buffering __recut_stream_buffering(FILE *file) {
    return file->_flags & unbuffered_flag ? STREAM_NONE
           : file->_flags & line_flag     ? STREAM_LINE
                                          : STREAM_FULL;
}

/* Of streams in memory the field is not set. */
int __recut_stream_fd(FILE *file) {
    enum { is_filebuf = 0x2000 };
    return file->_flags & is_filebuf ? file->_fileno : -1;
}

unsigned char *__recut_stream_put_number(unsigned char *p, uint64_t tag, int64_t number) {
    p = put_varint(p, tag);
    unsigned char *size = p++;
    p = put_svarint(p, number);
    *size = (unsigned char)(p - size - 1);
    return p;
}

int __recut_stream_take_fd(struct log_reader *log) {
    size_t size;
    if (get_varint(log) != OUTPUT_FD)
        log->damaged = true;
    const unsigned char *bytes = get_bytes(log, &size);
    struct log_reader number = {.at = bytes, .end = bytes + size};
    return (int)get_svarint(&number);
}

void __recut_stream_show(struct stream *stream, const char *bytes, size_t count, size_t pending) {
    int target = __recut_echo_target(stream->fd);
    size_t before = stream->pending, all = before + count;
    stream->pending = pending;
    stream->is_known = false;
    if (!target)
        return;
    size_t shown = all > pending ? all - pending : 0;
    if (shown < before) { /* rare: the rest of what was pending moves to the front */
        if (!make_room(stream, all))
            return;
        __recut_echo(target, stream->bytes, shown);
        memmove(stream->bytes, stream->bytes + shown, before - shown);
        memcpy(stream->bytes + before - shown, bytes, count);
        return;
    }
    if (shown) {
        __recut_echo(target, stream->bytes, before);
        __recut_echo(target, bytes, shown - before);
        before = 0;
        bytes += count - pending;
        count = pending;
    }
    if (make_room(stream, before + count))
        memcpy(stream->bytes + before, bytes, count);
}

void __recut_stream_flush(struct stream *stream) {
    __recut_echo(__recut_echo_target(stream->fd), stream->bytes, stream->pending);
    stream->pending = 0;
}

void __recut_stream_flush_all(void) {
    for (unsigned i = 0; i < stream_count; i++)
        if (streams[i].file && streams[i].pending && streams[i].buffering != STREAM_UNKNOWN)
            __recut_stream_flush(&streams[i]);
}
