/* Arithmetic of offsets and strides. */
#ifndef RECUT_ANALYSIS_NUMBERS_H
#define RECUT_ANALYSIS_NUMBERS_H

#include <stdint.h>

/* The greatest common divisor; of 0 and a number, the number. */
static inline uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Rounded towards minus infinity. */
static inline int64_t divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }
static inline int64_t modulo(int64_t a, int64_t b) { return a - divide(a, b) * b; }

static inline uint64_t magnitude(int64_t number) {
    return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

#endif
