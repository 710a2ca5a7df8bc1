/*
 * Is what replay space reads the same in a replay?  Linked to programs that sides.py has changed:
 * they say what they load, store and copy, and this file keeps, for each byte, whether a replay at
 * a cut would have it.
 *
 *   store in replay space, or that is logged      valid from then on
 *   other store in environment                    not valid
 *   load in replay space that is not logged       everything has to be valid
 *   copy in replay space that is not logged       hands on what its source is
 *
 * SIDES is a file with a line for each access: r or e, then l if it is logged.  The first load that
 * breaks the rule is told, and ends the program with exit code 99.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_accesses = 1 << 20, bytes_log = 24 };

static char sides[most_accesses][2];
static uintptr_t *spoilt; /* addresses of bytes that are not valid; 0 is free, 1 was one */

static size_t find(uintptr_t address) {
    size_t at = address * 0x9e3779b97f4a7c15u >> (64 - bytes_log);
    while (spoilt[at] && spoilt[at] != address)
        at = (at + 1) & ((1u << bytes_log) - 1);
    return at;
}

static void begin(void) {
    if (spoilt)
        return;
    spoilt = calloc(1u << bytes_log, sizeof *spoilt);
    FILE *in = fopen(getenv("SIDES"), "r");
    for (size_t i = 0; in && i < most_accesses && fscanf(in, " %2c", sides[i]) == 1; i++)
        ;
    if (!in || !spoilt)
        abort();
    fclose(in);
}

static void set(uintptr_t address, uint64_t size, int is_valid) {
    for (uint64_t i = 0; i < size; i++) {
        size_t at = find(address + i);
        if (spoilt[at] || !is_valid)
            spoilt[at] = is_valid ? 1 : address + i;
    }
}

static int is_valid(uintptr_t address, uint64_t size) {
    for (uint64_t i = 0; i < size; i++)
        if (spoilt[find(address + i)] == address + i)
            return 0;
    return 1;
}

void sides_store(const void *address, uint64_t size, uint32_t access);
void sides_store(const void *address, uint64_t size, uint32_t access) {
    begin();
    set((uintptr_t)address, size, sides[access][0] == 'r' || sides[access][1] == 'l');
}

void sides_load(const void *address, uint64_t size, uint32_t access);
void sides_load(const void *address, uint64_t size, uint32_t access) {
    begin();
    if (sides[access][0] == 'e' || sides[access][1] == 'l' || is_valid((uintptr_t)address, size))
        return;
    fprintf(stderr, "access %u reads what is not valid\n", access);
    _Exit(99);
}

void sides_copy(const void *to, const void *from, uint64_t size, uint32_t access);
void sides_copy(const void *to, const void *from, uint64_t size, uint32_t access) {
    begin();
    int is_logged = sides[access][1] == 'l', is_replay = sides[access][0] == 'r';
    char *valid = malloc(size + 1); /* the two may overlap */
    for (uint64_t i = 0; i < size; i++)
        valid[i] = is_logged || (is_replay && is_valid((uintptr_t)from + i, 1));
    for (uint64_t i = 0; i < size; i++)
        set((uintptr_t)to + i, 1, valid[i]);
    free(valid);
}
