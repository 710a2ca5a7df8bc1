/* What of the calls of a replay is kept for tests, and how?  See answers.h. */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "runtime/answers.h"

#include "runtime/access.h"
#include "runtime/careful.h"
#include "runtime/env_args.h"
#include "runtime/env_record.h"
#include "runtime/pool.h"
#include "runtime/seen.h"
#include "runtime/self.h"
#include "runtime/state.h"

bool __recut_answers_kept;

#pragma weak dladdr

enum { most_pending = 8, most_deep = 8, most_imports = 16, most_bytes = 48 * 1024 };

static struct {
    struct capture_writer *writer;
    uint32_t slot;    /* of the thread */
    unsigned depth;   /* calls that are not over, one within the other */
    uint64_t last[6]; /* what the last that is over was passed */
    struct pending {
        uint64_t index;
        struct env_args args;
        uint64_t integers[6]; /* as they were passed */
        bool is_known;        /* it has a model */
        unsigned deep_count;
        struct deep {
            void *at;
            size_t size;
            uint64_t argument; /* struct capture_output */
        } deep[most_deep];     /* what was written behind pointers that no parameter is */
        unsigned import_count;
        struct import {
            const void *at;
            size_t size;
        } imports[most_imports];
    } pending[most_pending];
    struct capture_answer head;
    char bytes[most_bytes];
    size_t size;
} kept;

static bool is_kept_here(void) { return __recut_answers_kept && __recut_self.slot == kept.slot; }

void __recut_answers_keep(struct capture_writer *writer) {
    if (__recut_answers_kept)
        return;
    kept.writer = writer;
    kept.slot = __recut_self.slot;
    __recut_answers_kept = true;
    __recut_env_keep();
}

void __recut_answers_frame(void) {
    if (!__recut_answers_kept)
        return;
    memset(kept.last, 0, sizeof kept.last);
    __recut_seen_next();
}

bool __recut_answer_is_kept(uint64_t index) {
    return model_table_is_outside(__recut_env_models(), __recut_env_name(index));
}

void __recut_answer_before(const struct env_frame *frame) {
    if (__recut_self.slot != kept.slot || kept.depth++ >= most_pending)
        return;
    struct pending *pending = &kept.pending[kept.depth - 1];
    const struct model_function *model = __recut_env_model(frame->index);
    pending->index = frame->index;
    pending->is_known = model != NULL;
    pending->deep_count = pending->import_count = 0;
    memcpy(pending->integers, frame->integers, sizeof pending->integers);
    if (!model)
        return;
    __recut_env_args(&pending->args, frame, __recut_env_models(), model);
    __recut_env_args_before_carefully(&pending->args);
}

static void put(const void *bytes, size_t size) {
    size_t room = sizeof kept.bytes - kept.size;
    size = size < room ? size : room;
    memcpy(kept.bytes + kept.size, bytes, size);
    kept.size += size;
}

static void put_output(const void *at, uint64_t size, uint64_t argument) {
    struct capture_output output = {(uint64_t)at, size, argument};
    if (!size || kept.size + sizeof output + size > sizeof kept.bytes ||
        !__recut_can_read(at, size))
        return;
    put(&output, sizeof output);
    put(at, size);
    kept.head.outputs++;
}

static void put_parts(const struct iovec *part, uint64_t left) {
    for (; left; part++) {
        uint64_t size = part->iov_len < left ? part->iov_len : left;
        put_output(part->iov_base, size, 0);
        left -= size;
    }
}

/* A mended program has its buffers elsewhere, and passes them in the same place. */
static uint64_t argument_of(const struct pending *pending, uint64_t value) {
    for (unsigned i = 0; value && i < sizeof pending->integers / sizeof *pending->integers; i++)
        if (pending->integers[i] == value)
            return i + 1;
    return 0;
}

