/*
 * What comes next in the log of a replay?  See log_read.h.
 *
 * The file is mapped as a whole.  Nothing in it is trusted: lengths are held
 * against what is left, and the hash of a sealed chunk is checked when the
 * chunk is entered.
 */
#include "runtime/log_read.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/env.h"
#include "runtime/hash.h"
#include "runtime/raw.h"
#include "runtime/section.h"

/* Shared with `recut replay`, which shows how far a replay is; NULL without. */
uint64_t *__recut_progress;

static bool enter_chunk(struct log_reader *log) {
    if (log->file_size < sizeof(struct chunk_header) ||
        log->next_chunk > log->file_size - sizeof(struct chunk_header))
        return false;
    const struct chunk_header *chunk = (const void *)(log->file + log->next_chunk);
    uint64_t room = log->file_size - log->next_chunk - sizeof *chunk;
    if (chunk->magic == 0)
        return false;
    if (chunk->magic != CHUNK_MAGIC || chunk->capacity > room || chunk->used > chunk->capacity ||
        chunk->capacity % CHUNK_ALIGN != 0 ||
        (chunk->sealed && __recut_hash(chunk + 1, chunk->used) != chunk->hash)) {
        log->damaged = true;
        return false;
    }
    log->cursor = (const unsigned char *)(chunk + 1);
    log->limit = log->cursor + chunk->used;
    log->skipped_at_end = chunk->skipped;
    log->repeated_at_end = chunk->repeated;
    log->next_chunk += sizeof *chunk + chunk->capacity;
    if (__recut_progress)
        *__recut_progress = log->next_chunk;
    return true;
}

static void add_site(struct log_reader *log) {
    uint64_t id = get_varint(log);
    struct log_site site = {.return_address = get_varint(log)};
    size_t length;
    site.name = (const char *)get_bytes(log, &length);
    if (log->damaged || id != log->site_count || id >= LOG_MAX_SITES) {
        log->damaged = true;
        return;
    }
    site.name_length = (uint32_t)length;
    uint64_t index = __recut_env_index(site.name, length);
    site.index = (uint32_t)index;
    site.name_text = index == ENV_NONE ? NULL : __recut_env_name(index);
    log->sites[log->site_count++] = site;
}

static void get_skipped(struct log_reader *log) {
    log->skipped = log->repeated = log->path = 0;
    if (!(log->flags & EVENT_SKIPPED))
        return;
    if (log->is_cut) {
        uint64_t left_out = get_varint(log);
        log->repeated = left_out >> 1;
        log->skipped = left_out & 1 ? get_varint(log) : 0;
    } else {
        log->skipped = get_varint(log);
        log->path = get_u32(log);
    }
}

bool __recut_log_next(struct log_reader *log) {
    while (!log->damaged) {
        while (log->cursor == log->limit)
            if (!enter_chunk(log))
                goto none;
        log->at = log->cursor;
        log->end = log->limit;
        unsigned head = *log->at++;
        log->kind = head & 0x0f;
        bool is_load = log->kind == EVENT_LOAD, is_call = log->is_cut && log->kind == EVENT_CALL;
        log->is_short = is_call && call_size(head);
        log->flags = head & (is_load   ? EVENT_SKIPPED
                             : is_call ? EVENT_SKIPPED | EVENT_ERRNO
                                       : 0xf0);
        get_skipped(log);
        size_t size = is_load && !load_has_size(head) ? load_size(head)
                      : log->is_short                 ? call_size(head)
                                                      : get_varint(log);
        const unsigned char *body = get_raw(log, size);
        if (log->damaged || log->kind == EVENT_END || log->kind >= EVENT_KIND_COUNT)
            break;
        log->at = body;
        log->cursor = log->end = body + size;
        if (log->kind != EVENT_SITE) {
            log->is_current = true;
            return true;
        }
        add_site(log);
    }
    log->damaged = true;
none:
    log->kind = EVENT_END;
    log->at = log->end = log->cursor = log->limit = NULL;
    /* Whatever needs no log may still happen; but others may not wait for what did not. */
    log->skipped = __recut_is_threaded || log->is_cut ? log->skipped_at_end : UINT64_MAX;
    log->repeated = log->repeated_at_end;
    log->is_current = true;
    return false;
}

const char *__recut_log_open(struct log_reader *log, const char *directory, uint32_t slot,
                             const struct trace_header *trace) {
    char path[4096], number[24];
    size_t length = strlen(directory);
    if (length + 32 > sizeof path)
        return "its path is too long";
    memcpy(path, directory, length);
    memcpy(path + length, "/log.", 5);
    strcpy(path + length + 5, __recut_decimal(slot, number));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat now;
    if (fd < 0 || fstat(fd, &now) != 0 || now.st_size < STREAM_HEADER_SIZE) {
        if (fd >= 0)
            close(fd);
        return "it has no log";
    }
    *log = (struct log_reader){
        .file_size = (uint64_t)now.st_size, .next_chunk = STREAM_HEADER_SIZE, .is_cut = trace->cut};
    log->file = mmap(NULL, log->file_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    log->sites = mmap(NULL, LOG_MAX_SITES * sizeof *log->sites, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (log->file == MAP_FAILED || log->sites == MAP_FAILED)
        return "there is not enough memory to map it";
    const struct stream_header *header = (const void *)log->file;
    if (header->magic != STREAM_MAGIC || header->version != LOG_VERSION || header->slot != slot ||
        header->id != trace->id)
        return "its log belongs to another trace or another version of recut";
    return NULL;
}

void __recut_log_unmap(struct log_reader *log) {
    raw_syscall3(SYS_munmap, (long)log->file, (long)log->file_size, 0);
    raw_syscall3(SYS_munmap, (long)log->sites, (long)(LOG_MAX_SITES * sizeof *log->sites), 0);
}
