/*
 * Input from streams: getc, fgets, fread, getdelim, ungetc, under all their
 * names.  See stream.h for what is logged and what is not.
 */
#include <stdlib.h>

#include "runtime/env_callback.h"
#include "runtime/hash.h"
#include "runtime/raw.h"
#include "runtime/special.h"
#include "runtime/stream.h"
#include "runtime/stream_in.h"

/* A call on a stream, on its way through the steps that all of them take. */
struct input {
    enum special special;
    uint64_t from;
    FILE *file;
    struct stream *stream;
    int64_t numbers[3]; /* what the log holds of the parameters, in order */
    unsigned number_count;
    uint32_t hashes[2]; /* and before that */
    unsigned hash_count;
    int old_errno;
    size_t used;  /* of `ready`, by a call that it is not enough for */
    bool is_busy; /* record: another thread has the stream */
};

static struct input begin(enum special special, uint64_t from, FILE *file) {
    bool is_busy = __recut_env_mode == ENV_RECORD && !__recut_stream_hold(file);
    return (struct input){.special = special,
                          .from = from,
                          .file = file,
                          .stream = __recut_stream(file),
                          .old_errno = errno,
                          .is_busy = is_busy};
}

static void add_number(struct input *input, int64_t number) {
    input->numbers[input->number_count++] = number;
}

static size_t ready_count(const struct input *input) {
    const struct stream *stream = input->stream;
    return stream && stream->is_known ? stream->end - stream->begin : 0;
}

static const char *ready_bytes(const struct input *input) {
    return input->stream->bytes + input->stream->begin;
}

/* May the next `ready` bytes be looked at? */
static bool is_ready(const struct input *input) {
    return input->stream && !input->is_busy &&
           (__recut_env_mode == ENV_REPLAY ? ready_count(input) > 0
                                           : __recut_stream_is_ready(input->stream));
}

/* The call takes `count` of `ready` and nothing else; where they are. NULL if
 * the recorded call did not (replay). */
static const char *take(struct input *input, size_t count) {
    const char *bytes = ready_bytes(input);
    if (__recut_env_mode == ENV_REPLAY) {
        if (!env_skips(&env_thread()->in, input->from))
            return NULL;
        input->stream->begin += count;
        return bytes;
    }
    input->file->_IO_read_ptr += count;
    __recut_stream_took(input->stream, count);
    env_skip(&env_thread()->out, input->from);
    return bytes;
}

/* Record: before a call that may use `ready` up. */
static void use_ready(struct input *input) {
    struct stream *stream = input->stream;
    if (!stream || input->is_busy)
        return;
    if (is_ready(input))
        input->used = ready_count(input);
    stream->is_known = false;
}

/* Record: the event of a call; `more` is what it returned beyond what was ready. */
static void write_event(struct input *input, int64_t result, uint64_t tag, const void *more,
                        size_t count) {
    struct stream *stream = input->stream;
    unsigned char *p = __recut_special_write(input->special, input->from, input->old_errno,
                                             120 + count + __recut_stream_bound(input->file));
    if (!p)
        return;
    for (unsigned i = 0; i < input->hash_count; i++)
        p = put_u32(p, input->hashes[i]);
    for (unsigned i = 0; i < input->number_count; i++)
        p = put_svarint(p, input->numbers[i]);
    p = __recut_special_result(p, result, input->old_errno);
    p = put_varint(p, (input->used != 0) + (count != 0) + (stream != NULL));
    if (input->used) {
        p = put_varint(p, OUTPUT_USED);
        unsigned char *size = p++;
        p = put_svarint(p, (int64_t)input->used);
        *size = (unsigned char)(p - size - 1);
    }
    if (count)
        p = put_bytes(put_varint(p, tag), more, count);
    if (stream)
        p = __recut_stream_put(p, stream);
    __recut_special_end(p);
}

/* Replay: the event of a call. What it returned beyond what was ready is in
 * `more`, and input->used says how much of that comes first. */
