/*
 * The program's own mappings at fixed addresses: mmap, mremap, brk.
 *
 * Addresses come from one window, lowest first; a range that was unmapped is
 * taken again by the next request that fits (first fit), so the same sequence
 * of calls gives the same addresses.  A hint is followed where the kernel places
 * nothing by itself and we do not either, and is no hint elsewhere.
 *
 * Recorded and replayed runs make anonymous mappings alike; only one that
 * fails is in the log.  Mappings of files are in mapping_file.c.  What would get
 * an address of the kernel's choosing (MAP_32BIT, MAP_HUGETLB, MAP_GROWSDOWN, a
 * fixed address above 8 TiB) ends a recording.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/layout.h"
#include "runtime/mapping.h"
#include "runtime/race.h"
#include "runtime/raw.h"
#include "runtime/shared.h"
#include "runtime/special.h"

enum { page_size = 4096, max_holes = 4096 };

struct hole {
    uint64_t low, high;
};

static struct hole holes[max_holes]; /* sorted, disjoint, not adjacent */
static uint32_t hole_count;
static uint64_t top = RECUT_MMAP_BASE; /* nothing was ever mapped from here on */
static uint64_t brk_now = RECUT_BRK_BASE, brk_mapped = RECUT_BRK_BASE;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void lock(void) {
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        __builtin_ia32_pause();
}

static void unlock(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

static void remove_hole(uint32_t index) {
    memmove(&holes[index], &holes[index + 1], (--hole_count - index) * sizeof *holes);
}

static void give_range(uint64_t low, uint64_t high);

static uint64_t take_range(uint64_t size) {
    for (uint32_t i = 0; i < hole_count; i++)
        if (holes[i].high - holes[i].low >= size) {
            uint64_t low = holes[i].low;
            holes[i].low += size;
            if (holes[i].low == holes[i].high)
                remove_hole(i);
            return low;
        }
    if (size > RECUT_MMAP_END - top)
        return 0;
    uint64_t low = top;
    top += size;
    return low;
}

/* From `low` on, if nothing is there. */
static bool take_at(uint64_t low, uint64_t size) {
    if (low < RECUT_MMAP_BASE || low >= RECUT_MMAP_END || size > RECUT_MMAP_END - low)
        return false;
    uint64_t high = low + size;
    for (uint32_t i = 0; i < hole_count; i++)
        if (holes[i].low <= low && high <= holes[i].high) {
            struct hole rest = {high, holes[i].high};
            holes[i].high = low;
            if (holes[i].low == low)
                remove_hole(i);
            give_range(rest.low, rest.high);
            return true;
        }
    if (low < top)
        return false;
    uint64_t before = top;
    top = high;
    give_range(before, low);
    return true;
}

/* Merges [low, high) with every hole that it overlaps or touches. When the
 * table is full the range is forgotten: address space is lost, nothing else. */
static void give_range(uint64_t low, uint64_t high) {
    if (low < RECUT_MMAP_BASE)
        low = RECUT_MMAP_BASE;
    if (high > top)
        high = top;
    if (low >= high)
        return;
    uint32_t i = 0;
    while (i < hole_count && holes[i].high < low)
        i++;
    while (i < hole_count && holes[i].low <= high) {
        low = holes[i].low < low ? holes[i].low : low;
        high = holes[i].high > high ? holes[i].high : high;
        remove_hole(i);
    }
    if (hole_count == max_holes)
        return;
    memmove(&holes[i + 1], &holes[i], (hole_count++ - i) * sizeof *holes);
    holes[i] = (struct hole){low, high};
}

uint64_t __recut_mapping_take(size_t size) {
    lock();
    uint64_t low = take_range(mapping_round_up(size));
    unlock();
    return low;
}

void __recut_mapping_give(uint64_t low, size_t size) {
    lock();
    give_range(low, low + mapping_round_up(size));
    unlock();
}

/* --- where ------------------------------------------------------------------------- */

enum { kernel_flags = MAP_32BIT | MAP_GROWSDOWN | MAP_HUGETLB };
static const uint64_t kernel_low = 0x080000000000ULL; /* it places things from here on */

/* Room that neither the kernel nor anything of layout.h uses. */
static bool is_free_room(uint64_t low, size_t size) {
    static const struct hole room[] = {{64 * RECUT_GIB, RECUT_ARGS_BASE},
                                       {RECUT_BRK_END, 0x080000000000ULL}};
    for (unsigned i = 0; i < 2; i++)
        if (low >= room[i].low && low < room[i].high && size <= room[i].high - low)
            return true;
    return false;
}

/* Is where it lies the kernel's decision, or among what is the kernel's? */
static bool is_kernel_place(const struct mapping *mapping) {
    if (mapping->flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))
        return (uint64_t)mapping->address >= kernel_low;
    return mapping->flags & kernel_flags;
}

void __recut_mapping_restore(uint64_t low, uint64_t size) {
    lock();
    take_at(low, size);
    if (low == RECUT_BRK_BASE)
        brk_now = brk_mapped = low + size;
    unlock();
}

