/* putc, fputs, puts, fwrite, under all their names; see stream_out.h. */
#include "runtime/stream_out.h"

#include <stdlib.h>

#include "runtime/diverge.h"
#include "runtime/hash.h"
#include "runtime/raw.h"
#include "runtime/stream_memory.h"

struct output __recut_output_begin(enum special special, uint64_t from, FILE *file) {
    return (struct output){.special = special,
                           .from = from,
                           .file = file,
                           .stream = __recut_stream(file),
                           .old_errno = errno};
}

void __recut_output_number(struct output *output, int64_t number) {
    output->inputs[output->input_count++] = (struct output_input){output_number, number, NULL};
}

void __recut_output_text(struct output *output, const char *text) {
    output->inputs[output->input_count++] =
        (struct output_input){output_text, (int64_t)strlen(text), text};
}

void __recut_output_hash(struct output *output, const void *bytes, size_t count) {
    output->inputs[output->input_count++] =
        (struct output_input){output_hash, (int64_t)(uint32_t)__recut_hash(bytes, count), NULL};
}

/* --- record ------------------------------------------------------------------------ */

static void write_event(const struct output *output, int64_t result, const char *bytes,
                        size_t count) {
    struct stream *stream = output->stream;
    size_t bound = 160 + (output->is_logged ? count : 0);
    for (unsigned i = 0; i < output->input_count; i++)
        bound += output->inputs[i].text ? (size_t)output->inputs[i].number : 0;
    unsigned memories =
        __recut_memory_has(output->file) ? __recut_memory_outputs(output->file, &bound) : 0;
    unsigned char *p =
        __recut_special_write(output->special, output->from, output->old_errno, bound);
    if (!p)
        return;
    for (unsigned i = 0; i < output->input_count; i++) {
        const struct output_input *input = &output->inputs[i];
        if (input->kind == output_number)
            p = put_svarint(p, input->number);
        else if (input->kind == output_hash)
            p = put_u32(p, (uint32_t)input->number);
        else
            p = put_raw(put_varint(p, 1 + (uint64_t)input->number), input->text,
                        (size_t)input->number);
    }
    p = output->is_void ? __recut_special_errno(p, output->old_errno)
                        : __recut_special_result(p, result, output->old_errno);
    p = put_varint(p, (stream ? 3u : 0u) + output->is_logged + memories);
    if (output->is_logged)
        p = put_bytes(put_varint(p, OUTPUT_TEXT), bytes, count);
    if (memories)
        p = __recut_memory_put(p, output->file);
    if (stream) {
        stream->buffering = __recut_stream_buffering(output->file);
        stream->pending = __recut_stream_pending(output->file);
        p = __recut_stream_put_number(p, OUTPUT_BUFFERING, stream->buffering);
        p = __recut_stream_put_number(p, OUTPUT_FD, __recut_stream_fd(output->file));
        p = __recut_stream_put_number(p, OUTPUT_PENDING, (int64_t)stream->pending);
    }
    __recut_special_end(p);
}

/* What is pending after the call, if all went as usual. Where the bytes are not
 * at hand, a line buffer is not foretold. */
static bool is_usual(const struct output *output, const char *bytes, size_t count) {
    const struct stream *stream = output->stream;
    if (!stream || output->is_logged || errno != output->old_errno ||
        stream->buffering == STREAM_UNKNOWN ||
        stream->buffering != __recut_stream_buffering(output->file) ||
        (stream->buffering == STREAM_LINE && !bytes))
        return false;
    return __recut_stream_predict(stream, bytes, count) == __recut_stream_pending(output->file);
}

int64_t __recut_output_made(struct output *output, int64_t result, int64_t usual, const char *bytes,
                            size_t count) {
    int new_errno = errno;
    if (output->stream)
        output->stream->is_known = false;
    if (!output->has_waited && result == usual && is_usual(output, bytes, count)) {
        output->stream->pending = __recut_stream_pending(output->file);
        env_skip(&env_thread()->out, output->from);
    } else {
        write_event(output, result, bytes, count);
    }
    errno = new_errno;
    return result;
}