static int64_t read_event(struct input *input, uint64_t tag, const unsigned char **more,
                          size_t *count) {
    struct log_reader *log = __recut_special_read(input->special, input->from);
    for (unsigned i = 0; i < input->hash_count; i++)
        get_u32(log);
    for (unsigned i = 0; i < input->number_count; i++)
        __recut_special_input(log, "argument", input->numbers[i]);
    int64_t result = __recut_special_take_result(log);
    *more = NULL;
    *count = 0;
    for (uint64_t left = get_varint(log); left && !log->damaged; left--) {
        uint64_t found = get_varint(log);
        size_t size;
        const unsigned char *bytes = get_bytes(log, &size);
        if (found == tag) {
            *more = bytes;
            *count = size;
        } else if (found == OUTPUT_USED) {
            struct log_reader number = {.at = bytes, .end = bytes + size};
            input->used = (size_t)get_svarint(&number);
            if (input->used > ready_count(input))
                log->damaged = true;
        } else if (found == OUTPUT_BUFFER || found == OUTPUT_CONSUMED) {
            /* Replaces `ready`, which is still wanted: see finish_event(). */
            log->buffer_tag = found;
            log->buffer = bytes;
            log->buffer_size = size;
        } else {
            log->damaged = true;
        }
    }
    return result;
}

static void finish_event(struct input *input) {
    struct log_reader *log = &env_thread()->in;
    if (log->buffer &&
        !__recut_stream_take(input->stream, log->buffer_tag, log->buffer, log->buffer_size))
        log->damaged = true;
    log->buffer = NULL;
    __recut_env_expected(log);
    __recut_env_answered(log);
}

/* Replay: puts together what a call returned. */
static void join(const struct input *input, char *to, const unsigned char *more, size_t count) {
    memcpy(to, ready_bytes(input), input->used);
    memcpy(to + input->used, more, count);
}

/* --- one byte ---------------------------------------------------------------------- */

static int get_byte(struct input input) {
    if (is_ready(&input)) {
        const char *byte = take(&input, 1);
        if (byte)
            return (unsigned char)*byte;
    }
    if (__recut_env_mode == ENV_REPLAY) {
        const unsigned char *more;
        size_t count;
        int result = (int)read_event(&input, 0, &more, &count);
        finish_event(&input);
        return result;
    }
    if (input.stream && !input.is_busy)
        input.stream->is_known = is_ready(&input);
    int result = STREAM_OUTSIDE(input.file, getc(input.file));
    write_event(&input, result, 0, NULL, 0);
    return result;
}

#define GET_BYTE(name)                                                                             \
    int __recut_special_##name(FILE *);                                                            \
    int __recut_special_##name(FILE *file) {                                                       \
        struct input input = begin(SPECIAL_##name, HERE, file);                                    \
        add_number(&input, (intptr_t)file);                                                        \
        return get_byte(input);                                                                    \
    }
GET_BYTE(getc)
GET_BYTE(fgetc)
GET_BYTE(_IO_getc)
GET_BYTE(getc_unlocked)
GET_BYTE(fgetc_unlocked)

#define GET_CHAR(name)                                                                             \
    int __recut_special_##name(void);                                                              \
    int __recut_special_##name(void) { return get_byte(begin(SPECIAL_##name, HERE, stdin)); }
GET_CHAR(getchar)
GET_CHAR(getchar_unlocked)

/* --- a line ------------------------------------------------------------------------ */