/* Which argument leads to a pointer that leads there? */
static uint64_t argument_behind(const struct pending *pending, uint64_t at) {
    for (unsigned i = 0; i < sizeof pending->integers / sizeof *pending->integers; i++) {
        const uint64_t *word = (const uint64_t *)pending->integers[i];
        if (word && (uint64_t)word % sizeof *word == 0 && __recut_can_read(word, sizeof *word) &&
            *word == at)
            return CAPTURE_BEHIND + i + 1;
    }
    return 0;
}

void __recut_answer_writes(void *at, size_t size) {
    if (!__recut_answers_kept || __recut_self.slot != kept.slot || !kept.depth ||
        kept.depth > most_pending)
        return;
    struct pending *pending = &kept.pending[kept.depth - 1];
    uint64_t argument = argument_of(pending, (uint64_t)at);
    if (pending->deep_count < most_deep)
        pending->deep[pending->deep_count++] =
            (struct deep){at, size, argument ? argument : argument_behind(pending, (uint64_t)at)};
}

void __recut_answer_imports(const void *at, size_t size) {
    if (!is_kept_here() || !kept.depth || kept.depth > most_pending)
        return;
    struct pending *pending = &kept.pending[kept.depth - 1];
    if (pending->import_count < most_imports)
        pending->imports[pending->import_count++] = (struct import){at, size};
}

/* By its name: another build has it elsewhere. */
static void write_import(const struct import *import) {
    enum { most_name = 256 };
    Dl_info info;
    if (!dladdr || !dladdr(import->at, &info) || info.dli_saddr != import->at)
        return;
    struct {
        uint64_t size;
        char name[most_name];
    } head = {.size = strlen(info.dli_sname) + 1};
    if (head.size > most_name)
        return;
    memcpy(head.name, info.dli_sname, head.size);
    __recut_capture_write(kept.writer, CAPTURE_IMPORT, &head, sizeof head.size + head.size,
                          import->at, import->size);
}

static void put_outputs(const struct pending *pending, const char *name, int64_t result) {
    const struct env_args *args = &pending->args;
    /* The first: a call moves pointers behind what it wrote. */
    for (unsigned i = 0; i < pending->deep_count; i++)
        put_output(pending->deep[i].at, pending->deep[i].size, pending->deep[i].argument);
    for (unsigned i = 0; i < args->count; i++) {
        uint64_t size = __recut_env_output_size(args, i, result);
        if (args->params[i].kind == MODEL_PARAM_OUT_IOVEC)
            put_parts((const struct iovec *)args->value[i], size);
        else
            put_output((const void *)args->value[i], size, argument_of(pending, args->value[i]));
    }
    if (__recut_answer_reads_line(name) && result >= 0)
        put_output(*(char **)args->value[0], (uint64_t)result + 1, 0);
}

/* An object of the environment, as the program sees it. */
static void put_object(uint64_t at) {
    enum { page = 4096, most = 1024 };
    if (at < RECUT_MIRROR_BASE || at >= RECUT_MIRROR_END)
        return;
    uint64_t size = most;
    while (size > 8 && !__recut_can_read((const void *)at, size))
        size /= 2;
    put_output((const void *)at, size, 0);
}

void __recut_answer_after(uint64_t rax, uint64_t rdx, const uint64_t xmm0[2]) {
    int saved = errno;
    if (__recut_self.slot != kept.slot || kept.depth-- > most_pending)
        return;
    const struct pending *pending = &kept.pending[kept.depth];
    memcpy(kept.last, pending->integers, sizeof kept.last);
    __recut_seen_next();
    const char *name = __recut_env_name(pending->index);
    kept.size = 0;
    kept.head = (struct capture_answer){
        .rax = rax, .rdx = rdx, .xmm0 = xmm0[0], .error = saved, .name_size = strlen(name) + 1};
    put(name, kept.head.name_size);
    if (pending->is_known) {
        struct env_frame frame = {.rax = rax};
        put_outputs(pending, name, __recut_env_result(pending->args.model, &frame));
        put_object(rax);
    }
    __recut_capture_write(kept.writer, CAPTURE_ANSWER, &kept.head, sizeof kept.head, kept.bytes,
                          kept.size);
    for (unsigned i = 0; i < pending->import_count; i++)
        write_import(&pending->imports[i]);
    errno = saved;
}