/* --- replay ------------------------------------------------------------------------ */

static void check_inputs(struct log_reader *log, const struct output *output) {
    struct diverge_place now = {__recut_env_name(SPECIAL_BASE + output->special), output->from};
    for (unsigned i = 0; i < output->input_count && !log->damaged; i++) {
        const struct output_input *input = &output->inputs[i];
        if (input->kind == output_number) {
            __recut_special_input(log, "argument", input->number);
        } else if (input->kind == output_hash) {
            if (get_u32(log) != (uint32_t)input->number)
                __recut_diverge(log, "output", "others", "these bytes", now);
        } else {
            uint64_t coded = get_varint(log);
            const unsigned char *text = coded ? get_raw(log, coded - 1) : NULL;
            if (text && (coded - 1 != (uint64_t)input->number ||
                         memcmp(text, input->text, coded - 1) != 0)) {
                char recorded[128];
                snprintf(recorded, sizeof recorded, "%.*s", (int)(coded - 1), text);
                __recut_diverge(log, "text", recorded, input->text, now);
            }
        }
    }
}

int64_t __recut_output_replay(struct output *output, int64_t usual, const char *bytes,
                              size_t count) {
    struct stream *stream = output->stream;
    struct log_reader *log = &env_thread()->in;
    errno = output->old_errno;
    if (stream && stream->buffering != STREAM_UNKNOWN && !output->is_logged &&
        env_skips(log, output->from)) {
        __recut_stream_show(stream, bytes, count, __recut_stream_predict(stream, bytes, count));
        return usual;
    }
    __recut_special_read(output->special, output->from);
    check_inputs(log, output);
    int64_t result = 0, pending = 0;
    if (output->is_void)
        __recut_special_take_errno(log);
    else
        result = __recut_special_take_result(log);
    for (uint64_t left = get_varint(log); left && !log->damaged; left--) {
        uint64_t tag = get_varint(log);
        size_t size;
        const unsigned char *value = get_bytes(log, &size);
        if (tag == OUTPUT_TEXT) {
            bytes = (const char *)value;
            count = size;
            continue;
        }
        if (__recut_memory_take(tag, value, size))
            continue;
        struct log_reader number = {.at = value, .end = value + size};
        int64_t found = get_svarint(&number);
        if (tag == OUTPUT_PENDING)
            pending = found;
        else if (tag == OUTPUT_BUFFERING)
            stream->buffering = (enum stream_buffering)found;
        else if (tag == OUTPUT_FD)
            stream->fd = (int)found;
        else
            log->damaged = true;
    }
    __recut_env_expected(log);
    if (stream)
        __recut_stream_show(stream, bytes, result < 0 ? 0 : count, (size_t)pending);
    __recut_env_answered(log);
    return result;
}

/* --- the functions ----------------------------------------------------------------- */

static int put_byte(struct output output, int byte) {
    char bytes[1] = {(char)byte};
    int usual = (unsigned char)byte;
    if (__recut_env_mode == ENV_RECORD)
        return (int)__recut_output_made(&output, OUTPUT_CALL(output, 1, putc(byte, output.file)),
                                        usual, bytes, 1);
    return (int)__recut_output_replay(&output, usual, bytes, 1);
}

#define PUT_BYTE(name)                                                                             \
    int __recut_special_##name(int, FILE *);                                                       \
    int __recut_special_##name(int byte, FILE *file) {                                             \
        struct output output = __recut_output_begin(SPECIAL_##name, HERE, file);                   \
        __recut_output_number(&output, byte);                                                      \
        __recut_output_number(&output, (intptr_t)file);                                            \
        return put_byte(output, byte);                                                             \
    }
PUT_BYTE(putc)
PUT_BYTE(fputc)
PUT_BYTE(_IO_putc)
PUT_BYTE(putc_unlocked)
PUT_BYTE(fputc_unlocked)