static char *get_line(struct input input, char *to, int size) {
    if (is_ready(&input) && size > 1) {
        size_t most = (size_t)size - 1, count = ready_count(&input);
        const char *bytes = ready_bytes(&input);
        const char *end = memchr(bytes, '\n', count < most ? count : most);
        size_t length = end ? (size_t)(end - bytes) + 1 : most;
        if (length <= count && (bytes = take(&input, length))) {
            memcpy(to, bytes, length);
            to[length] = '\0';
            return to;
        }
    }
    if (__recut_env_mode == ENV_REPLAY) {
        const unsigned char *more;
        size_t count;
        int64_t result = read_event(&input, 0, &more, &count);
        if (result && more)
            join(&input, to, more, count);
        finish_event(&input);
        return result ? to : NULL;
    }
    use_ready(&input);
    char *result = STREAM_OUTSIDE(input.file, fgets(to, size, input.file));
    size_t length = result ? strlen(result) + 1 : 0;
    if (result && length - 1 < input.used) { /* holds a NUL: look again */
        length = input.used + 1;
        while (length < (size_t)size && to[length - 1] != '\0')
            length++;
    }
    if (!result)
        input.used = 0;
    write_event(&input, (intptr_t)result, 0, to + input.used, result ? length - input.used : 0);
    return result;
}

#define GET_LINE(name)                                                                             \
    char *__recut_special_##name(char *, int, FILE *);                                             \
    char *__recut_special_##name(char *to, int size, FILE *file) {                                 \
        struct input input = begin(SPECIAL_##name, HERE, file);                                    \
        add_number(&input, size);                                                                  \
        add_number(&input, (intptr_t)file);                                                        \
        return get_line(input, to, size);                                                          \
    }
GET_LINE(fgets)
GET_LINE(fgets_unlocked)

#define GET_LINE_CHECKED(name)                                                                     \
    char *__recut_special_##name(char *, size_t, int, FILE *);                                     \
    char *__recut_special_##name(char *to, size_t room, int size, FILE *file) {                    \
        struct input input = begin(SPECIAL_##name, HERE, file);                                    \
        add_number(&input, (int64_t)room);                                                         \
        add_number(&input, size);                                                                  \
        add_number(&input, (intptr_t)file);                                                        \
        return get_line(input, to, size);                                                          \
    }
GET_LINE_CHECKED(__fgets_chk)
GET_LINE_CHECKED(__fgets_unlocked_chk)

/* --- a block ----------------------------------------------------------------------- */

static size_t get_block(struct input input, char *to, size_t size, size_t n) {
    size_t all;
    if (__builtin_mul_overflow(size, n, &all) || all == 0)
        return 0;
    if (is_ready(&input) && ready_count(&input) >= all) {
        const char *bytes = take(&input, all);
        if (bytes) {
            memcpy(to, bytes, all);
            return n;
        }
    }
    if (__recut_env_mode == ENV_REPLAY) {
        const unsigned char *more;
        size_t count;
        size_t result = (size_t)read_event(&input, 0, &more, &count);
        if (input.used + count <= all)
            join(&input, to, more, count);
        finish_event(&input);
        return result;
    }
    use_ready(&input);
    /* Also a part of an element counts. */
    size_t got = STREAM_OUTSIDE(input.file, fread(to, 1, all, input.file));
    write_event(&input, (int64_t)(got / size), 0, to + input.used, got - input.used);
    return got / size;
}

#define GET_BLOCK(name)                                                                            \
    size_t __recut_special_##name(void *, size_t, size_t, FILE *);                                 \
    size_t __recut_special_##name(void *to, size_t size, size_t n, FILE *file) {                   \
        struct input input = begin(SPECIAL_##name, HERE, file);                                    \
        add_number(&input, (int64_t)size);                                                         \
        add_number(&input, (int64_t)n);                                                            \
        add_number(&input, (intptr_t)file);                                                        \
        return get_block(input, to, size, n);                                                      \
    }
GET_BLOCK(fread)
GET_BLOCK(fread_unlocked)

#define GET_BLOCK_CHECKED(name)                                                                    \
    size_t __recut_special_##name(void *, size_t, size_t, size_t, FILE *);                         \
    size_t __recut_special_##name(void *to, size_t room, size_t size, size_t n, FILE *file) {      \
        struct input input = begin(SPECIAL_##name, HERE, file);                                    \
        (void)room;                                                                                \
        add_number(&input, (int64_t)size);                                                         \
        add_number(&input, (int64_t)n);                                                            \
        add_number(&input, (intptr_t)file);                                                        \
        return get_block(input, to, size, n);                                                      \
    }
