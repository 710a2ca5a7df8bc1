/* How is a small call recorded in little time?  See fast.h. */
#include "runtime/fast.h"

#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/careful.h"
#include "runtime/env_callback.h"
#include "runtime/env_thread.h"
#include "runtime/hash.h"
#include "runtime/special.h"

enum fast {
    fast_read,
    fast_write,
    fast_pread,
    fast_pwrite,
    fast_lseek,
    fast_time,
    fast_gettimeofday,
    fast_clock_gettime,
    fast_count
};
_Static_assert(2 * fast_count <= env_fast_places, "a place for each name");

/* The functions' numbers in this executable; pread and pread64 may both be there,
 * which is why each name has a function of its own below. */
static uint64_t indexes[2][fast_count];
struct call {
    enum fast fast;
    unsigned second; /* of the two names */
    uint64_t from;
    int old_errno;
};

static inline unsigned char *begin(const struct call *call, size_t bound) {
    struct env_thread *thread = env_thread();
    struct log_writer *log = &thread->out;
    unsigned place = 2 * call->fast + call->second;
    /* The last place that a function was called from is mostly the next, too. */
    if (thread->fast[place].from != call->from) {
        thread->fast[place].site =
            __recut_env_site(log, call->from, indexes[call->second][call->fast]);
        thread->fast[place].from = call->from;
    }
    unsigned char *p = log_begin(log, env_call_head(errno != call->old_errno), bound + 40);
    return p ? put_varint(p, thread->fast[place].site) : NULL;
}

static inline unsigned char *put_result(const struct call *call, unsigned char *p, int64_t result) {
    p = put_svarint(p, result);
    return errno != call->old_errno ? put_svarint(p, errno) : p;
}

static inline void finish(unsigned char *p) {
    struct log_writer *log = &env_thread()->out;
    log->events++;
    log_end(log, p);
    if (__builtin_expect(log->next_hash != 0, 0))
        __recut_env_note(log);
}

static inline bool is_off(const struct call *call) {
    return __recut_env_mode != ENV_RECORD || !env_is_from_program(call->from);
}

static inline ssize_t input(struct call call, int fd, void *buffer, size_t size, int64_t offset,
                            bool has_offset, ssize_t got) {
    size_t count = got > 0 ? (size_t)got : 0;
    unsigned char *p = is_off(&call) ? NULL : begin(&call, 60 + count);
    if (!p)
        return got;
    p = put_svarint(put_svarint(p, fd), (int64_t)size);
    if (has_offset)
        p = put_svarint(p, offset);
    p = put_result(&call, p, got);
    p = put_varint(p, count != 0);
    if (count)
        p = put_bytes(put_varint(p, 1), buffer, count);
    finish(p);
    return got;
}

static inline ssize_t output(struct call call, int fd, const void *buffer, size_t size,
                             int64_t offset, bool has_offset, ssize_t put) {
    unsigned char *p = is_off(&call) ? NULL : begin(&call, 70);
    if (!p)
        return put;
    /* What was not written may not be there at all. */
    bool is_there = buffer && (put == (ssize_t)size || __recut_can_read(buffer, size));
    p = put_u32(put_svarint(p, fd), is_there ? (uint32_t)__recut_hash(buffer, size) : 0);
    p = put_svarint(p, (int64_t)size);
    if (has_offset)
        p = put_svarint(p, offset);
    p = put_result(&call, p, put);
    finish(put_varint(p, 0));
    return put;
}

#define CALL(name, second) struct call call = {fast_##name, second, HERE, errno}

static ssize_t record_read(int fd, void *buffer, size_t size) {
    CALL(read, 0);
    return input(call, fd, buffer, size, 0, false, ENV_OUTSIDE(read(fd, buffer, size)));
}

static ssize_t record_write(int fd, const void *buffer, size_t size) {
    CALL(write, 0);
    return output(call, fd, buffer, size, 0, false, ENV_OUTSIDE(write(fd, buffer, size)));
}

static ssize_t record_pread(int fd, void *buffer, size_t size, off_t offset) {
    CALL(pread, 0);
    return input(call, fd, buffer, size, offset, true,
                 ENV_OUTSIDE(pread(fd, buffer, size, offset)));
}

