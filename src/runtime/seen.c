/* What did the program read of a library's memory?  See seen.h.
 *
 * Pages, found by a hash of their numbers.  Each byte of one is known or not, and was met since the
 * last call or not: read, or written by the program, which makes it unknown from the next call on.
 */
#include "runtime/seen.h"

#include <string.h>

#include "runtime/raw.h"

enum { page_size = 4096, bits = 64, most_pages = 1 << 17 };

struct page {
    uint64_t number; /* 0: none */
    uint64_t epoch;  /* of `met` */
    bool is_told;    /* some of it was taken */
    uint64_t known[page_size / bits], met[page_size / bits];
    unsigned char bytes[page_size];
};

static struct page **pages;
static uint64_t page_count, epoch = 1;

static struct page *make_page(uint64_t number) {
    struct page *page = page_count < most_pages / 4 * 3 ? raw_scratch(sizeof *page) : NULL;
    if (page) {
        page->number = number;
        page_count++;
    }
    return page;
}

/* Where it is, or would be. */
static uint64_t place_of(uint64_t number) {
    uint64_t i = number * 0x9e3779b97f4a7c15 >> 47;
    while (pages[i] && pages[i]->number != number)
        i = (i + 1) % most_pages;
    return i;
}

/* NULL if there is no room: then nothing of the page is kept. */
static struct page *find_page(uint64_t address) {
    uint64_t number = address / page_size, i;
    if (!pages && !(pages = raw_scratch(most_pages * sizeof *pages)))
        return NULL;
    i = place_of(number);
    if (!pages[i])
        pages[i] = make_page(number);
    struct page *page = pages[i];
    if (page && page->epoch != epoch) {
        memset(page->met, 0, sizeof page->met);
        page->epoch = epoch;
    }
    return page;
}

static bool has(const uint64_t *set, size_t at) { return set[at / bits] >> at % bits & 1; }
static void add(uint64_t *set, size_t at) { set[at / bits] |= 1ULL << at % bits; }
static void drop(uint64_t *set, size_t at) { set[at / bits] &= ~(1ULL << at % bits); }

static size_t left_of(uint64_t address) { return page_size - address % page_size; }

/* --- replay ------------------------------------------------------------------------------- */

void __recut_seen_next(void) { epoch++; }

static bool is_new(struct page *page, size_t at, unsigned char byte) {
    if (has(page->met, at))
        return false;
    add(page->met, at);
    if (has(page->known, at) && page->bytes[at] == byte)
        return false;
    add(page->known, at);
    page->bytes[at] = byte;
    return true;
}

void __recut_seen_read(const void *address, const unsigned char *bytes, size_t size,
                       seen_write *write) {
    uint64_t at = (uint64_t)address;
    while (size) {
        size_t part = left_of(at) < size ? left_of(at) : size;
        struct page *page = find_page(at);
        for (size_t i = 0, first; page && i<part; i = first> i ? first : i + 1) {
            for (first = i; first < part && is_new(page, at % page_size + first, bytes[first]);)
                first++;
            if (first == i)
                continue;
            write((const void *)(at + i), bytes + i, first - i);
            page->is_told = true;
        }
        at += part;
        bytes += part;
        size -= part;
    }
}

void __recut_seen_changed(const void *address, const unsigned char *bytes, size_t size,
                          seen_write *write) {
    const unsigned char *now = address;
    for (size_t i = 0, end; i < size; i = end) {
        for (end = i; end < size && now[end] != bytes[end];)
            end++;
        if (end > i)
            write(now + i, bytes + i, end - i);
        else
            end++;
    }
}

void __recut_seen_written(const void *address, size_t size, seen_write *write) {
    uint64_t at = (uint64_t)address;
    for (; size; size--, at++) {
        struct page *page = find_page(at);
        if (!page)
            continue;
        if (!page->is_told)
            write((const void *)at, (const unsigned char *)"", 1);
        page->is_told = true;
        add(page->met, at % page_size);
        drop(page->known, at % page_size);
    }
}

/* --- a test ------------------------------------------------------------------------------- */

/* A page that is there stands for a library's: its bytes are where it says. */
bool __recut_seen_put(uint64_t address, const void *bytes, size_t size) {
    for (uint64_t at = address, end = address + size; at < end; at += left_of(at)) {
        struct page *page = find_page(at);
        if (!page)
            return true;
        if (page->known[0])
            continue;
        if (raw_map_at(at - at % page_size, page_size) != 0)
            return false;
        page->known[0] = 1;
    }
    memcpy((void *)address, bytes, size);
    return true;
}

bool __recut_seen_is_put(const void *address) {
    return pages && pages[place_of((uint64_t)address / page_size)];
}
