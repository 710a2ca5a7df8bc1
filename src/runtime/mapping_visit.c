/*
 * What do the program's mappings hold?
 *
 * /proc/self/maps says where there is something to read.  Pages of zeros count
 * as nothing, so that it makes no difference whether one was ever touched; of
 * anonymous memory /proc/self/pagemap says which were.  Pages of files are read
 * by way of the kernel: those behind the end of a file would raise a signal.
 * Shared memory is left out (shared.h).
 *
 * Cost: a read of the map, and of what was touched.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "runtime/mapping.h"
#include "runtime/raw.h"
#include "runtime/shared.h"

enum { page_size = 4096, pagemap_batch = 512 };

struct visit {
    void (*call)(const void *memory, size_t size, void *data);
    void *data;
    long pagemap;                         /* descriptor, or negative */
    uint64_t first, flags[pagemap_batch]; /* of pages from `first` on */
    struct mapping_windows windows;
};

static bool is_zero(const void *page) {
    const uint64_t *words = page;
    for (unsigned i = 0; i < page_size / sizeof *words; i++)
        if (words[i])
            return false;
    return true;
}

/* Was this page of anonymous memory ever touched? */
static bool is_touched(struct visit *visit, uint64_t page) {
    static const uint64_t present_or_swapped = 3ULL << 62;
    if (visit->pagemap < 0)
        return true;
    if (!visit->first || page < visit->first || page >= visit->first + pagemap_batch) {
        visit->first = page;
        long got = raw_syscall6(SYS_pread64, visit->pagemap, (long)visit->flags,
                                sizeof visit->flags, (long)(page * sizeof *visit->flags), 0, 0);
        size_t known = got > 0 ? (size_t)got / sizeof *visit->flags : 0;
        for (size_t i = known; i < pagemap_batch; i++)
            visit->flags[i] = present_or_swapped;
    }
    return visit->flags[page - visit->first] & present_or_swapped;
}

static void visit_page(struct visit *visit, uint64_t address, const void *contents) {
    if (is_zero(contents))
        return;
    visit->call(&address, sizeof address, visit->data);
    visit->call(contents, page_size, visit->data);
}

static void visit_range(struct visit *visit, uint64_t low, uint64_t high, bool is_file) {
    _Alignas(64) char copy[page_size];
    for (uint64_t at = low; at < high; at += page_size) {
        if (__recut_env_is_shared((const void *)at, page_size))
            continue;
        if (!is_file) {
            if (is_touched(visit, at / page_size))
                visit_page(visit, at, (const void *)at);
            continue;
        }
        struct iovec to = {copy, page_size}, from = {(void *)at, page_size};
        if (raw_syscall6(SYS_process_vm_readv, raw_syscall3(SYS_getpid, 0, 0, 0), (long)&to, 1,
                         (long)&from, 1, 0) == page_size)
            visit_page(visit, at, copy);
    }
}

static void visit_inside(struct visit *visit, uint64_t low, uint64_t high, bool is_file,
                         uint64_t window_low, uint64_t window_high) {
    low = low > window_low ? low : window_low;
    high = high < window_high ? high : window_high;
    if (low < high)
        visit_range(visit, low, high, is_file);
}

/* "low-high rwxp offset major:minor inode path" */
static void visit_line(struct visit *visit, const char *line) {
    char *at;
    uint64_t low = strtoull(line, &at, 16);
    uint64_t high = *at == '-' ? strtoull(at + 1, &at, 16) : 0;
    if (high <= low || at[0] != ' ' || at[1] != 'r')
        return;
    at = strchr(at + 1, ' ');
    for (unsigned field = 0; at && field < 2; field++)
        at = strchr(at + 1, ' ');
    bool is_file = at && strtoull(at + 1, NULL, 10) != 0;
    const struct mapping_windows *windows = &visit->windows;
    visit_inside(visit, low, high, is_file, windows->map_low, windows->map_high);
    visit_inside(visit, low, high, is_file, windows->brk_low, windows->brk_high);
}

static void visit_lines(struct visit *visit, long maps) {
    char buffer[8192];
    size_t used = 0;
    long got;
    while ((got = raw_syscall3(SYS_read, maps, (long)(buffer + used),
                               (long)(sizeof buffer - 1 - used))) > 0) {
        used += (size_t)got;
        buffer[used] = '\0';
        char *line = buffer, *end;
        while ((end = strchr(line, '\n'))) {
            *end = '\0';
            visit_line(visit, line);
            line = end + 1;
        }
        used -= (size_t)(line - buffer);
        if (used == sizeof buffer - 1) /* no path is that long */
            used = 0;
        memmove(buffer, line, used);
    }
}

void __recut_mapping_visit(void (*call)(const void *, size_t, void *), void *data) {
    struct visit visit = {.call = call, .data = data, .windows = __recut_mapping_windows()};
    if (visit.windows.map_low == visit.windows.map_high &&
        visit.windows.brk_low == visit.windows.brk_high)
        return;
    long maps = raw_syscall3(SYS_open, (long)"/proc/self/maps", 0, 0);
    if (maps < 0)
        return;
    visit.pagemap = raw_syscall3(SYS_open, (long)"/proc/self/pagemap", 0, 0);
    visit_lines(&visit, maps);
    raw_syscall3(SYS_close, maps, 0, 0);
    if (visit.pagemap >= 0)
        raw_syscall3(SYS_close, visit.pagemap, 0, 0);
}
