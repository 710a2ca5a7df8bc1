/* Which line wrote what a line reads?  Linked to programs that observed.py has changed: they say
 * what they load and store, and at the end each pair of lines is in the file OBSERVED. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { places = 1 << 22, pairs = 1 << 20 };

/* By address: who wrote the byte last.  Open addressing; 0 is free. */
static struct {
    uintptr_t address;
    uint32_t line;
} *written;
static uint64_t *seen;
static size_t seen_count;

static uint32_t *writer_of(uintptr_t address) {
    size_t at = address * 0x9e3779b97f4a7c15u >> 42;
    while (written[at].address && written[at].address != address)
        at = (at + 1) % places;
    written[at].address = address;
    return &written[at].line;
}

static void finish(void) {
    FILE *out = fopen(getenv("OBSERVED"), "w");
    for (size_t i = 0; i < pairs; i++)
        if (seen[i])
            fprintf(out, "%u %u\n", (unsigned)(seen[i] >> 32), (unsigned)seen[i]);
    fclose(out);
}

static void begin(void) {
    if (written)
        return;
    written = calloc(places, sizeof *written);
    seen = calloc(pairs, sizeof *seen);
    atexit(finish);
}

void observed_store(const void *address, uint64_t size, uint32_t line) {
    begin();
    for (uint64_t i = 0; i < size; i++)
        *writer_of((uintptr_t)address + i) = line;
}

static void note(uint32_t from, uint32_t to) {
    uint64_t pair = (uint64_t)from << 32 | to;
    size_t at = pair * 0x9e3779b97f4a7c15u >> 44;
    while (seen[at] && seen[at] != pair)
        at = (at + 1) % pairs;
    if (!seen[at] && ++seen_count > pairs / 2)
        abort();
    seen[at] = pair;
}

void observed_load(const void *address, uint64_t size, uint32_t line) {
    begin();
    for (uint64_t i = 0; i < size; i++) {
        uint32_t from = *writer_of((uintptr_t)address + i);
        if (from)
            note(from, line);
    }
}

void observed_copy(const void *to, const void *from, uint64_t size, uint32_t line) {
    observed_load(from, size, line);
    observed_store(to, size, line);
}
