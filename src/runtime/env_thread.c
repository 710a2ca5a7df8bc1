/*
 * What do all recorded and all replayed calls have in common?  See
 * env_thread.h.
 */
#include "runtime/env_thread.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>

#include "runtime/cancel.h"
#include "runtime/crash.h"
#include "runtime/diverge.h"
#include "runtime/finish.h"
#include "runtime/raw.h"
#include "runtime/state.h"

struct env_thread __recut_env_main;
bool __recut_env_same_code = true;

static bool grow(struct env_sites *sites) {
    struct env_sites old = *sites;
    uint32_t size = old.size ? 2 * old.size : 1024;
    long at = raw_syscall6(SYS_mmap, 0, (long)(size * sizeof *sites->entries),
                           PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at < 0 && at > -4096)
        return false;
    sites->entries = (void *)at;
    sites->size = size;
    for (uint32_t i = 0; i < old.size; i++) {
        if (!old.entries[i].return_address)
            continue;
        uint32_t k = (uint32_t)(old.entries[i].return_address * 0x9e3779b1u) & (size - 1);
        while (sites->entries[k].return_address)
            k = (k + 1) & (size - 1);
        sites->entries[k] = old.entries[i];
    }
    if (old.entries)
        raw_syscall3(SYS_munmap, (long)old.entries, (long)(old.size * sizeof *old.entries), 0);
    return true;
}

/* One place may call several functions, by a pointer. */
uint32_t __recut_env_site(struct log_writer *log, uint64_t return_address, uint64_t index) {
    struct env_sites *sites = &env_thread()->sites;
    if (2 * sites->count >= sites->size && !grow(sites))
        return 0;
    uint32_t k = (uint32_t)(return_address * 0x9e3779b1u) & (sites->size - 1);
    for (; sites->entries[k].return_address; k = (k + 1) & (sites->size - 1))
        if (sites->entries[k].return_address == return_address && sites->entries[k].index == index)
            return sites->entries[k].id;
    const char *name = __recut_env_name(index);
    size_t length = strlen(name);
    unsigned char *p = log_begin(log, EVENT_SITE, 30 + length);
    if (!p)
        return 0;
    p = put_varint(p, sites->count);
    p = put_varint(p, return_address);
    p = put_bytes(p, name, length);
    log_end(log, p);
    sites->entries[k] = (struct env_site){return_address, (uint32_t)index, sites->count};
    return sites->count++;
}

void __recut_env_check_path(struct log_reader *log, struct diverge_place now) {
    if (log->skips != log->skipped)
        __recut_diverge_number(log, "number of calls that need no log", (int64_t)log->skipped,
                               (int64_t)log->skips, now);
    if (log->skips_path != log->path && __recut_env_same_code)
        __recut_diverge(log, "places of the calls that need no log", "others", "these", now);
    log->skips = log->skips_path = 0;
}

/* A hash of memory was taken when the effects of the event were there. */
void __recut_env_answered(struct log_reader *log) {
    if (!log_next(log))
        return;
    if (log->kind == EVENT_CRASH)
        __recut_crash_expect(log);
    if (log->kind != EVENT_HASH)
        return;
    struct diverge_place now = {log->site->name_text, log->site->return_address};
    uint64_t at = get_varint(log), recorded = get_u64(log);
    if (at != log->events)
        __recut_diverge_number(log, "event of a memory hash", (int64_t)at, (int64_t)log->events,
                               now);
    __recut_state_verify(log, recorded, now);
    log_take(log);
}

void __recut_env_note(struct log_writer *log) {
    bool is_still = !__recut_is_threaded || __recut_is_serial;
    if (__recut_state_every && is_still && log->events >= log->next_hash) {
        log->next_hash = log->events + __recut_state_every;
        __recut_state_note(log);
    }
}

void __recut_env_at_end(struct log_reader *log, struct diverge_place now) {
    if (log->damaged)
        __recut_replay_damaged(log);
    if (__recut_is_threaded) {
        if (env_thread()->section.depth) /* the call never came back */
            __recut_section_pass();
        __recut_order_park();
    }
    __recut_replay_ends(log, now);
}

/* Did other threads have the runtime while the recorded call went on? */
static bool was_outside(const struct log_reader *log) {
    return log->kind == EVENT_ENTER || log->kind == EVENT_ORDER ||
           ((log->kind == EVENT_CALL || log->kind == EVENT_SIGNAL || log->kind == EVENT_CANCEL) &&
            log->flags & EVENT_OUTSIDE);
}

void __recut_env_meanwhile(struct log_reader *log, struct diverge_place now) {
    while (
        log_next(log) && log->skips == log->skipped &&
        (log->kind == EVENT_ENTER || (log->kind == EVENT_SIGNAL && log->flags & EVENT_OUTSIDE))) {
        __recut_env_check_path(log, now);
        if (log->kind == EVENT_SIGNAL)
            __recut_async_show(log);
        else
            __recut_env_reenter(log);
    }
}

void __recut_env_expect(struct log_reader *log, uint64_t return_address, uint64_t index) {
    struct diverge_place now = {__recut_env_name(index), return_address};
    log->site = NULL;
    if (!log_next(log))
        __recut_env_at_end(log, now);
    bool is_outside = env_thread()->section.depth && was_outside(log);
    unsigned depth = is_outside ? __recut_section_pass() : 0;
    __recut_env_meanwhile(log, now);
    if (is_outside)
        __recut_section_return(depth, return_address);
    log_next(log);
    if (cancel_is_next(log))
        __recut_cancel_take(log, now);
    log->events++;
    if (log->kind == EVENT_CRASH || log->kind == EVENT_LOST || log->kind == EVENT_EXIT)
        __recut_finish_inside(log, now);
    if (log->kind != EVENT_CALL)
        __recut_diverge(log, "event", "not a call", "a call", now);
    uint64_t site = get_varint(log);
    if (log->damaged || site >= log->site_count)
        __recut_replay_damaged(log);
    log->site = &log->sites[site];
    if (log->site->index != index) {
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)log->site->name_length, log->site->name);
        __recut_diverge(log, "call", name, now.function, now);
    }
    __recut_env_check_path(log, now);
    if (log->site->return_address != env_place(return_address) && __recut_env_same_code)
        __recut_diverge(log, "place of the call", "another", "this", now);
    if (log->events == log->stop_at)
        __recut_replay_stop(log, now);
}

void __recut_env_expected(struct log_reader *log) {
    if (log->damaged || log->at != log->end)
        __recut_replay_damaged(log);
    log_take(log);
    if (__recut_is_serial)
        __recut_async_expect();
}
