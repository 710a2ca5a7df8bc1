/*
 * Calls that change the state of a stream or ask for it: flush, close, seek,
 * end of file, buffering.  See stream.h.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>

#include "runtime/careful.h"
#include "runtime/echo.h"
#include "runtime/env_callback.h"
#include "runtime/hash.h"
#include "runtime/special.h"
#include "runtime/stream.h"
#include "runtime/stream_memory.h"

/* --- calls that are simply in the log ------------------------------------------------ */

struct state_call {
    enum special special;
    uint64_t from;
    int old_errno;
    int64_t numbers[3];
    unsigned count;
    bool is_void;
    bool has_fd; /* the log holds the stream's descriptor */
    int fd;
    const fpos_t *hashed; /* one more input, if it is there */
};

static void record_call(const struct state_call *call, int64_t result) {
    const FILE *file = (const FILE *)call->numbers[0];
    size_t bound = 100;
    unsigned memories = __recut_memory_outputs(file, &bound);
    unsigned char *p = __recut_special_write(call->special, call->from, call->old_errno, bound);
    if (!p)
        return;
    for (unsigned i = 0; i < call->count; i++)
        p = put_svarint(p, call->numbers[i]);
    if (call->hashed)
        p = put_u32(p, (uint32_t)__recut_hash(call->hashed, sizeof *call->hashed));
    p = call->is_void ? __recut_special_errno(p, call->old_errno)
                      : __recut_special_result(p, result, call->old_errno);
    p = put_varint(p, call->has_fd + memories);
    if (call->has_fd)
        p = __recut_stream_put_number(p, OUTPUT_FD, call->fd);
    __recut_special_end(__recut_memory_put(p, file));
}

static int64_t replay_call(struct state_call *call) {
    struct log_reader *log = __recut_special_read(call->special, call->from);
    for (unsigned i = 0; i < call->count; i++)
        __recut_special_input(log, "argument", call->numbers[i]);
    if (call->hashed)
        get_u32(log);
    int64_t result = 0;
    if (call->is_void)
        __recut_special_take_errno(log);
    else
        result = __recut_special_take_result(log);
    uint64_t outputs = get_varint(log);
    if (call->has_fd)
        call->fd = __recut_stream_take_fd(log);
    for (uint64_t left = outputs - call->has_fd; left && !log->damaged; left--) {
        uint64_t tag = get_varint(log);
        size_t size;
        const unsigned char *bytes = get_bytes(log, &size);
        if (!__recut_memory_take(tag, bytes, size))
            log->damaged = true;
    }
    __recut_env_expected(log);
    __recut_env_answered(log);
    return result;
}

/* --- flush --------------------------------------------------------------------------- */

/* A stream that is read from: flushing it may move the file's position. */
static bool is_input(const FILE *file) { return file->_IO_read_end > file->_IO_read_ptr; }

static int flush(enum special special, uint64_t from, FILE *file) {
    struct state_call call = {.special = special,
                              .from = from,
                              .old_errno = errno,
                              .numbers = {(intptr_t)file},
                              .count = 1};
    struct stream *stream = file ? __recut_stream(file) : NULL;
    if (__recut_env_mode == ENV_OFF) {
        int result = fflush(file);
        __recut_memory_sync(file);
        return result;
    }
    bool can_skip = stream && stream->buffering != STREAM_UNKNOWN && !stream->is_known &&
                    !__recut_memory_has(file);
    if (__recut_env_mode == ENV_RECORD) {
        bool is_held = !file || __recut_stream_hold(file);
        bool input = file && is_held && is_input(file);
        bool has_waited =
            __recut_is_threaded &&
            (!file || !is_held || __recut_stream_may_wait(file, 0) || __recut_stream_pending(file));
        int result = !has_waited ? fflush(file)
                     : file      ? STREAM_OUTSIDE(file, fflush(file))
                                 : ENV_OUTSIDE(fflush(NULL));
        if (stream)
            stream->pending = __recut_stream_pending(file);
        else
            __recut_stream_doubt();
        if (can_skip && !has_waited && !input && result == 0 && stream->pending == 0 &&
            errno == call.old_errno)
            env_skip(&env_thread()->out, from);
        else
            record_call(&call, result);
        if (stream)
            stream->is_known = false;
        return result;
    }
    int result = can_skip && env_skips(&env_thread()->in, from) ? 0 : (int)replay_call(&call);
    if (!file)
        __recut_stream_flush_all();
    else if (stream && result == 0 && stream->buffering != STREAM_UNKNOWN && !stream->is_known)
        __recut_stream_flush(stream);
    if (stream)
        stream->is_known = false;
    return result;
}

