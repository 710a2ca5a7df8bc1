/* What do the variables of libraries hold?  See imports.h. */
#include "runtime/imports.h"

#include <link.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "format/layout.h"
#include "runtime/answers.h"
#include "runtime/diverge.h"
#include "runtime/environ.h"
#include "runtime/mirror.h"
#include "runtime/raw.h"

struct import {
    void *address;
    uint64_t size;
};
extern const struct import __recut_imports[];
extern const uint64_t __recut_import_count;

/* The runtime uses these on behalf of programs that do not. */
static const struct import streams[] = {
    {&stdin, sizeof stdin}, {&stdout, sizeof stdout}, {&stderr, sizeof stderr}};
enum { stream_count = sizeof streams / sizeof *streams };

static const struct import *import_at(uint64_t i) {
    return i < __recut_import_count ? &__recut_imports[i] : &streams[i - __recut_import_count];
}
static uint64_t import_count(void) { return __recut_import_count + stream_count; }

/* --- the first values -------------------------------------------------------------- */

static bool uses_zone;

/* As libc has it before it looks for one. */
static void begin_zone(void) {
    for (uint64_t i = 0; i < __recut_import_count; i++)
        uses_zone |= __recut_imports[i].address == (void *)tzname;
    if (uses_zone)
        tzname[0] = tzname[1] = __recut_mirror_text("GMT", 3);
}

void __recut_imports_record(struct log_writer *log) {
    size_t bound = 16;
    begin_zone();
    for (uint64_t i = 0; i < import_count(); i++)
        bound += 20 + import_at(i)->size;
    unsigned char *p = log_begin(log, EVENT_START, bound);
    if (!p)
        return;
    p = put_varint(p, import_count());
    for (uint64_t i = 0; i < import_count(); i++) {
        p = put_varint(p, (uint64_t)import_at(i)->address);
        p = put_bytes(p, import_at(i)->address, import_at(i)->size);
    }
    log_end(log, p);
}

/* Functions of libc that a replay calls may print: a failed assertion does.  They
 * use `stderr`, which is what it was in the recorded run by now: a copy of the stream
 * of this run is put there, unless something else is. */
static void make_stream_at(FILE *recorded, const FILE *real) {
    enum { stream_size = sizeof(FILE) + sizeof(void *), page = 4096 };
    uint64_t low = (uint64_t)recorded & ~(uint64_t)(page - 1);
    uint64_t high = ((uint64_t)recorded + stream_size + page - 1) & ~(uint64_t)(page - 1);
    if (recorded != real && recorded && raw_map_at(low, high - low) == 0)
        memcpy(recorded, real, stream_size);
}

