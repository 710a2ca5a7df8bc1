/*
 * Which accesses race?  See race.h.
 *
 * Each eight bytes of the program have a list of cells (race_impl.h).  An access is
 * compared with all cells of other threads that share a byte with it.  Then it becomes a
 * cell itself, in the place of the one that the same thread left with the same stack of
 * calls: if an older access of a cell is not ordered with what comes later, a newer one is
 * not either.  So all pairs of stacks that race are found, in whatever order the replay
 * runs them.  Only where a list gets long, cells go that happened before the new access
 * and that it covers (FastTrack's rule): no variable that has a race is missed, though a
 * pair may be.
 *
 * Accesses before the first thread was made are before everything, and not looked at.
 */
#include "runtime/race.h"

#include "format/layout.h"
#include "runtime/race_impl.h"
#include "runtime/raw.h"
#include "runtime/section.h"
#include "runtime/thread.h"

bool __recut_race_is_on;

enum { long_list = 48, not_access = RACE_IS_SYNC | RACE_IS_BLOCK };

static const uint64_t address_end = 8 * RECUT_TIB, most_cells = 1ULL << 30;

/* By eight bytes: the first cell, 0 if there is none. */
static uint32_t *shadow;
static struct race_cell *cells;
static uint32_t cell_count = 1, free_cell;

/* The lowest address that was used of each data stack. */
static uint64_t *stack_lows;

static uint32_t lock_word;

void __recut_race_lock(void) {
    for (unsigned i = 0; __atomic_exchange_n(&lock_word, 1, __ATOMIC_ACQUIRE); i++)
        if (i % 64 == 63)
            raw_syscall3(SYS_sched_yield, 0, 0, 0);
        else
            __builtin_ia32_pause();
}

void __recut_race_unlock(void) { __atomic_store_n(&lock_word, 0, __ATOMIC_RELEASE); }

static __attribute__((noreturn)) void give_up(const char *why) {
    __recut_say("cannot look for races: ", why, NULL);
    raw_syscall3(SYS_exit_group, 1, 0, 0);
    __builtin_unreachable();
}

void *__recut_race_region(uint64_t size) {
    long at = raw_syscall6(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at < 0 && at > -4096)
        give_up("there is no address space; is memory limited?");
    return (void *)at;
}

void __recut_race_init(int fd) {
    shadow = __recut_race_region(address_end / 8 * sizeof *shadow);
    cells = __recut_race_region(most_cells * sizeof *cells);
    stack_lows = __recut_race_region(RECUT_MAX_THREADS * sizeof *stack_lows);
    __recut_race_clocks_init();
    __recut_race_report_init(fd);
    __recut_race_is_on = true;
}

/* --- memory ------------------------------------------------------------------------------- */

/* Memory that no other thread can mean: machine stacks, with saved registers and lists of
 * arguments. */
static bool is_ignored(uint64_t address, uint64_t size) {
    return address >= address_end || size > address_end - address || size == 0 ||
           (address >= RECUT_THREAD_MACHINE && address < RECUT_MACHINE_STACK_TOP);
}

static void note_stack(uint64_t address) {
    if (address < RECUT_THREAD_STACKS || address >= RECUT_POOL_BASE)
        return;
    uint64_t *low = &stack_lows[(address - RECUT_THREAD_STACKS) / RECUT_THREAD_STACK_WINDOW %
                                RECUT_MAX_THREADS];
    if (!*low || address < *low)
        *low = address;
}

/* --- cells -------------------------------------------------------------------------------- */

static uint32_t new_cell(void) {
    uint32_t index = free_cell;
    if (index) {
        free_cell = cells[index].next;
        return index;
    }
    if (cell_count == most_cells)
        give_up("the program uses too much memory");
    return cell_count++;
}

static void drop_cell(uint32_t index) {
    if (cells[index].kind & RACE_IS_SYNC)
        __recut_race_object_free(cells[index].clock);
    cells[index].next = free_cell;
    free_cell = index;
}

