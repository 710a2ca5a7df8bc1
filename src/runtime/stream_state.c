/*
 * Calls that change the state of a stream or ask for it: flush, close, seek,
 * end of file, buffering.  See stream.h.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "runtime/special.h"
#include "runtime/stream.h"

/* --- calls that are simply in the log ------------------------------------------------ */

struct state_call {
    enum special special;
    uint64_t from;
    int old_errno;
    int64_t numbers[3];
    unsigned count;
    bool is_void;
};

static void record_call(const struct state_call *call, int64_t result) {
    unsigned char *p = __recut_special_write(call->special, call->from, call->old_errno, 100);
    if (!p)
        return;
    for (unsigned i = 0; i < call->count; i++)
        p = put_svarint(p, call->numbers[i]);
    p = call->is_void ? __recut_special_errno(p, call->old_errno)
                      : __recut_special_result(p, result, call->old_errno);
    __recut_special_end(put_varint(p, 0));
}

static int64_t replay_call(const struct state_call *call) {
    struct log_reader *log = __recut_special_read(call->special, call->from);
    for (unsigned i = 0; i < call->count; i++)
        __recut_special_input(log, "argument", call->numbers[i]);
    int64_t result = 0;
    if (call->is_void)
        __recut_special_take_errno(log);
    else
        result = __recut_special_take_result(log);
    if (get_varint(log) != 0)
        log->damaged = true;
    __recut_env_expected(log);
    __recut_env_answered(log);
    return result;
}

/* --- flush --------------------------------------------------------------------------- */

/* A stream that is read from: flushing it may move the file's position. */
static bool is_input(const FILE *file) { return file->_IO_read_end > file->_IO_read_ptr; }

static int flush(enum special special, uint64_t from, FILE *file) {
    struct state_call call = {special, from, errno, {(intptr_t)file}, 1, false};
    struct stream *stream = file ? __recut_stream(file) : NULL;
    bool can_skip = stream && stream->buffering != STREAM_UNKNOWN && !stream->is_known;
    if (__recut_env_mode == ENV_RECORD) {
        bool input = file && is_input(file);
        int result = fflush(file);
        if (stream)
            stream->pending = __recut_stream_pending(file);
        else
            __recut_stream_doubt();
        if (can_skip && !input && result == 0 && stream->pending == 0 && errno == call.old_errno)
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

int __recut_special_fclose(FILE *);
int __recut_special_fclose(FILE *file) {
    struct state_call call = {SPECIAL_fclose, HERE, errno, {(intptr_t)file}, 1, false};
    int result;
    if (__recut_env_mode == ENV_RECORD) {
        result = fclose(file);
        record_call(&call, result);
    } else {
        show_rest(file);
        result = (int)replay_call(&call);
    }
    __recut_stream_forget(file);
    return result;
}

static unsigned char *put_text(unsigned char *p, const char *text) {
    size_t length = text ? strlen(text) : 0;
    return put_raw(put_varint(p, text ? 1 + length : 0), text ? text : "", length);
}

static FILE *reopen(enum special special, uint64_t from, const char *path, const char *mode,
                    FILE *file) {
    int old = errno;
    FILE *result;
    if (__recut_env_mode == ENV_RECORD) {
        result = freopen(path, mode, file);
        unsigned char *p = __recut_special_write(
            special, from, old, 100 + (path ? strlen(path) : 0) + strlen(mode));
        if (p) {
            p = put_text(put_text(p, path), mode);
            p = put_svarint(p, (intptr_t)file);
            p = __recut_special_result(p, (intptr_t)result, old);
            __recut_special_end(put_varint(p, 0));
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
        if (get_varint(log) != 0)
            log->damaged = true;
        __recut_env_expected(log);
    }
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
    struct state_call call = {special, from, errno, {(intptr_t)file}, 1, false};
    struct stream *stream = __recut_stream(file);
    bool *known = stream ? (is_error ? &stream->has_error : &stream->at_end) : NULL;
    if (__recut_env_mode == ENV_RECORD) {
        int result = is_error ? ferror(file) : feof(file);
        if (known && *known == (result != 0) && result <= 1)
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
static int64_t move(const struct state_call *call, FILE *file, int64_t result) {
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

#define SEEK(name, type)                                                                           \
    int __recut_special_##name(FILE *, type, int);                                                 \
    int __recut_special_##name(FILE *file, type offset, int whence) {                              \
        struct state_call call = {                                                                 \
            SPECIAL_##name, HERE, errno, {(intptr_t)file, offset, whence}, 3, false};              \
        int result = __recut_env_mode == ENV_RECORD ? name(file, offset, whence) : 0;              \
        return (int)move(&call, file, result);                                                     \
    }
SEEK(fseek, long)
SEEK(fseeko, off_t)
SEEK(fseeko64, off_t)

void __recut_special_rewind(FILE *);
void __recut_special_rewind(FILE *file) {
    struct state_call call = {SPECIAL_rewind, HERE, errno, {(intptr_t)file}, 1, true};
    if (__recut_env_mode == ENV_RECORD)
        rewind(file);
    move(&call, file, 0);
}

/* The buffer itself stays the program's and is not given to libc: what libc
 * keeps there would be written at times that no call tells. */
static int set_buffering(const struct state_call *call, FILE *file, int mode, size_t size) {
    int result = __recut_env_mode == ENV_RECORD ? setvbuf(file, NULL, mode, size) : 0;
    return (int)move(call, file, result);
}

int __recut_special_setvbuf(FILE *, char *, int, size_t);
int __recut_special_setvbuf(FILE *file, char *buffer, int mode, size_t size) {
    struct state_call call = {
        SPECIAL_setvbuf, HERE, errno, {(intptr_t)file, mode, (int64_t)size}, 3, false};
    (void)buffer;
    return set_buffering(&call, file, mode, size);
}

void __recut_special_setbuf(FILE *, char *);
void __recut_special_setbuf(FILE *file, char *buffer) {
    struct state_call call = {SPECIAL_setbuf, HERE, errno, {(intptr_t)file}, 1, true};
    set_buffering(&call, file, buffer ? _IOFBF : _IONBF, buffer ? BUFSIZ : 0);
}

void __recut_special_setlinebuf(FILE *);
void __recut_special_setlinebuf(FILE *file) {
    struct state_call call = {SPECIAL_setlinebuf, HERE, errno, {(intptr_t)file}, 1, true};
    set_buffering(&call, file, _IOLBF, 0);
}
