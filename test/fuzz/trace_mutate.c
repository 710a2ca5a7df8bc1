/*
 * trace_mutate COUNT [FIRST]: so many damaged traces, numbered from FIRST on, the
 * same for the same number; read in this process.  Exits 0 if each was read or
 * refused as it should be, and prints how many were which.
 *
 * Half of the damage goes where readers look first.  In three of four the
 * checksums are put right afterwards, so that what is behind them is seen.  One
 * that takes longer than ten seconds ends the test by SIGALRM.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/trace_writer.h"
#include "base/mem.h"
#include "trace_walk.h"

struct random {
    uint64_t state;
};

/* splitmix64: a good number from any seed. */
static uint64_t draw(struct random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static size_t below(struct random *random, size_t bound) {
    return bound ? (size_t)(draw(random) % bound) : 0;
}

struct copy {
    uint8_t *data;
    size_t size;
};

static void damage_at(struct random *random, struct copy *copy, size_t at) {
    static const uint8_t edges[] = {0, 1, 0x7f, 0x80, 0xff, 0x0f, 0x10, 0x40};
    static const uint64_t numbers[] = {0, 1, 63, 64, 1u << 30, UINT32_MAX, 1ULL << 63, UINT64_MAX};
    if (at >= copy->size)
        return;
    size_t left = copy->size - at, length = 1 + below(random, 16);
    switch (below(random, 7)) {
    case 0:
        copy->data[at] ^= (uint8_t)(1u << below(random, 8));
        break;
    case 1:
        copy->data[at] = edges[below(random, sizeof edges)];
        break;
    case 2:
        memcpy(copy->data + at, &numbers[below(random, 8)], left < 8 ? left : 8);
        break;
    case 3:
        copy->data[at] = (uint8_t)draw(random);
        break;
    case 4: /* bytes from elsewhere */
        if (left > length)
            memmove(copy->data + at, copy->data + below(random, copy->size - length), length);
        break;
    case 5: /* bytes that are gone */
        if (left > length)
            memmove(copy->data + at, copy->data + at + length, left - length);
        break;
    default:
        if (below(random, 8) == 0)
            copy->size = at;
    }
}

/* Offset and length of what matters most in a part. */
static size_t place(struct random *random, size_t part, const struct copy *copy) {
    if (part != 2 || below(random, 8) == 0)
        return below(random, below(random, 2) ? copy->size : 128);
    size_t chunk = STREAM_HEADER_SIZE;
    return below(random, 3) ? chunk + sizeof(struct chunk_header) + below(random, 860)
                            : chunk + below(random, sizeof(struct chunk_header));
}

static bool run_one(const struct made_trace *made, uint64_t number) {
    struct random random = {number};
    struct copy copies[3];
    struct trace_part parts[3];
    for (size_t i = 0; i < 3; i++) {
        copies[i].size = made->parts[i].bytes.size;
        copies[i].data = mem_alloc(copies[i].size);
        memcpy(copies[i].data, made->parts[i].bytes.data, copies[i].size);
    }
    static const unsigned times[] = {1, 1, 1, 2, 5, 20};
    for (unsigned n = times[below(&random, 6)]; n > 0; n--) {
        size_t part = below(&random, 8);
        part = part > 2 ? 2 : part;
        damage_at(&random, &copies[part], place(&random, part, &copies[part]));
    }
    bool is_repaired = below(&random, 4) != 0;
    for (size_t i = 0; i < 3; i++) {
        /* A block of just this size: what is read behind it is seen. */
        copies[i].data = mem_realloc(copies[i].data, copies[i].size ? copies[i].size : 1, 1);
        parts[i] = (struct trace_part){made->parts[i].name, {copies[i].data, copies[i].size}};
    }
    if (is_repaired)
        made_repair(copies[0].data, copies[0].size, copies[1].data, copies[1].size, copies[2].data,
                    copies[2].size);
    bool is_whole = walk_trace(parts, 3);
    for (size_t i = 0; i < 3; i++)
        free(copies[i].data);
    return is_whole;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    uint64_t count = strtoull(argv[1], NULL, 10);
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, whole = 0;
    struct made_trace made;
    made_trace_sample(&made, "/bin/prog", NULL, NULL);
    if (!walk_trace(made.parts, made.part_count))
        abort();
    for (uint64_t i = first; i < first + count; i++) {
        alarm(10);
        whole += run_one(&made, i);
    }
    printf("%llu traces: %llu whole, %llu refused\n", (unsigned long long)count,
           (unsigned long long)whole, (unsigned long long)(count - whole));
    made_trace_deinit(&made);
    return 0;
}