static void keep_plain(const char *name, struct capture_answer head) {
    if (!is_kept_here())
        return;
    kept.head = head;
    kept.head.name_size = strlen(name) + 1;
    __recut_capture_write(kept.writer, CAPTURE_ANSWER, &kept.head, sizeof kept.head, name,
                          kept.head.name_size);
}

void __recut_answer_made(const char *name) {
    keep_plain(name, (struct capture_answer){.outputs = CAPTURE_MADE});
}

void __recut_answer_was(const char *name, int64_t result, int error) {
    keep_plain(name, (struct capture_answer){.rax = (uint64_t)result, .error = error});
}

void __recut_answer_crashed(void) {
    if (!__recut_answers_kept || __recut_self.slot != kept.slot || !kept.depth ||
        kept.depth > most_pending)
        return;
    __recut_answer_made(__recut_env_name(kept.pending[kept.depth - 1].index));
}

/* --- calls of libraries ------------------------------------------------------------------- */

bool __recut_answer_enters(uint64_t function, const uint64_t integers[CAPTURE_INTEGERS],
                           unsigned count, const uint64_t floats[CAPTURE_FLOATS]) {
    if (!is_kept_here() || !kept.depth || kept.depth > most_pending)
        return false;
    const char *name = __recut_env_name(kept.pending[kept.depth - 1].index);
    struct capture_enter enter = {
        .function = function, .integer_count = count, .name_size = strlen(name) + 1};
    memcpy(enter.integers, integers, count * sizeof *integers);
    memcpy(enter.floats, floats, sizeof enter.floats);
    for (unsigned i = 0; i < count; i++)
        enter.passed[i] = (uint8_t)argument_of(&kept.pending[kept.depth - 1], integers[i]);
    __recut_capture_write(kept.writer, CAPTURE_ENTER, &enter, sizeof enter, name, enter.name_size);
    memcpy(kept.last, integers, sizeof kept.last);
    __recut_seen_next();
    return true;
}

void __recut_answer_leaves(void) {
    __recut_capture_write(kept.writer, CAPTURE_LEAVE, "", 0, "", 0);
    memset(kept.last, 0, sizeof kept.last);
}

/* --- memory of libraries ------------------------------------------------------------------ */

/* Is it behind what this argument led to, in the same object?  Of a stack nobody knows the objects.
 */
static bool is_behind(uint64_t base, uint64_t address) {
    enum { near = 4096 };
    uint64_t start, size;
    void *block;
    size_t block_size;
    if (!base || address < base || !access_is_there((void *)base))
        return false;
    if (__recut_state_find_variable(base, &start, &size))
        return address - start < size;
    if (pool_contains((void *)base))
        return __recut_pool_find((void *)base, &block, &block_size) &&
               address - (uint64_t)block < block_size;
    return base >= RECUT_ARGS_BASE && address - base < near;
}

/* A mended program has its variables and buffers elsewhere, and passes them in the same place. */
static void write_seen(const void *address, const unsigned char *bytes, size_t size) {
    struct capture_seen head = {.address = (uint64_t)address};
    for (unsigned i = 0; access_is_there(address) && i < 6; i++) {
        uint64_t base = kept.last[i];
        if (is_behind(base, head.address) && (!head.argument || base > head.base)) {
            head.argument = i + 1;
            head.base = base;
        }
    }
    __recut_capture_write(kept.writer, CAPTURE_SEEN, &head, sizeof head, bytes, size);
}

void __recut_answer_loaded(const void *address, const void *bytes, size_t size) {
    if (!is_kept_here())
        return;
    if (!access_is_there(address))
        __recut_seen_read(address, bytes, size, write_seen);
    else if (access_is_ours(address))
        __recut_seen_changed(address, bytes, size, write_seen);
}

void __recut_answer_stored(const void *address, size_t size) {
    if (is_kept_here() && !access_is_there(address))
        __recut_seen_written(address, size, write_seen);
}