uint32_t __recut_race_find(uint64_t address, uint32_t (*make)(void)) {
    /* Objects that libc placed stand where the program has nothing. */
    if (address >= address_end)
        address = RECUT_BRK_END + address % (address_end - RECUT_BRK_END);
    uint32_t *first = &shadow[address / 8];
    uint8_t mask = (uint8_t)(1 << address % 8);
    for (uint32_t at = *first; at; at = cells[at].next)
        if (cells[at].kind == RACE_IS_SYNC && cells[at].mask == mask)
            return cells[at].clock;
    uint32_t index = new_cell(), object = make();
    cells[index] =
        (struct race_cell){.next = *first, .clock = object, .mask = mask, .kind = RACE_IS_SYNC};
    *first = index;
    return object;
}

const struct race_cell *__recut_race_block(uint64_t address, uint64_t *ret_start) {
    enum { most_steps = 1 << 20 };
    uint64_t granule = address / 8;
    for (uint64_t i = 0; i < most_steps && i <= granule; i++)
        for (uint32_t at = shadow[granule - i]; at; at = cells[at].next) {
            if (cells[at].kind != RACE_IS_BLOCK)
                continue;
            *ret_start = (granule - i) * 8 + (unsigned)__builtin_ctz(cells[at].mask);
            return address - *ret_start < cells[at].clock ? &cells[at] : NULL;
        }
    return NULL;
}

static void forget(uint64_t low, uint64_t high) {
    for (uint64_t i = low / 8; i < (high + 7) / 8; i++) {
        for (uint32_t at = shadow[i], next; at; at = next) {
            next = cells[at].next;
            drop_cell(at);
        }
        if (shadow[i])
            shadow[i] = 0;
    }
}

static void add_block(uint64_t address, uint64_t size, const void *frame) {
    uint32_t *first = &shadow[address / 8], index = new_cell();
    cells[index] = (struct race_cell){.next = *first,
                                      .clock = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
                                      .thread = (uint16_t)__recut_race_self->number,
                                      .mask = (uint8_t)(1 << address % 8),
                                      .kind = RACE_IS_BLOCK,
                                      .stack = __recut_race_stack(frame)};
    *first = index;
}

void __recut_race_allocated(const void *block, size_t size, const void *frame) {
    if (!block || !__recut_race_self)
        return;
    __recut_race_lock();
    add_block((uint64_t)block, size, frame);
    __recut_race_unlock();
}

/* Locals of functions that are over, which were there before. */
static void drop_blocks(uint64_t low, uint64_t high) {
    for (uint64_t i = low / 8; i < (high + 7) / 8; i++)
        for (uint32_t *link = &shadow[i]; *link;) {
            uint32_t at = *link;
            uint64_t start = i * 8 + (unsigned)__builtin_ctz(cells[at].mask | 0x100);
            if (cells[at].kind != RACE_IS_BLOCK || start < low || start >= high) {
                link = &cells[at].next;
                continue;
            }
            *link = cells[at].next;
            drop_cell(at);
        }
}

void __recut_race_local(uint64_t address, uint64_t size) {
    if (!__recut_race_is_on || !__recut_race_self || is_ignored(address, size))
        return;
    __recut_race_lock();
    note_stack(address);
    drop_blocks(address, address + size);
    add_block(address, size, __builtin_frame_address(0));
    __recut_race_unlock();
}

void __recut_race_forget(const void *memory, size_t size) {
    uint64_t low = (uint64_t)memory;
    if (low >= address_end || size > address_end - low)
        return;
    __recut_race_lock();
    forget(low, low + size);
    __recut_race_unlock();
}

/* --- accesses ----------------------------------------------------------------------------- */

/* Did it happen before what this thread does now? */
static bool is_before(const struct race_cell *cell) {
    return race_time(&__recut_race_self->now, cell->thread) >= cell->clock;
}

static bool is_race(const struct race_cell *cell, uint8_t mask, uint8_t kind) {
    return !(cell->kind & not_access) && cell->mask & mask && (cell->kind | kind) & RACE_WRITES &&
           !(cell->kind & kind & RACE_IS_ATOMIC) && !is_before(cell);
}

/* Whatever races with the cell races with an access of this kind that comes now, too. */
static bool is_covered(const struct race_cell *cell, uint8_t mask, uint8_t kind) {
    return !(cell->kind & not_access) && !(cell->mask & ~mask) &&
           (kind & RACE_WRITES || !(cell->kind & RACE_WRITES)) &&
           (cell->kind & RACE_IS_ATOMIC || !(kind & RACE_IS_ATOMIC)) && is_before(cell);
}