/* Constants of libraries lie in memory that was closed when they were in place. */
static int find_closed(struct dl_phdr_info *program, size_t size, void *ret) {
    (void)size;
    struct import *closed = ret;
    for (unsigned i = 0; i < program->dlpi_phnum; i++)
        if (program->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            closed->address = (void *)(program->dlpi_addr + program->dlpi_phdr[i].p_vaddr);
            closed->size = program->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the first one is the program itself */
}

static void protect(const struct import *closed, int protection) {
    enum { page = 4096 };
    uint64_t low = (uint64_t)closed->address & ~(uint64_t)(page - 1);
    uint64_t high = ((uint64_t)closed->address + closed->size) & ~(uint64_t)(page - 1);
    raw_syscall3(SYS_mprotect, (long)low, (long)(high - low), protection);
}

void __recut_imports_replay(struct log_reader *log) {
    struct import closed = {0};
    const FILE *real = stderr;
    begin_zone();
    if (!log_next(log))
        return;
    uint64_t count = log->kind == EVENT_START ? get_varint(log) : UINT64_MAX;
    if (count != import_count())
        __recut_replay_damaged(log);
    dl_iterate_phdr(find_closed, &closed);
    protect(&closed, PROT_READ | PROT_WRITE);
    for (uint64_t i = 0; i < count; i++) {
        size_t size;
        uint64_t address = get_varint(log);
        const unsigned char *bytes = get_bytes(log, &size);
        if (!bytes || address != (uint64_t)import_at(i)->address || size != import_at(i)->size)
            __recut_replay_damaged(log);
        memcpy(import_at(i)->address, bytes, size);
    }
    protect(&closed, PROT_READ);
    make_stream_at(stderr, real);
    log_take(log);
}

/* --- changes ------------------------------------------------------------------------- */

enum { most_size = 64, most_watched = 64 };
static unsigned char before[most_watched][most_size];
static bool has_changed[most_watched];

static uint64_t watched_count(void) {
    return __recut_import_count < most_watched ? __recut_import_count : most_watched;
}

static size_t watched_size(const struct import *import) {
    return import->size < most_size ? import->size : most_size;
}

static bool is_ours(const void *text) {
    return (uint64_t)text >= RECUT_MIRROR_BASE && (uint64_t)text < RECUT_MIRROR_END;
}

static bool zone_has_changed(void) {
    return uses_zone && !(is_ours(tzname[0]) && is_ours(tzname[1]));
}

/* What it leads to is of concern, not where it lies. */
static bool is_environ(const struct import *import) { return import->address == (void *)&environ; }

void __recut_imports_before(void) {
    for (uint64_t i = 0; i < watched_count(); i++)
        memcpy(before[i], __recut_imports[i].address, watched_size(&__recut_imports[i]));
}

unsigned __recut_imports_changed(size_t *bound) {
    unsigned count = 0;
    for (uint64_t i = 0; i < watched_count(); i++) {
        const struct import *import = &__recut_imports[i];
        has_changed[i] = import->address != (void *)tzname && !is_environ(import) &&
                         memcmp(before[i], import->address, watched_size(import)) != 0;
        count += has_changed[i];
        *bound += has_changed[i] ? 40 + import->size : 0;
    }
    if (zone_has_changed()) {
        count++;
        *bound += 60 + strlen(tzname[0]) + strlen(tzname[1]);
    }
    return count;
}

unsigned char *__recut_imports_put(unsigned char *p) {
    for (uint64_t i = 0; i < watched_count(); i++) {
        const struct import *import = &__recut_imports[i];
        unsigned char head[10];
        if (!has_changed[i])
            continue;
        size_t size = (size_t)(put_varint(head, (uint64_t)import->address) - head);
        p = put_varint(put_varint(p, OUTPUT_VARIABLE), size + import->size);
        p = put_raw(put_raw(p, head, size), import->address, import->size);
    }
    if (!zone_has_changed())
        return p;
    p = put_varint(p, OUTPUT_ZONE);
    size_t lengths[2] = {strlen(tzname[0]), strlen(tzname[1])};
    unsigned char head[10], *end = put_varint(head, lengths[0]);
    p = put_varint(p, (size_t)(end - head) + lengths[0] + lengths[1]);
    p = put_raw(put_bytes(p, tzname[0], lengths[0]), tzname[1], lengths[1]);
    for (unsigned i = 0; i < 2; i++)
        tzname[i] = __recut_mirror_text(tzname[i], lengths[i]);
    return p;
}

bool __recut_imports_take(uint64_t tag, const unsigned char *bytes, size_t size) {
    struct log_reader body = {.at = bytes, .end = bytes + size};
    if (tag == OUTPUT_ENVIRON)
        return __recut_environ_take(&body);
    if (tag == OUTPUT_ZONE) {
        size_t length;
        const unsigned char *first = get_bytes(&body, &length);
        if (!first || !uses_zone)
            return false;
        tzname[0] = __recut_mirror_text(first, length);
        tzname[1] = __recut_mirror_text(body.at, (size_t)(body.end - body.at));
        return true;
    }
    uint64_t address = get_varint(&body);
    if (tag != OUTPUT_VARIABLE || body.damaged)
        return false;
    for (uint64_t i = 0; i < watched_count(); i++) {
        const struct import *import = &__recut_imports[i];
        if ((uint64_t)import->address != address || import->size != (uint64_t)(body.end - body.at))
            continue;
        memcpy(import->address, body.at, import->size);
        __recut_answer_imports(import->address, import->size);
        return true;
    }
    return false;
}
