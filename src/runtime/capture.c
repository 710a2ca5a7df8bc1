/* What is written of a failed run?  See capture.h. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/capture.h"

#include "format/layout.h"
#include "format/shadow.h"
#include "runtime/crash.h"
#include "runtime/hash.h"
#include "runtime/pool.h"
#include "runtime/raw.h"
#include "runtime/self.h"
#include "runtime/shadow.h"
#include "runtime/state.h"
#include "runtime/thread.h"

static void write_all(struct capture_writer *writer, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size && !writer->is_broken) {
        long wrote = raw_syscall3(SYS_write, writer->fd, (long)at, (long)size);
        if (wrote <= 0) {
            writer->is_broken = wrote != -4; /* EINTR */
            continue;
        }
        at += wrote;
        size -= (size_t)wrote;
    }
}

/* In pieces that have a hash each: memory is copied first, since others may be writing it. */
enum { most_payload = 64 * 1024 };
static char payload[most_payload + 64];

void __recut_capture_write(struct capture_writer *writer, enum capture_kind kind, const void *head,
                           size_t head_size, const void *bytes, size_t size) {
    if (head_size + size > sizeof payload)
        size = sizeof payload - head_size;
    memcpy(payload, head, head_size);
    memcpy(payload + head_size, bytes, size);
    size += head_size;
    struct capture_record record = {
        .magic = CAPTURE_MAGIC,
        .kind = kind,
        .thread = __recut_self.slot,
        .size = size,
        .hash = __recut_hash(payload, size),
    };
    memset(payload + size, 0, -size % 8);
    write_all(writer, &record, sizeof record);
    write_all(writer, payload, (size + 7) & ~(size_t)7);
}

void __recut_capture_withdraw(struct capture_writer *writer) {
    raw_syscall3(SYS_ftruncate, writer->fd, 0, 0);
    raw_syscall3(SYS_lseek, writer->fd, 0, 0);
}

/* --- the crash ---------------------------------------------------------------------------- */

void __recut_capture_failure(struct capture_writer *writer, const char *why) {
    enum { most = 4096 };
    size_t length = strnlen(why, most);
    __recut_capture_write(writer, CAPTURE_FAILURE, why, length, "", 1);
}

/* Frames farther out than a record has room for. */
static void write_stack(struct capture_writer *writer, uint64_t from, uint64_t high) {
    enum { most = most_payload - 64, most_stack = 64 << 20 };
    high = high - from < most_stack ? high : from + most_stack;
    for (; from < high; from += most)
        __recut_capture_write(writer, CAPTURE_STACK, &from, sizeof from, (const void *)from,
                              high - from < most ? high - from : most);
}

/* Of a stack that ran over, what is below its end is not there: zeros stand for it. */
void __recut_capture_crash(struct capture_writer *writer, const struct crash_event *event) {
    enum { most_mappings = 16 * 1024, most_stack = most_payload - most_mappings - 512 };
    static char bytes[most_payload];
    struct stack_range machine = __recut_crash_machine(event->sp);
    uint64_t low = (uint64_t)machine.low, high = (uint64_t)machine.high, sp = event->sp;
    struct capture_crash crash = {
        .event = *event,
        .data_stack = (uint64_t)__recut_self.data_stack,
    };
    uint64_t gap = sp < low ? low - sp : 0;
    if (gap < most_stack && sp < high)
        crash.stack_size = high - sp < most_stack ? high - sp : most_stack;
    if (crash.stack_size) {
        memset(bytes, 0, gap);
        memcpy(bytes + gap, (const void *)(sp + gap), crash.stack_size - gap);
    }
    crash.mappings_size = __recut_crash_mappings(bytes + crash.stack_size, most_mappings);
    __recut_capture_write(writer, CAPTURE_CRASH, &crash, sizeof crash, bytes,
                          crash.stack_size + crash.mappings_size);
    if (crash.stack_size)
        write_stack(writer, sp + crash.stack_size, high);
}

void __recut_capture_shadow(struct capture_writer *writer) {
    enum { most = most_payload / sizeof(struct shadow_layout) };
    static struct shadow_layout layouts[most];
    const struct shadow_note *end, *note = __recut_shadow_notes(&end);
    while (note < end) {
        size_t count = 0;
        for (; note < end && count < most; note++)
            count += shadow_layout_of(note, &layouts[count]);
        __recut_capture_write(writer, CAPTURE_SHADOW, "", 0, layouts, count * sizeof *layouts);
    }
}

void __recut_capture_process(struct capture_writer *writer) {
    enum { most = 1024 };
    static struct capture_key keys[most];
    struct capture_process process = {
        .environment = (uint64_t)environ,
        .name = (uint64_t)program_invocation_name,
        .short_name = (uint64_t)program_invocation_short_name,
    };
    size_t count = 0;
    for (pthread_key_t key = 0; key < most; key++) {
        uint64_t value = (uint64_t)pthread_getspecific(key);
        if (value)
            keys[count++] = (struct capture_key){key, value};
    }
    __recut_capture_write(writer, CAPTURE_PROCESS, &process, sizeof process, keys,
                          count * sizeof *keys);
}

/* --- memory ------------------------------------------------------------------------------- */