static void shorten(uint32_t *first, uint8_t mask, uint8_t kind) {
    for (uint32_t *link = first; *link;) {
        uint32_t at = *link;
        if (!is_covered(&cells[at], mask, kind)) {
            link = &cells[at].next;
            continue;
        }
        *link = cells[at].next;
        drop_cell(at);
    }
}

static void touch(uint64_t granule, uint8_t mask, uint8_t kind, uint32_t stack) {
    struct race_thread *self = __recut_race_self;
    uint32_t *first = &shadow[granule], *own = NULL, *link = first;
    unsigned length = 0;
    for (; *link; link = &cells[*link].next, length++) {
        const struct race_cell *cell = &cells[*link];
        if (cell->thread != self->number || cell->kind & not_access) {
            if (is_race(cell, mask, kind))
                __recut_race_report(&(struct race_access){
                    cell, granule * 8 + (unsigned)__builtin_ctz(cell->mask & mask), mask, kind,
                    stack});
        } else if (cell->stack == stack && cell->mask == mask && cell->kind == kind) {
            own = link;
        }
    }
    uint32_t index;
    if (own) { /* to the front, where it is found soon */
        index = *own;
        *own = cells[index].next;
    } else {
        if (length >= long_list)
            shorten(first, mask, kind);
        index = new_cell();
    }
    cells[index] = (struct race_cell){
        *first, race_time(&self->now, self->number), (uint16_t)self->number, mask, kind, stack};
    *first = index;
}

static void access_all(uint64_t address, uint64_t size, uint8_t kind, uint32_t stack) {
    uint64_t end = address + size;
    note_stack(address);
    while (address < end) {
        uint64_t granule = address / 8, next = (granule + 1) * 8;
        unsigned from = address % 8, to = next <= end ? 8 : (unsigned)(end % 8);
        touch(granule, (uint8_t)((1u << to) - (1u << from)), kind, stack);
        address = next;
    }
}

/* `frame` is that of the function that the program called. */
static void watch(uint64_t address, uint64_t size, uint8_t kind, const uint64_t *frame) {
    if (!__recut_race_is_on || !__recut_is_threaded || !__recut_race_self ||
        is_ignored(address, size))
        return;
    __recut_race_lock();
    access_all(address, size, kind, __recut_race_stack(frame));
    __recut_race_unlock();
}

void __recut_race_read(uint64_t address, uint64_t size) {
    watch(address, size, RACE_READS, __builtin_frame_address(0));
}

void __recut_race_write(uint64_t address, uint64_t size) {
    watch(address, size, RACE_WRITES, __builtin_frame_address(0));
}

void __recut_race_atomic(uint64_t address, uint64_t size, uint64_t order) {
    uint8_t kind = RACE_IS_ATOMIC | (order & RACE_ORDER_STORES ? RACE_WRITES : RACE_READS);
    if (!__recut_race_is_on || !__recut_is_threaded || !__recut_race_self ||
        is_ignored(address, size))
        return;
    __recut_race_lock();
    access_all(address, size, kind, __recut_race_stack(__builtin_frame_address(0)));
    __recut_race_order(__recut_race_object(address), order);
    __recut_race_unlock();
}

void __recut_race_outside(uint64_t address, uint64_t size, bool writes, uint64_t place) {
    if (!__recut_is_threaded || !__recut_race_self || is_ignored(address, size))
        return;
    __recut_race_lock();
    access_all(address, size, writes ? RACE_WRITES : RACE_READS, __recut_race_place(place));
    __recut_race_unlock();
}

/* --- threads ------------------------------------------------------------------------------ */

extern const uint64_t __recut_tls_size;

void __recut_race_thread_ends(void) {
    const struct stack_range *stack = __recut_thread_data_stack();
    if (!__recut_race_self)
        return;
    __recut_race_lock();
    uint64_t *low = &stack_lows[__recut_self.slot];
    if (__recut_self.slot && stack && *low) {
        forget(*low, (uint64_t)stack->high);
        *low = 0;
    }
    if (__recut_self.slot && __recut_self.tls_block)
        forget((uint64_t)__recut_self.tls_block,
               (uint64_t)__recut_self.tls_block + __recut_tls_size);
    __recut_race_self = NULL;
    __recut_race_unlock();
}
