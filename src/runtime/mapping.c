/*
 * The program's own mappings at fixed addresses: mmap, mremap, shmat, brk.
 *
 * Addresses come from one window, lowest first; a range that was unmapped is
 * taken again by the next request that fits (first fit), so the same sequence
 * of calls gives the same addresses.  Requests with an address of their own
 * (MAP_FIXED, hints, MAP_32BIT) are the kernel's business.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "format/layout.h"
#include "runtime/raw.h"

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

static uint64_t round_up(uint64_t size) {
    return (size + page_size - 1) & ~(uint64_t)(page_size - 1);
}

static void remove_hole(uint32_t index) {
    memmove(&holes[index], &holes[index + 1], (--hole_count - index) * sizeof *holes);
}

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

void *__recut_mmap(void *, size_t, int, int, int, off_t);
void *__recut_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
    if (address || size == 0 || (flags & (MAP_FIXED | MAP_32BIT | MAP_GROWSDOWN)) ||
        (flags & MAP_HUGETLB))
        return mmap(address, size, protection, flags, fd, offset);
    if (size > RECUT_MMAP_END - RECUT_MMAP_BASE)
        return errno = ENOMEM, MAP_FAILED;
    uint64_t length = round_up(size);
    lock();
    uint64_t low = take_range(length);
    unlock();
    if (!low)
        return mmap(address, size, protection, flags, fd, offset);
    void *got = mmap((void *)low, size, protection, flags | MAP_FIXED_NOREPLACE, fd, offset);
    if (got == MAP_FAILED) {
        int saved = errno;
        lock();
        give_range(low, low + length);
        unlock();
        errno = saved;
    }
    return got;
}

void *__recut_mmap64(void *, size_t, int, int, int, off_t);
void *__recut_mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
    return __recut_mmap(address, size, protection, flags, fd, offset);
}

int __recut_munmap(void *, size_t);
int __recut_munmap(void *address, size_t size) {
    int failed = munmap(address, size);
    if (!failed) {
        lock();
        give_range((uint64_t)address, (uint64_t)address + round_up(size));
        unlock();
    }
    return failed;
}

void *__recut_mremap(void *, size_t, size_t, int, ...);
void *__recut_mremap(void *old, size_t old_size, size_t size, int flags, ...) {
    va_list args;
    va_start(args, flags);
    void *wanted = flags & MREMAP_FIXED ? va_arg(args, void *) : NULL;
    va_end(args);
    uint64_t low = (uint64_t)old, old_length = round_up(old_size), length = round_up(size);
    bool ours = low >= RECUT_MMAP_BASE && low < RECUT_MMAP_END;
    if (!ours || (flags & ~MREMAP_MAYMOVE) || size == 0)
        return mremap(old, old_size, size, flags, wanted);
    if (length <= old_length) {
        void *got = mremap(old, old_size, size, 0);
        if (got != MAP_FAILED && length < old_length) {
            lock();
            give_range(low + length, low + old_length);
            unlock();
        }
        return got;
    }
    if (!(flags & MREMAP_MAYMOVE))
        return mremap(old, old_size, size, flags);
    lock();
    uint64_t target = take_range(length);
    unlock();
    if (!target)
        return errno = ENOMEM, MAP_FAILED;
    void *got = mremap(old, old_size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)target);
    lock();
    if (got == MAP_FAILED)
        give_range(target, target + length);
    else
        give_range(low, low + old_length);
    unlock();
    return got;
}

void *__recut_shmat(int, const void *, int);
void *__recut_shmat(int id, const void *address, int flags) {
    struct shmid_ds info;
    if (address || shmctl(id, IPC_STAT, &info) != 0)
        return shmat(id, address, flags);
    lock();
    uint64_t low = take_range(round_up(info.shm_segsz));
    unlock();
    return shmat(id, (void *)low, flags);
}

int __recut_brk(void *);
int __recut_brk(void *end) {
    uint64_t wanted = (uint64_t)end;
    if (wanted < RECUT_BRK_BASE || wanted > RECUT_BRK_END)
        return errno = ENOMEM, -1;
    uint64_t mapped = round_up(wanted);
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
    uint64_t before = brk_now;
    return __recut_brk((void *)(before + (uint64_t)increment)) == 0 ? (void *)before : (void *)-1;
}
