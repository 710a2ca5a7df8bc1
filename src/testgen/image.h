/*
 * What an executable has in memory when it starts.
 */
#ifndef RECUT_TESTGEN_IMAGE_H
#define RECUT_TESTGEN_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct image {
    char *data;
    size_t size;
};

struct error *image_open(const char *path, struct image *ret);
void image_close(struct image *image);

/* Copies the bytes at an address; false if the executable does not say what is there. */
bool image_get(const struct image *image, uint64_t address, void *ret, size_t size);
/* Are they for reading alone? */
bool image_is_constant(const struct image *image, uint64_t address);

#endif