GET_BLOCK_CHECKED(__fread_chk)
GET_BLOCK_CHECKED(__fread_unlocked_chk)

/* --- a line of any length ---------------------------------------------------------- */

ssize_t __recut_stream_line(FILE *file, int delimiter, uint64_t from, const char *old,
                            size_t old_size, char **ret) {
    static _Thread_local char *line; /* libc's; kept for the next call */
    static _Thread_local size_t line_size;
    if (__recut_env_mode == ENV_OFF) {
        *ret = NULL;
        ssize_t got = getdelim(&line, &line_size, delimiter, file);
        *ret = line;
        return got;
    }
    struct input input = begin(SPECIAL_getdelim, from, file);
    add_number(&input, delimiter);
    add_number(&input, (intptr_t)file);
    if (is_ready(&input)) {
        const char *bytes = ready_bytes(&input);
        const char *end = memchr(bytes, delimiter, ready_count(&input));
        if (end && take(&input, (size_t)(end - bytes) + 1)) {
            *ret = (char *)bytes;
            return end - bytes + 1;
        }
    }
    input.hashes[input.hash_count++] = (uint32_t)__recut_hash(&old, sizeof old);
    input.hashes[input.hash_count++] = (uint32_t)__recut_hash(&old_size, sizeof old_size);
    if (__recut_env_mode == ENV_REPLAY) {
        const unsigned char *more;
        size_t count;
        int64_t result = read_event(&input, OUTPUT_OBJECT, &more, &count);
        if (result >= 0 && (size_t)result != input.used + count)
            env_thread()->in.damaged = true;
        if (result > 0) {
            if (line_size < (size_t)result) {
                raw_scratch_end(line, line_size);
                line_size = (size_t)result;
                line = raw_scratch(line_size);
            }
            join(&input, line, more, count);
        }
        *ret = line;
        finish_event(&input);
        return result;
    }
    use_ready(&input);
    ssize_t got = STREAM_OUTSIDE(file, getdelim(&line, &line_size, delimiter, file));
    size_t all = got > 0 ? (size_t)got : 0;
    if (all < input.used)
        input.used = 0;
    write_event(&input, got, OUTPUT_OBJECT, all ? line + input.used : NULL, all - input.used);
    *ret = line;
    return got;
}

/* --- back -------------------------------------------------------------------------- */

int __recut_special_ungetc(int, FILE *);
int __recut_special_ungetc(int byte, FILE *file) {
    struct input input = begin(SPECIAL_ungetc, HERE, file);
    struct stream *stream = input.stream;
    add_number(&input, byte);
    add_number(&input, (intptr_t)file);
    bool is_last = stream && stream->is_known && stream->begin > 0 && byte != EOF &&
                   stream->bytes[stream->begin - 1] == (char)byte;
    if (__recut_env_mode == ENV_REPLAY) {
        if (is_last && env_skips(&env_thread()->in, input.from)) {
            stream->begin--;
            return (unsigned char)byte;
        }
        const unsigned char *more;
        size_t count;
        int result = (int)read_event(&input, 0, &more, &count);
        finish_event(&input);
        return result;
    }
    bool known =
        stream && !input.is_busy && stream->is_known && file->_IO_read_ptr == stream->position;
    const char *before = file->_IO_read_ptr;
    int result = input.is_busy ? STREAM_OUTSIDE(file, ungetc(byte, file)) : ungetc(byte, file);
    if (is_last && known && result != EOF && file->_IO_read_ptr == before - 1) {
        stream->begin--;
        stream->position--;
        env_skip(&env_thread()->out, input.from);
        return result;
    }
    if (stream)
        stream->is_known = false;
    write_event(&input, result, 0, NULL, 0);
    return result;
}