int __recut_flush(uint64_t from, FILE *file) { return flush(SPECIAL_fflush, from, file); }

#define FLUSH(name)                                                                                \
    int __recut_special_##name(FILE *);                                                            \
    int __recut_special_##name(FILE *file) { return flush(SPECIAL_##name, HERE, file); }
FLUSH(fflush)
FLUSH(fflush_unlocked)

/* --- close ---------------------------------------------------------------------------- */

static void show_rest(FILE *file) {
    struct stream *stream = __recut_stream(file);
    if (stream && stream->pending && stream->buffering != STREAM_UNKNOWN)
        __recut_stream_flush(stream);
}

static int close_stream(struct state_call *call, FILE *file, int (*real)(FILE *)) {
    int result;
    if (__recut_env_mode == ENV_OFF) {
        result = real(file);
        __recut_memory_sync(file);
    } else if (__recut_env_mode == ENV_RECORD) {
        call->fd = __recut_stream_fd(file);
        result = ENV_OUTSIDE(real(file));
        record_call(call, result);
    } else {
        show_rest(file);
        result = (int)replay_call(call);
    }
    __recut_echo_follow(MODEL_CLOSES, call->fd, 0);
    __recut_memory_forget(file);
    __recut_stream_forget(file);
    return result;
}

#define CLOSE(name)                                                                                \
    int __recut_special_##name(FILE *);                                                            \
    int __recut_special_##name(FILE *file) {                                                       \
        struct state_call call = {.special = SPECIAL_##name,                                       \
                                  .from = HERE,                                                    \
                                  .old_errno = errno,                                              \
                                  .numbers = {(intptr_t)file},                                     \
                                  .count = 1,                                                      \
                                  .has_fd = true};                                                 \
        return close_stream(&call, file, name);                                                    \
    }
CLOSE(fclose)
CLOSE(pclose)

static unsigned char *put_text(unsigned char *p, const char *text) {
    size_t length = text ? strlen(text) : 0;
    return put_raw(put_varint(p, text ? 1 + length : 0), text ? text : "", length);
}

static FILE *reopen(enum special special, uint64_t from, const char *path, const char *mode,
                    FILE *file) {
    int old = errno, fd = -1;
    FILE *result;
    if (__recut_env_mode == ENV_RECORD) {
        result = STREAM_OUTSIDE(file, freopen(path, mode, file));
        const char *named = errno == EFAULT && !__recut_can_read_string(path) ? NULL : path;
        unsigned char *p = __recut_special_write(special, from, old,
                                                 100 + (named ? strlen(named) : 0) + strlen(mode));
        if (p) {
            p = put_text(put_text(p, named), mode);
            p = put_svarint(p, (intptr_t)file);
            fd = result ? __recut_stream_fd(result) : -1;
            p = __recut_special_result(p, (intptr_t)result, old);
            __recut_special_end(__recut_stream_put_number(put_varint(p, 1), OUTPUT_FD, fd));
        }
    } else {
        show_rest(file);
        struct log_reader *log = __recut_special_read(special, from);
        for (unsigned i = 0; i < 2; i++) {
            uint64_t coded = get_varint(log);
            get_raw(log, coded ? coded - 1 : 0);
        }
        __recut_special_input(log, "stream", (intptr_t)file);
        result = (FILE *)__recut_special_take_result(log);
        if (get_varint(log) != 1)
            log->damaged = true;
        fd = __recut_stream_take_fd(log);
        __recut_env_expected(log);
        __recut_env_answered(log);
    }
    /* Whatever the descriptor led to, it leads to a file now. */
    if (path)
        __recut_echo_follow(MODEL_OPENS, 0, fd);
    __recut_stream_forget(file);
    return result;
}