#define PUT_CHAR(name)                                                                             \
    int __recut_special_##name(int);                                                               \
    int __recut_special_##name(int byte) {                                                         \
        struct output output = __recut_output_begin(SPECIAL_##name, HERE, stdout);                 \
        __recut_output_number(&output, byte);                                                      \
        return put_byte(output, byte);                                                             \
    }
PUT_CHAR(putchar)
PUT_CHAR(putchar_unlocked)

#define PUT_TEXT(name)                                                                             \
    int __recut_special_##name(const char *, FILE *);                                              \
    int __recut_special_##name(const char *text, FILE *file) {                                     \
        struct output output = __recut_output_begin(SPECIAL_##name, HERE, file);                   \
        size_t length = strlen(text);                                                              \
        __recut_output_text(&output, text);                                                        \
        __recut_output_number(&output, (intptr_t)file);                                            \
        if (__recut_env_mode == ENV_RECORD)                                                        \
            return (int)__recut_output_made(                                                       \
                &output, OUTPUT_CALL(output, length, fputs(text, file)), 1, text, length);         \
        return (int)__recut_output_replay(&output, 1, text, length);                               \
    }
PUT_TEXT(fputs)
PUT_TEXT(fputs_unlocked)

int __recut_special_puts(const char *);
int __recut_special_puts(const char *text) {
    struct output output = __recut_output_begin(SPECIAL_puts, HERE, stdout);
    size_t length = strlen(text);
    int usual = length < INT32_MAX ? (int)length + 1 : INT32_MAX;
    __recut_output_text(&output, text);
    if (__recut_env_mode == ENV_RECORD) /* the last line ends with it: any text that does will do */
        return (int)__recut_output_made(&output, OUTPUT_CALL(output, length + 1, puts(text)), usual,
                                        NULL, length + 1);
    char small[512], *large = length < sizeof small ? NULL : raw_scratch(length + 1);
    char *line = large ? large : small;
    length = large || length < sizeof small ? length : sizeof small - 1;
    memcpy(line, text, length);
    line[length] = '\n';
    int result = (int)__recut_output_replay(&output, usual, line, length + 1);
    raw_scratch_end(large, length + 1);
    return result;
}

#define PUT_BLOCK(name)                                                                            \
    size_t __recut_special_##name(const void *, size_t, size_t, FILE *);                           \
    size_t __recut_special_##name(const void *from, size_t size, size_t n, FILE *file) {           \
        struct output output = __recut_output_begin(SPECIAL_##name, HERE, file);                   \
        size_t all;                                                                                \
        if (__builtin_mul_overflow(size, n, &all) || all == 0)                                     \
            return 0;                                                                              \
        __recut_output_hash(&output, from, all);                                                   \
        __recut_output_number(&output, (int64_t)size);                                             \
        __recut_output_number(&output, (int64_t)n);                                                \
        __recut_output_number(&output, (intptr_t)file);                                            \
        if (__recut_env_mode == ENV_RECORD)                                                        \
            return (size_t)__recut_output_made(                                                    \
                &output, OUTPUT_CALL(output, size * n, (int64_t)fwrite(from, size, n, file)),      \
                (int64_t)n, from, all);                                                            \
        return (size_t)__recut_output_replay(&output, (int64_t)n, from, all);                      \
    }
PUT_BLOCK(fwrite)
PUT_BLOCK(fwrite_unlocked)

int __recut_special_putw(int, FILE *);
int __recut_special_putw(int word, FILE *file) {
    struct output output = __recut_output_begin(SPECIAL_putw, HERE, file);
    __recut_output_number(&output, word);
    __recut_output_number(&output, (intptr_t)file);
    const char *bytes = (const char *)&word;
    if (__recut_env_mode == ENV_RECORD)
        return (int)__recut_output_made(&output, OUTPUT_CALL(output, sizeof word, putw(word, file)),
                                        0, bytes, sizeof word);
    return (int)__recut_output_replay(&output, 0, bytes, sizeof word);
}
