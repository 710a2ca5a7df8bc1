/*
 * What a scanf format writes: one target for each conversion that has an
 * argument.
 */
#ifndef RECUT_RUNTIME_SCAN_FORMAT_H
#define RECUT_RUNTIME_SCAN_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

enum { SCAN_MOST_TARGETS = 64, SCAN_MOST_FORMAT = 512 };

struct scan_target {
    void *to;
    size_t size; /* of a number, or of as many characters as %c says; 0: a string */
    bool is_wide;
    bool allocates; /* %ms: `to` is where the pointer goes */
    bool is_count;  /* %n: no conversion that the result counts */
};

unsigned __recut_scan_targets(const char *format, va_list args, struct scan_target *ret,
                              unsigned most);
/* After it: how many of the targets, from the first on, may have been written.
 * Strings that libc allocated move to the pool. */
unsigned __recut_scan_written(struct scan_target *targets, unsigned count, int result);
/* Bytes to keep of a target that was written, and putting them back. Of a
 * string that was allocated it is the text. */
size_t __recut_scan_size(const struct scan_target *target);
const void *__recut_scan_bytes(const struct scan_target *target);
void __recut_scan_fill(const struct scan_target *target, const void *bytes, size_t size);

/* Record: targets that were written, as outputs of an event, and what those need. */
size_t __recut_scan_bound(const struct scan_target *targets, unsigned written);
unsigned char *__recut_scan_put(unsigned char *p, const struct scan_target *targets,
                                unsigned written);

/* A wide format as a narrow one, of SCAN_MOST_FORMAT bytes: what tells conversions
 * apart is ASCII. False if it is too long. */
bool __recut_scan_narrow(char *to, const wchar_t *format);

#endif