#define REOPEN(name)                                                                               \
    FILE *__recut_special_##name(const char *, const char *, FILE *);                              \
    FILE *__recut_special_##name(const char *path, const char *mode, FILE *file) {                 \
        return reopen(SPECIAL_##name, HERE, path, mode, file);                                     \
    }
REOPEN(freopen)
REOPEN(freopen64)

/* --- state ---------------------------------------------------------------------------- */

/* The answer is mostly the same as the last time. */
static int ask(enum special special, uint64_t from, FILE *file, bool is_error) {
    struct state_call call = {.special = special,
                              .from = from,
                              .old_errno = errno,
                              .numbers = {(intptr_t)file},
                              .count = 1};
    struct stream *stream = __recut_stream(file);
    bool *known = stream ? (is_error ? &stream->has_error : &stream->at_end) : NULL;
    if (__recut_env_mode == ENV_RECORD) {
        bool is_held = __recut_stream_hold(file);
        int result = is_held ? (is_error ? ferror(file) : feof(file))
                             : STREAM_OUTSIDE(file, is_error ? ferror(file) : feof(file));
        if (is_held && known && *known == (result != 0) && result <= 1)
            env_skip(&env_thread()->out, from);
        else
            record_call(&call, result);
        if (known)
            *known = result != 0;
        return result;
    }
    if (known && env_skips(&env_thread()->in, from))
        return *known;
    int result = (int)replay_call(&call);
    if (known)
        *known = result != 0;
    return result;
}

#define ASK(name, is_error)                                                                        \
    int __recut_special_##name(FILE *);                                                            \
    int __recut_special_##name(FILE *file) { return ask(SPECIAL_##name, HERE, file, is_error); }
ASK(feof, false)
ASK(feof_unlocked, false)
ASK(ferror, true)
ASK(ferror_unlocked, true)

/* --- position and buffering ------------------------------------------------------------ */

/* After it, what is ready is found out anew, and output that was pending is
 * written. */
static int64_t move(struct state_call *call, FILE *file, int64_t result) {
    struct stream *stream = __recut_stream(file);
    if (__recut_env_mode == ENV_RECORD) {
        record_call(call, result);
    } else {
        show_rest(file);
        result = replay_call(call);
    }
    if (stream) {
        stream->is_known = false;
        stream->pending = 0;
        stream->buffering = STREAM_UNKNOWN;
    }
    return result;
}

#define SEEK(name, real, type)                                                                     \
    int __recut_special_##name(FILE *, type, int);                                                 \
    int __recut_special_##name(FILE *file, type offset, int whence) {                              \
        struct state_call call = {.special = SPECIAL_##name,                                       \
                                  .from = HERE,                                                    \
                                  .old_errno = errno,                                              \
                                  .numbers = {(intptr_t)file, offset, whence},                     \
                                  .count = 3};                                                     \
        int result =                                                                               \
            __recut_env_mode == ENV_RECORD ? STREAM_OUTSIDE(file, real(file, offset, whence)) : 0; \
        return (int)move(&call, file, result);                                                     \
    }
SEEK(fseek, fseek, long)
SEEK(fseeko, fseeko, off_t)
SEEK(fseeko64, fseeko, off_t)
SEEK(__fseeko64, fseeko, off_t)