/* Pages of zeros are what memory begins with. */
static void write_pieces(struct capture_writer *writer, enum capture_kind kind, const void *memory,
                         size_t size) {
    enum { page = 4096, most = most_payload - 64 };
    size_t head_size = kind == CAPTURE_SEEN ? sizeof(struct capture_seen) : sizeof(uint64_t);
    static const char zeros[page];
    const char *end = (const char *)memory + size;
    for (const char *at = memory, *from = at; at < end; from = at) {
        bool is_zero = false;
        while (at < end && !is_zero && (size_t)(at - from) < most) {
            size_t part = page - (uintptr_t)at % page;
            part = part < (size_t)(end - at) ? part : (size_t)(end - at);
            part = part < most - (size_t)(at - from) ? part : most - (size_t)(at - from);
            is_zero = memcmp(at, zeros, part) == 0;
            at += part;
            if (is_zero && at - from > (long)part)
                at -= part; /* it begins the next piece */
            else if (is_zero)
                from = at;
        }
        struct capture_seen head = {.address = (uint64_t)from};
        if (at > from)
            __recut_capture_write(writer, kind, &head, head_size, from, (size_t)(at - from));
    }
}

static void write_memory(const void *memory, size_t size, void *data) {
    write_pieces(data, CAPTURE_MEMORY, memory, size);
}

enum { most_spans = 1024 };
static struct capture_span spans[most_spans];
static size_t span_count;

static void write_spans(struct capture_writer *writer) {
    if (span_count)
        __recut_capture_write(writer, CAPTURE_SPANS, "", 0, spans, span_count * sizeof *spans);
    span_count = 0;
}

static void add_span(const void *start, size_t size, void *data) {
    void *block;
    size_t block_size;
    if (!__recut_pool_find(start, &block, &block_size))
        return;
    spans[span_count++] = (struct capture_span){(uint64_t)start, size, block_size};
    if (span_count == most_spans)
        write_spans(data);
}

/* Of heaps the tables tell, and stacks are there. */
static void write_extent(const void *memory, size_t size, void *data) {
    uint64_t extent[2] = {(uint64_t)memory, size};
    bool is_mapping = extent[0] >= RECUT_MMAP_BASE && extent[0] < RECUT_BRK_END;
    bool is_stack = extent[0] >= RECUT_DATA_STACK_TOP && extent[0] < RECUT_POOL_BASE;
    if (is_mapping || is_stack)
        __recut_capture_write(data, CAPTURE_EXTENT, extent, sizeof extent, "", 0);
}

void __recut_capture_memory(struct capture_writer *writer) {
    __recut_state_visit(write_extent, writer);
    __recut_state_visit(write_memory, writer);
    __recut_pool_visit(add_span, writer);
    write_spans(writer);
}

/* Is the file of this mapping a library that is not libc's own?  Programs that have none of these
 * look into no block of libc's heap. */
static bool is_library(const char *line, const char *end) {
    static const char *const own[] = {"ld-linux",    "libc.",      "libm.",        "libmvec.",
                                      "libpthread.", "libdl.",     "librt.",       "libutil.",
                                      "libcrypt.",   "libresolv.", "libnsl.",      "libnss_",
                                      "libgcc_s.",   "libanl.",    "libthread_db."};
    const char *name = memrchr(line, '/', (size_t)(end - line));
    if (!name || !memmem(name, (size_t)(end - name), ".so", 3))
        return false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strncmp(name + 1, own[i], strlen(own[i])) == 0)
            return false;
    return true;
}

static bool uses_libraries(const char *text) {
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        if (is_library(text, end))
            return true;
    return false;
}

/* libc's heap, or a block that it has mapped; stacks and what the runtime has are larger. */
static bool is_of_heap(const char *line, const char *end, uint64_t low, uint64_t high) {
    bool has_name =
        memchr(line, '/', (size_t)(end - line)) || memchr(line, '[', (size_t)(end - line));
    return memmem(line, (size_t)(end - line), "[heap]", 6) ||
           (!has_name && low >= RECUT_BRK_END && high - low < CAPTURE_BLOCK_MOST);
}

/* Where /proc/self/maps says that it is. */
void __recut_capture_libraries(struct capture_writer *writer) {
    enum { most_mappings = 16 * 1024, most = 64 << 20 };
    static char text[most_mappings + 1];
    uint64_t left = most;
    text[__recut_crash_mappings(text, most_mappings)] = '\0';
    if (!uses_libraries(text))
        return;
    char *next;
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        uint64_t low = strtoull(line, &next, 16);
        uint64_t high = *next == '-' ? strtoull(next + 1, &next, 16) : 0;
        if (low >= high || strncmp(next, " rw", 3) != 0 || !is_of_heap(line, end, low, high))
            continue;
        uint64_t size = high - low < left ? high - low : left;
        write_pieces(writer, CAPTURE_SEEN, (const void *)low, size);
        left -= size;
    }
}

void __recut_capture_machine(struct capture_writer *writer, uint64_t from) {
    enum { most = 1 << 20 };
    uint64_t high = (uint64_t)__recut_crash_machine(from).high;
    if (from < high)
        write_memory((const void *)from, high - from < most ? high - from : most, writer);
}
