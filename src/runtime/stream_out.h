/*
 * Output to streams: the steps that all functions take.
 *
 *     struct output output = output_begin(SPECIAL_fputs, HERE, file);
 *     ... inputs are added in the order of the model ...
 *     if (output_is_recorded())
 *         return output_made(&output, OUTPUT_CALL(output, length, fputs(text, file)), 1, text,
 *                            length);
 *     return output_replay(&output, 1, text, length);
 */
#ifndef RECUT_RUNTIME_STREAM_OUT_H
#define RECUT_RUNTIME_STREAM_OUT_H

#include "runtime/env_callback.h"
#include "runtime/special.h"
#include "runtime/stream.h"

struct output {
    enum special special;
    uint64_t from;
    FILE *file;
    struct stream *stream;
    int old_errno;
    struct output_input {
        enum { output_number, output_text, output_hash } kind;
        int64_t number;
        const char *text;
    } inputs[4];
    unsigned input_count;
    bool is_void;    /* it has no result */
    bool has_waited; /* with threads: it has to be in the log */
    bool is_logged;  /* the text is in the log: a replay cannot make it (locale.h) */
};

struct output __recut_output_begin(enum special special, uint64_t from, FILE *file);
void __recut_output_number(struct output *output, int64_t number);
void __recut_output_text(struct output *output, const char *text);
void __recut_output_hash(struct output *output, const void *bytes, size_t count);

/* Record: the value of a call that puts `count` bytes in. With threads others go on while
 * it waits. */
#define OUTPUT_CALL(output, count, call)                                                           \
    ({                                                                                             \
        (output).has_waited =                                                                      \
            __recut_is_threaded && (!__recut_stream_hold((output).file) ||                         \
                                    __recut_stream_may_wait((output).file, count));                \
        (output).has_waited ? STREAM_OUTSIDE((output).file, call) : (call);                        \
    })

/* Record: the call was made and returned `result`; `usual` is what it returns
 * if all goes well, with `count` bytes at `bytes` put into the stream. `bytes` may be
 * NULL when they are not at hand. Returns the result. */
int64_t __recut_output_made(struct output *output, int64_t result, int64_t usual, const char *bytes,
                            size_t count);

/* Replay: the same call. With is_logged, `usual` and the bytes do not count. */
int64_t __recut_output_replay(struct output *output, int64_t usual, const char *bytes,
                              size_t count);

#endif
