/*
 * How does the tool learn of races?  See race.h.
 *
 * Stacks are kept once each and have numbers.  They are found by frame pointers, which all
 * functions of the variant have; where others come in between, a stack ends early.
 *
 * For each pair of stacks, and of threads, three lines:
 *
 *     race ADDRESS heap THREAD START SIZE ADDRESS ... | stack ... | static
 *     by THREAD WHAT SIZE ADDRESS ...         return addresses, the innermost first
 *     by THREAD WHAT SIZE ADDRESS ...
 *
 * A block of the heap has the thread and the stack that allocated it, a local those of its
 * function; SIZE is 0 if it is not known.  WHAT is r or w, and R or W for atomic operations.  The
 * first line of all is "races"; if there are too many to tell, a line "more" is the last.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/layout.h"
#include "runtime/env.h"
#include "runtime/pool.h"
#include "runtime/race_impl.h"
#include "runtime/raw.h"
#include "runtime/thread.h"

static int report_fd = -1;

/* --- stacks --------------------------------------------------------------------------------- */

/* A stack is a count and as many addresses; its number is where it begins. */
enum { table_size = 1 << 22, most_words = 1 << 27 };
static uint64_t *words;
static uint32_t word_count = 1, stack_count;
static uint32_t *table;

static uint32_t keep(const uint64_t *stack, unsigned count) {
    uint64_t hash = count;
    for (unsigned i = 0; i < count; i++)
        hash = (hash ^ stack[i]) * 0x9e3779b97f4a7c15ULL, hash ^= hash >> 29;
    uint32_t at = (uint32_t)(hash >> 32) % table_size;
    for (; table[at]; at = (at + 1) % table_size)
        if (words[table[at]] == count &&
            memcmp(&words[table[at] + 1], stack, count * sizeof *stack) == 0)
            return table[at];
    if (word_count + count + 1 > most_words || stack_count >= table_size / 4 * 3)
        return count > 1 ? keep(stack, 1) : 0; /* the innermost has to do */
    uint32_t number = word_count;
    words[number] = count;
    memcpy(&words[number + 1], stack, count * sizeof *stack);
    word_count += count + 1;
    stack_count++;
    return table[at] = number;
}

uint32_t __recut_race_stack(const uint64_t *frame) {
    struct stack_range machine = __recut_thread_machine();
    uint64_t stack[race_most_stack];
    unsigned count = 0;
    for (;;) {
        if (!env_is_from_program(frame[1]))
            break;
        stack[count++] = frame[1];
        const uint64_t *next = (const uint64_t *)frame[0];
        if (count == race_most_stack || next <= frame || (uint64_t)next % 8 ||
            (const char *)next < machine.low || (const char *)(next + 2) > machine.high)
            break;
        frame = next;
    }
    return keep(stack, count);
}

uint32_t __recut_race_place(uint64_t return_address) { return keep(&return_address, 1); }

/* --- reports -------------------------------------------------------------------------------- */

enum { known_size = 1 << 16, most_known = 1 << 15 };
static uint64_t *known; /* hashes of what was told */
static uint32_t known_count;
static uint32_t *owners; /* by slot: 1 + number of the thread */

void __recut_race_owner(uint32_t slot, uint32_t number) { owners[slot] = 1 + number; }

static void put(const char *text, size_t length) {
    while (length) {
        long got = raw_syscall3(SYS_write, report_fd, (long)text, (long)length);
        if (got <= 0)
            return;
        text += got;
        length -= (size_t)got;
    }
}

void __recut_race_report_init(int fd) {
    report_fd = fd;
    words = __recut_race_region(most_words * sizeof *words);
    table = __recut_race_region(table_size * sizeof *table);
    known = __recut_race_region(known_size * sizeof *known);
    owners = __recut_race_region(RECUT_MAX_THREADS * sizeof *owners);
    put("races\n", 6);
}

/* False if it was told before. */
static bool is_new(const struct race_access *access) {
    const struct race_cell *cell = access->cell;
    uint64_t hash = ((uint64_t)cell->stack << 32 | access->stack) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 31;
    hash += (uint64_t)cell->thread << 32 | __recut_race_self->number << 8 | cell->kind << 4 |
            access->kind;
    hash = hash * 0xbf58476d1ce4e5b9ULL | 1;
    uint32_t at = (uint32_t)(hash >> 40) % known_size;
    for (; known[at]; at = (at + 1) % known_size)
        if (known[at] == hash)
            return false;
    if (known_count == most_known) {
        put("more\n", 5);
        known_count++;
    }
    if (known_count > most_known)
        return false;
    known[at] = hash;
    known_count++;
    return true;
}

/* A line that is being written; it always has room. */
struct line {
    char text[160 + race_most_stack * 20];
    size_t length;
};

static void add(struct line *line, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(line->text + line->length, sizeof line->text - line->length, format, list);
    va_end(list);
    line->length += (size_t)n;
}

static void add_stack(struct line *line, uint32_t stack) {
    for (uint64_t i = 0; stack && i < words[stack]; i++)
        add(line, " %#llx", (unsigned long long)words[stack + 1 + i]);
}

static void end_line(struct line *line) {
    add(line, "\n");
    put(line->text, line->length);
}

/* Whose data stack an address is on; -1 if it is on none. */
static int64_t stack_owner(uint64_t address) {
    uint64_t slot = (address - RECUT_THREAD_STACKS) / RECUT_THREAD_STACK_WINDOW;
    if (address >= RECUT_MACHINE_STACK_TOP && address < RECUT_DATA_STACK_TOP)
        return 0;
    return address >= RECUT_THREAD_STACKS && slot < RECUT_MAX_THREADS ? (int64_t)owners[slot] - 1
                                                                      : -1;
}

static void put_place(uint64_t address) {
    struct line line = {0};
    uint64_t start = address;
    bool is_heap = pool_contains((void *)address);
    int64_t owner = stack_owner(address);
    const struct race_cell *block =
        is_heap || owner >= 0 ? __recut_race_block(address, &start) : NULL;
    add(&line, "race %#llx %s", (unsigned long long)address,
        is_heap      ? "heap"
        : owner >= 0 ? "stack"
                     : "static");
    if (is_heap || owner >= 0) {
        add(&line, " %lld %#llx %u", is_heap && block ? block->thread : (long long)owner,
            (unsigned long long)(block ? start : address), block ? block->clock : 0);
        add_stack(&line, block ? block->stack : 0);
    }
    end_line(&line);
}

static void put_access(uint32_t thread, uint8_t kind, uint8_t mask, uint32_t stack) {
    struct line line = {0};
    char what = kind & RACE_WRITES ? 'w' : 'r';
    if (kind & RACE_IS_ATOMIC)
        what = (char)(what - 'a' + 'A');
    add(&line, "by %u %c %d", thread, what, __builtin_popcount(mask));
    add_stack(&line, stack);
    end_line(&line);
}

void __recut_race_report(const struct race_access *access) {
    if (!is_new(access))
        return;
    put_place(access->address);
    put_access(access->cell->thread, access->cell->kind, access->cell->mask, access->cell->stack);
    put_access(__recut_race_self->number, access->kind, access->mask, access->stack);
}