static void *map_at(const struct mapping *mapping, uint64_t at, int more_flags) {
    return mmap((void *)at, mapping->size, mapping->protection, mapping->flags | more_flags,
                mapping->fd, mapping->offset);
}

void *__recut_map(const struct mapping *mapping) {
    uint64_t wanted = (uint64_t)mapping->address;
    if (mapping->size == 0 || (mapping->flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | kernel_flags)))
        return map_at(mapping, wanted, 0);
    if (wanted && is_free_room(wanted, mapping->size)) {
        void *got = map_at(mapping, wanted & ~(uint64_t)(page_size - 1), MAP_FIXED_NOREPLACE);
        if (got != MAP_FAILED || errno != EEXIST)
            return got;
    }
    if (mapping->size > RECUT_MMAP_END - RECUT_MMAP_BASE)
        return errno = ENOMEM, MAP_FAILED;
    uint64_t low = wanted & ~(uint64_t)(page_size - 1);
    lock();
    if (!wanted || !take_at(low, mapping_round_up(mapping->size)))
        low = take_range(mapping_round_up(mapping->size));
    unlock();
    if (!low)
        return errno = ENOMEM, MAP_FAILED;
    void *got = map_at(mapping, low, MAP_FIXED_NOREPLACE);
    if (got == MAP_FAILED) {
        int saved = errno;
        __recut_mapping_give(low, mapping->size);
        errno = saved;
    }
    return got;
}

void *__recut_map_instead(const struct mapping *mapping) {
    struct mapping memory = *mapping;
    memory.protection = PROT_READ | PROT_WRITE;
    memory.flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                   (mapping->flags & (MAP_FIXED | MAP_FIXED_NOREPLACE));
    memory.fd = -1;
    memory.offset = 0;
    return __recut_map(&memory);
}

/* --- anonymous memory, recorded and replayed ------------------------------------------ */

static void record_failure(const struct mapping *mapping, int old) {
    unsigned char *p = __recut_special_write(SPECIAL_mmap, mapping->from, old, 100);
    if (!p)
        return;
    p = put_svarint(put_svarint(p, (intptr_t)mapping->address), (int64_t)mapping->size);
    p = put_svarint(put_svarint(p, mapping->protection), mapping->flags);
    p = put_svarint(put_svarint(p, mapping->fd), mapping->offset);
    p = __recut_special_result(p, -1, old);
    __recut_special_end(put_varint(p, 0));
}

static void *replay_failure(const struct mapping *mapping) {
    struct log_reader *log = __recut_special_read(SPECIAL_mmap, mapping->from);
    __recut_special_input(log, "address", (intptr_t)mapping->address);
    __recut_special_input(log, "size", (int64_t)mapping->size);
    __recut_special_input(log, "protection", mapping->protection);
    __recut_special_input(log, "flags", mapping->flags);
    __recut_special_input(log, "fd", mapping->fd);
    __recut_special_input(log, "offset", mapping->offset);
    if (__recut_special_take_result(log) != -1 || get_varint(log) != 0)
        __recut_replay_damaged(log);
    __recut_env_expected(log);
    __recut_env_answered(log);
    return MAP_FAILED;
}

static void *map_memory(const struct mapping *mapping) {
    int old = errno;
    if (__recut_env_mode == ENV_REPLAY && !env_skips(&env_thread()->in, mapping->from))
        return replay_failure(mapping);
    void *got = __recut_map(mapping);
    if (__recut_env_mode == ENV_REPLAY && got == MAP_FAILED)
        __recut_diverge(&env_thread()->in, "a mapping", "worked", strerror(errno),
                        (struct diverge_place){"mmap", mapping->from});
    if (__recut_env_mode == ENV_RECORD && got == MAP_FAILED)
        record_failure(mapping, old);
    else if (__recut_env_mode == ENV_RECORD)
        env_skip(&env_thread()->out, mapping->from);
    if (got != MAP_FAILED && (mapping->flags & MAP_TYPE) != MAP_PRIVATE)
        __recut_env_shared_by_children(got, mapping_round_up(mapping->size));
    return got;
}

static void *map(const struct mapping *mapping) {
    if (__recut_env_mode != ENV_OFF && is_kernel_place(mapping)) {
        __recut_env_stop("mmap", "a mapping where the kernel places things");
        if (__recut_env_mode == ENV_REPLAY)
            __recut_special_read(SPECIAL_mmap, mapping->from); /* the log ends here */
    }
    if (__recut_env_mode == ENV_OFF)
        return __recut_map(mapping);
    if (mapping->flags & MAP_FIXED) {
        __recut_env_unshared(mapping->address, mapping_round_up(mapping->size));
        __recut_mapping_forget_file(mapping->address, mapping_round_up(mapping->size));
    }
    return mapping->flags & MAP_ANONYMOUS ? map_memory(mapping) : __recut_map_file(mapping);
}

/* --- what the program calls ------------------------------------------------------------ */

