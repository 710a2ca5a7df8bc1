/* The entries of a tar file; see tar.h. */
#include "trace/tar.h"

#include <stdio.h>
#include <string.h>

/* Of all bytes, its own taken as blanks. */
static unsigned checksum(const struct tar_header *header) {
    struct tar_header copy = *header;
    memset(copy.checksum, ' ', sizeof copy.checksum);
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof copy; i++)
        sum += ((const unsigned char *)&copy)[i];
    return sum;
}

void tar_header_init(struct tar_header *header, const char *name, uint64_t size, bool is_program) {
    memset(header, 0, sizeof *header);
    snprintf(header->name, sizeof header->name, "%s", name);
    snprintf(header->mode, sizeof header->mode, "%07o", is_program ? 0700 : 0600);
    snprintf(header->uid, sizeof header->uid, "%07o", 0);
    snprintf(header->gid, sizeof header->gid, "%07o", 0);
    snprintf(header->size, sizeof header->size, "%011llo", (unsigned long long)size);
    snprintf(header->mtime, sizeof header->mtime, "%011o", 0);
    header->type = '0';
    memcpy(header->magic, "ustar", 6);
    memcpy(header->version, "00", 2);
    snprintf(header->checksum, sizeof header->checksum, "%06o", checksum(header));
    header->checksum[7] = ' ';
}

/* Octal digits up to a NUL or a blank; false for anything else. */
static bool octal(const char *field, size_t length, uint64_t *ret) {
    uint64_t value = 0;
    size_t i = 0;
    for (; i < length && field[i] >= '0' && field[i] <= '7'; i++)
        value = 8 * value + (uint64_t)(field[i] - '0');
    if (i == 0 || (i < length && field[i] != '\0' && field[i] != ' '))
        return false;
    *ret = value;
    return true;
}

const char *tar_header_check(const struct tar_header *header) {
    uint64_t sum, number;
    if (memcmp(header->magic, "ustar", 5) != 0)
        return "no file begins here";
    if (!octal(header->checksum, sizeof header->checksum, &sum) || sum != checksum(header))
        return "the checksum of a file's name is wrong";
    if (header->type != '0' && header->type != '\0')
        return "it holds something that is not a file";
    if (!octal(header->size, sizeof header->size, &number) ||
        !octal(header->mode, sizeof header->mode, &number) || header->prefix[0])
        return "a file that recut did not pack";
    return NULL;
}

uint64_t tar_header_size(const struct tar_header *header) {
    uint64_t size = 0;
    octal(header->size, sizeof header->size, &size);
    return size;
}

bool tar_header_is_program(const struct tar_header *header) {
    uint64_t mode = 0;
    octal(header->mode, sizeof header->mode, &mode);
    return mode & 0100;
}
