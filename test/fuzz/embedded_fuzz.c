/*
 * Fuzz target: the reader of the program that an executable carries.
 *
 * The first byte says how the rest is taken.  Most damage would end at the
 * checksum, so half of the ways put a right header in front of the bytes and
 * let them reach the decompressor.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/mem.h"
#include "program/embedded.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

/* What unpacks is whole, ends in NUL, and packs to something that unpacks. */
static void unpack(const void *data, size_t size, int again) {
    struct embedded embedded = {0};
    struct error *err = embedded_unpack(data, size, &embedded);
    if (err) {
        CHECK(err->code == ERROR_INPUT && err->message[0]);
        CHECK(!embedded.bitcode && !embedded.bitcode_size);
        error_free(err);
        return;
    }
    CHECK(embedded.bitcode_size > 0 && embedded.bitcode[embedded.bitcode_size] == '\0');
    if (again) {
        char *packed;
        size_t packed_size;
        uint8_t id[BUILD_ID_SIZE];
        embedded_pack(embedded.bitcode, embedded.bitcode_size, &packed, &packed_size, id);
        struct embedded back = {0};
        CHECK(!embedded_unpack(packed, packed_size, &back));
        CHECK(back.bitcode_size == embedded.bitcode_size &&
              memcmp(back.bitcode, embedded.bitcode, back.bitcode_size) == 0 &&
              memcmp(back.build_id, id, sizeof id) == 0);
        embedded_deinit(&back);
        free(packed);
    }
    embedded_deinit(&embedded);
}

/* A header that fits the payload, but for what `how` changes. */
static void unpack_with_header(const uint8_t *payload, size_t size, unsigned how) {
    struct program_section header = {
        .magic = PROGRAM_MAGIC,
        .version = PROGRAM_VERSION,
        .header_size = sizeof header,
        .payload_size = size,
        .payload_hash = XXH3_64bits(payload, size),
    };
    unsigned long long content = ZSTD_getFrameContentSize(payload, size);
    header.bitcode_size = content < PROGRAM_MAX_BITCODE ? content : 100;
    if (how == 1 && size >= 8)
        memcpy(&header.bitcode_size, payload, 8);
    if (how == 2)
        header.payload_size += 1;
    if (how == 3)
        header.header_size += 1;
    char *whole = mem_alloc(sizeof header + size);
    memcpy(whole, &header, sizeof header);
    memcpy(whole + sizeof header, payload, size);
    unpack(whole, sizeof header + size, how == 0);
    free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    if (data[0] & 4)
        unpack_with_header(data + 1, size - 1, data[0] & 3);
    else
        unpack(data + 1, size - 1, 0);
    return 0;
}