void *__recut_mmap(void *, size_t, int, int, int, off_t);
void *__recut_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
    SECTION(HERE);
    struct mapping mapping = {address, size, protection, flags, fd, offset, HERE};
    return map(&mapping);
}

void *__recut_mmap64(void *, size_t, int, int, int, off_t);
void *__recut_mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
    SECTION(HERE);
    struct mapping mapping = {address, size, protection, flags, fd, offset, HERE};
    return map(&mapping);
}

int __recut_munmap(void *, size_t);
int __recut_munmap(void *address, size_t size) {
    SECTION(HERE);
    RACE_HOOK(forget(address, size));
    int failed = munmap(address, size);
    if (!failed) {
        __recut_env_unshared(address, mapping_round_up(size));
        __recut_mapping_forget_file(address, mapping_round_up(size));
        __recut_mapping_give((uint64_t)address, size);
    }
    return failed;
}

/* A mapping of the program's window becomes larger or smaller. */
static void *resize(void *old, size_t old_size, size_t size, int flags) {
    uint64_t low = (uint64_t)old, old_length = mapping_round_up(old_size),
             length = mapping_round_up(size);
    if (length <= old_length) {
        void *got = mremap(old, old_size, size, 0);
        if (got != MAP_FAILED && length < old_length) {
            __recut_env_unshared((void *)(low + length), old_length - length);
            __recut_mapping_give(low + length, old_length - length);
        }
        return got;
    }
    if (!(flags & MREMAP_MAYMOVE))
        return mremap(old, old_size, size, flags);
    uint64_t target = __recut_mapping_take(length);
    if (!target)
        return errno = ENOMEM, MAP_FAILED;
    void *got = mremap(old, old_size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)target);
    if (got == MAP_FAILED) {
        __recut_mapping_give(target, length);
        return got;
    }
    __recut_mapping_give(low, old_length);
    return got;
}

/* What other processes may write, too, is that at its new place. */
static void move_shared(const void *old, size_t old_length, const void *now, size_t length,
                        bool is_file) {
    if (now == MAP_FAILED || !__recut_env_shared_size(old))
        return;
    __recut_env_unshared(old, old_length);
    if (is_file)
        __recut_env_shared(now, length);
    else
        __recut_env_shared_by_children(now, length);
}

void *__recut_mremap(void *, size_t, size_t, int, ...);
void *__recut_mremap(void *old, size_t old_size, size_t size, int flags, ...) {
    SECTION(HERE);
    va_list args;
    va_start(args, flags);
    void *wanted = flags & MREMAP_FIXED ? va_arg(args, void *) : NULL;
    va_end(args);
    uint64_t old_length = mapping_round_up(old_size), length = mapping_round_up(size);
    bool ours = (uint64_t)old >= RECUT_MMAP_BASE && (uint64_t)old < RECUT_MMAP_END;
    bool is_plain = ours && !(flags & ~MREMAP_MAYMOVE) && size;
    bool is_file = __recut_env_mode != ENV_OFF && __recut_mapping_is_file(old, old_length);
    if (__recut_env_mode != ENV_OFF &&
        (!ours || (is_file && !is_plain && (length > old_length || wanted)))) {
        __recut_env_stop("mremap", "a mapping of a file that goes to a place that is asked for, or "
                                   "one that is not the program's");
        if (__recut_env_mode == ENV_REPLAY)
            __recut_special_read(SPECIAL_mmap, HERE); /* the log ends here */
    }
    if (!is_plain)
        return mremap(old, old_size, size, flags, wanted);
    int old_errno = errno;
    void *got = resize(old, old_size, size, flags);
    if (length <= old_length)
        return got;
    move_shared(old, old_length, got, length, is_file);
    if (is_file && __recut_env_mode != ENV_OFF)
        __recut_mapping_grew(&(struct growth){old, old_size, size, flags, got, old_errno, HERE});
    return got;
}

int __recut_brk(void *);
int __recut_brk(void *end) {
    SECTION(HERE);
    uint64_t wanted = (uint64_t)end;
    if (wanted < RECUT_BRK_BASE || wanted > RECUT_BRK_END)
        return errno = ENOMEM, -1;
    uint64_t mapped = mapping_round_up(wanted);
    if (mapped > brk_mapped) {
        if (raw_map_at(brk_mapped, mapped - brk_mapped) != 0)
            return errno = ENOMEM, -1;
    } else if (mapped < brk_mapped) {
        munmap((void *)mapped, brk_mapped - mapped);
    }
    brk_mapped = mapped;
    brk_now = wanted;
    return 0;
}

void *__recut_sbrk(intptr_t);
void *__recut_sbrk(intptr_t increment) {
    SECTION(HERE);
    uint64_t before = brk_now;
    return __recut_brk((void *)(before + (uint64_t)increment)) == 0 ? (void *)before : (void *)-1;
}

struct mapping_windows __recut_mapping_windows(void) {
    return (struct mapping_windows){RECUT_MMAP_BASE, top, RECUT_BRK_BASE, brk_mapped};
}
