/*
 * Bytes as hexadecimal text.
 */
#ifndef RECUT_BASE_HEX_H
#define RECUT_BASE_HEX_H

#include <stddef.h>
#include <stdint.h>

/* Room for the text of so many bytes. */
#define HEX_SIZE(bytes) (2 * (bytes) + 1)

static inline void hex_format(const uint8_t *bytes, size_t count, char *ret) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        ret[2 * i] = digits[bytes[i] >> 4];
        ret[2 * i + 1] = digits[bytes[i] & 15];
    }
    ret[2 * count] = '\0';
}

#endif