static ssize_t record_pread64(int fd, void *buffer, size_t size, off_t offset) {
    CALL(pread, 1);
    return input(call, fd, buffer, size, offset, true,
                 ENV_OUTSIDE(pread(fd, buffer, size, offset)));
}

static ssize_t record_pwrite(int fd, const void *buffer, size_t size, off_t offset) {
    CALL(pwrite, 0);
    return output(call, fd, buffer, size, offset, true,
                  ENV_OUTSIDE(pwrite(fd, buffer, size, offset)));
}

static ssize_t record_pwrite64(int fd, const void *buffer, size_t size, off_t offset) {
    CALL(pwrite, 1);
    return output(call, fd, buffer, size, offset, true,
                  ENV_OUTSIDE(pwrite(fd, buffer, size, offset)));
}

static inline off_t seek(struct call call, int fd, off_t offset, int whence) {
    off_t result = lseek(fd, offset, whence);
    unsigned char *p = is_off(&call) ? NULL : begin(&call, 60);
    if (p) {
        p = put_svarint(put_svarint(put_svarint(p, fd), offset), whence);
        finish(put_varint(put_result(&call, p, result), 0));
    }
    return result;
}

static off_t record_lseek(int fd, off_t offset, int whence) {
    CALL(lseek, 0);
    return seek(call, fd, offset, whence);
}

static off_t record_lseek64(int fd, off_t offset, int whence) {
    CALL(lseek, 1);
    return seek(call, fd, offset, whence);
}

static time_t record_time(time_t *ret) {
    CALL(time, 0);
    time_t now = time(ret);
    unsigned char *p = is_off(&call) ? NULL : begin(&call, 60);
    if (p) {
        p = put_varint(put_result(&call, p, now), ret != NULL);
        finish(ret ? put_bytes(put_varint(p, 0), ret, sizeof *ret) : p);
    }
    return now;
}

static int record_gettimeofday(struct timeval *ret, void *zone) {
    CALL(gettimeofday, 0);
    int result = gettimeofday(ret, zone);
    unsigned char *p = is_off(&call) ? NULL : begin(&call, 80);
    if (p) {
        bool has_time = ret && result == 0, has_zone = zone && result == 0;
        p = put_varint(put_result(&call, p, result), (uint64_t)has_time + has_zone);
        if (has_time)
            p = put_bytes(put_varint(p, 0), ret, sizeof *ret);
        if (has_zone)
            p = put_bytes(put_varint(p, 1), zone, sizeof(struct timezone));
        finish(p);
    }
    return result;
}

static int record_clock_gettime(clockid_t clock, struct timespec *ret) {
    CALL(clock_gettime, 0);
    int result = clock_gettime(clock, ret);
    unsigned char *p = is_off(&call) ? NULL : begin(&call, 80);
    if (p) {
        bool has_time = ret && result == 0;
        p = put_varint(put_result(&call, put_svarint(p, clock), result), has_time);
        finish(has_time ? put_bytes(put_varint(p, 1), ret, sizeof *ret) : p);
    }
    return result;
}

static const struct {
    const char *name;
    void *function;
    enum fast fast;
    unsigned second;
} functions[] = {
    {"read", (void *)record_read, fast_read, 0},
    {"write", (void *)record_write, fast_write, 0},
    {"pread", (void *)record_pread, fast_pread, 0},
    {"pread64", (void *)record_pread64, fast_pread, 1},
    {"pwrite", (void *)record_pwrite, fast_pwrite, 0},
    {"pwrite64", (void *)record_pwrite64, fast_pwrite, 1},
    {"lseek", (void *)record_lseek, fast_lseek, 0},
    {"lseek64", (void *)record_lseek64, fast_lseek, 1},
    {"time", (void *)record_time, fast_time, 0},
    {"gettimeofday", (void *)record_gettimeofday, fast_gettimeofday, 0},
    {"clock_gettime", (void *)record_clock_gettime, fast_clock_gettime, 0},
};

void *__recut_fast_find(const char *name, uint64_t index) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0) {
            indexes[functions[i].second][functions[i].fast] = index;
            return functions[i].function;
        }
    return NULL;
}
