/*
 * How are streams read character by character without an event for each?  See cut.h.
 *
 *     getc(f)  ->  int c = __recut_cut_ready(f)          a character that the log has
 *                  if (c < 0)
 *                      c = getc(f), over the cut,        CALL
 *                      __recut_cut_refilled(f, c)        LOAD
 *
 * After a call that crossed the cut, the log gets what the stream has ready, and keeps a copy of
 * it, a window.  As long as the next character is the one in the window, it needs no event, whoever
 * else may have used the stream; it is counted, and the next event tells how many were (log.h).  A
 * window that is used up makes the next one larger, one that is left makes it smaller: streams that
 * are not read like this cost little.
 *
 * Both runs keep the same windows, since they are told the same.  Here is the only place that looks
 * into a stream of libc's: as the macro getc_unlocked() does.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "runtime/cut_impl.h"
#include "runtime/raw.h"

enum { window_count = 8, window_size = 4096, least_limit = 8, far = 2 };
enum tag { TAG_BYTES, TAG_POSITION };

struct window {
    const FILE *file;
    uint64_t used; /* when, by the clock */
    uint32_t position, size;
    uint32_t limit; /* of the next one */
    unsigned char bytes[window_size];
};

struct cut_streams {
    uint64_t clock;
    struct window *last; /* that was used */
    struct window windows[window_count];
};

/* That of the stream; of the one that was not used for longest it is taken.  NULL: no memory. */
static struct window *find(struct env_thread *thread, const FILE *file) {
    struct cut_streams *streams = thread->cut.streams;
    if (!streams)
        streams = thread->cut.streams = raw_scratch(sizeof *streams);
    if (!streams)
        return NULL;
    if (streams->last && streams->last->file == file)
        return streams->last;
    struct window *oldest = &streams->windows[0], *found = NULL;
    for (unsigned i = 0; i < window_count && !found; i++) {
        struct window *window = &streams->windows[i];
        if (window->file == file)
            found = window;
        else if (window->used < oldest->used)
            oldest = window;
    }
    if (!found) {
        found = oldest;
        found->file = file;
        found->position = found->size = 0;
        found->limit = least_limit;
    }
    found->used = ++streams->clock;
    return streams->last = found;
}

void __recut_cut_streams_deinit(struct env_thread *thread) {
    raw_scratch_end(thread->cut.streams, sizeof *thread->cut.streams);
    thread->cut.streams = NULL;
}

static bool is_active(const struct env_thread *thread, const FILE *file) {
    return __recut_cut_mode != CUT_OFF && thread && __recut_self.inside && file;
}

static bool is_locked(FILE *file) {
    if (__libc_single_threaded)
        return false;
    flockfile(file);
    return true;
}

/* --- one character ---------------------------------------------------------------------------- */

static bool record_ready(struct env_thread *thread, FILE *file, unsigned char wanted) {
    if (thread->cut.signal_count)
        return false;
    bool locked = is_locked(file);
    bool is_ready =
        file->_IO_read_ptr < file->_IO_read_end && (unsigned char)*file->_IO_read_ptr == wanted;
    file->_IO_read_ptr += is_ready;
    if (locked)
        funlockfile(file);
    thread->out.events += is_ready;
    thread->out.skipped += is_ready;
    thread->out.window->skipped = thread->out.skipped;
    return is_ready;
}

static bool replay_ready(struct env_thread *thread) {
    struct log_reader *log = &thread->in;
    log_next(log);
    if (log->skips >= log->skipped)
        return false;
    log->skips++;
    if (++log->events == log->stop_at)
        __recut_replay_stop(log, (struct diverge_place){"getc", 0});
    return true;
}

/* The next character, if the log has it; else -2. */
int __recut_cut_ready(FILE *file);
int __recut_cut_ready(FILE *file) {
    enum { none = -2 };
    struct env_thread *thread = env_thread();
    if (!is_active(thread, file))
        return none;
    struct window *window = find(thread, file);
    if (!window || window->position == window->size)
        return none;
    unsigned char wanted = window->bytes[window->position];
    bool is_ready =
        __recut_cut_mode == CUT_REPLAY ? replay_ready(thread) : record_ready(thread, file, wanted);
    window->position += is_ready;
    return is_ready ? wanted : none;
}

/* --- windows ---------------------------------------------------------------------------------- */

/* Somebody put a character back, or took one: where the window goes on; its size if it does not. */
static uint32_t find_position(const struct window *window, const char *ready, size_t size) {
    uint32_t from = window->position < far ? 0 : window->position - far;
    for (uint32_t at = from; at < window->size && at <= window->position + far; at++) {
        size_t most = window->size - at < size ? window->size - at : size;
        if (most && memcmp(window->bytes + at, ready, most) == 0)
            return at;
    }
    return window->size;
}

static void set_limit(struct window *window) {
    if (!window->size)
        return;
    bool is_used_up = window->position == window->size;
    uint32_t limit = is_used_up ? 4 * window->limit : window->limit / 4;
    limit = limit < least_limit ? least_limit : limit;
    window->limit = limit < window_size ? limit : window_size;
}

static void record_window(struct env_thread *thread, struct window *window, FILE *file) {
    bool locked = is_locked(file);
    const char *ready = file->_IO_read_ptr;
    size_t size = ready < file->_IO_read_end ? (size_t)(file->_IO_read_end - ready) : 0;
    uint32_t position = find_position(window, ready, size);
    bool goes_on = position < window->size;
    if (!goes_on) {
        set_limit(window);
        window->size = size < window->limit ? (uint32_t)size : window->limit;
        memcpy(window->bytes, ready, window->size);
        position = 0;
    }
    if (locked)
        funlockfile(file);
    window->position = position;
    unsigned char *p = log_begin_load(&thread->out, 1 + (goes_on ? sizeof position : window->size));
    if (!p)
        return;
    *p++ = goes_on ? TAG_POSITION : TAG_BYTES;
    p = goes_on ? put_u32(p, position) : put_raw(p, window->bytes, window->size);
    log_end(&thread->out, p);
}

static void replay_window(struct env_thread *thread, struct window *window) {
    uint64_t size = 0;
    const unsigned char *bytes = __recut_cut_replay_load(thread, NULL, &size);
    if (!size || size - 1 > window_size)
        __recut_replay_damaged(&thread->in);
    if (*bytes == TAG_BYTES) {
        set_limit(window);
        window->position = 0;
        window->size = (uint32_t)size - 1;
        memcpy(window->bytes, bytes + 1, window->size);
        return;
    }
    uint32_t position = window->size;
    if (size == 1 + sizeof position)
        memcpy(&position, bytes + 1, sizeof position);
    if (position >= window->size)
        __recut_replay_damaged(&thread->in);
    window->position = position;
}

/* Behind a call that crossed the cut. */
void __recut_cut_refilled(FILE *file, int result);
void __recut_cut_refilled(FILE *file, int result) {
    struct env_thread *thread = env_thread();
    if (!is_active(thread, file) || result == EOF)
        return;
    int error = errno;
    struct window *window = find(thread, file);
    if (window && __recut_cut_mode == CUT_REPLAY)
        replay_window(thread, window);
    else if (window)
        record_window(thread, window, file);
    errno = error;
}