#define SET_POSITION(name)                                                                         \
    int __recut_special_##name(FILE *, const fpos_t *);                                            \
    int __recut_special_##name(FILE *file, const fpos_t *position) {                               \
        struct state_call call = {.special = SPECIAL_##name,                                       \
                                  .from = HERE,                                                    \
                                  .old_errno = errno,                                              \
                                  .numbers = {(intptr_t)file},                                     \
                                  .count = 1};                                                     \
        call.hashed = position;                                                                    \
        int result =                                                                               \
            __recut_env_mode == ENV_RECORD ? STREAM_OUTSIDE(file, fsetpos(file, position)) : 0;    \
        return (int)move(&call, file, result);                                                     \
    }
SET_POSITION(fsetpos)
SET_POSITION(fsetpos64)

void __recut_special_rewind(FILE *);
void __recut_special_rewind(FILE *file) {
    struct state_call call = {.special = SPECIAL_rewind,
                              .from = HERE,
                              .old_errno = errno,
                              .numbers = {(intptr_t)file},
                              .count = 1,
                              .is_void = true};
    if (__recut_env_mode == ENV_RECORD)
        STREAM_OUTSIDE(file, (rewind(file), 0));
    move(&call, file, 0);
}

/* The buffer itself stays the program's and is not given to libc: what libc
 * keeps there would be written at times that no call tells. */
static int set_buffering(struct state_call *call, FILE *file, int mode, size_t size) {
    int result =
        __recut_env_mode == ENV_RECORD ? STREAM_OUTSIDE(file, setvbuf(file, NULL, mode, size)) : 0;
    return (int)move(call, file, result);
}

int __recut_special_setvbuf(FILE *, char *, int, size_t);
int __recut_special_setvbuf(FILE *file, char *buffer, int mode, size_t size) {
    struct state_call call = {.special = SPECIAL_setvbuf,
                              .from = HERE,
                              .old_errno = errno,
                              .numbers = {(intptr_t)file, mode, (int64_t)size},
                              .count = 3};
    (void)buffer;
    return set_buffering(&call, file, mode, size);
}

void __recut_special_setbuf(FILE *, char *);
void __recut_special_setbuf(FILE *file, char *buffer) {
    struct state_call call = {.special = SPECIAL_setbuf,
                              .from = HERE,
                              .old_errno = errno,
                              .numbers = {(intptr_t)file},
                              .count = 1,
                              .is_void = true};
    set_buffering(&call, file, buffer ? _IOFBF : _IONBF, buffer ? BUFSIZ : 0);
}

void __recut_special_setbuffer(FILE *, char *, size_t);
void __recut_special_setbuffer(FILE *file, char *buffer, size_t size) {
    struct state_call call = {.special = SPECIAL_setbuffer,
                              .from = HERE,
                              .old_errno = errno,
                              .numbers = {(intptr_t)file, (int64_t)size},
                              .count = 2,
                              .is_void = true};
    set_buffering(&call, file, buffer ? _IOFBF : _IONBF, buffer ? size : 0);
}

void __recut_special_setlinebuf(FILE *);
void __recut_special_setlinebuf(FILE *file) {
    struct state_call call = {.special = SPECIAL_setlinebuf,
                              .from = HERE,
                              .old_errno = errno,
                              .numbers = {(intptr_t)file},
                              .count = 1,
                              .is_void = true};
    set_buffering(&call, file, _IOLBF, 0);
}

/* What was pending is lost. */
void __recut_special___fpurge(FILE *);
void __recut_special___fpurge(FILE *file) {
    struct state_call call = {.special = SPECIAL___fpurge,
                              .from = HERE,
                              .old_errno = errno,
                              .numbers = {(intptr_t)file},
                              .count = 1,
                              .is_void = true};
    struct stream *stream = __recut_stream(file);
    if (__recut_env_mode == ENV_RECORD)
        STREAM_OUTSIDE(file, (__fpurge(file), 0));
    else if (stream)
        stream->pending = 0;
    move(&call, file, 0);
}
