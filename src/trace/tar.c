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

/* Where a name is cut in two, so that both parts fit with their NUL; NULL if it is short, or cannot
 * be cut. */
static const char *find_cut(const char *name) {
    size_t length = strlen(name), most = sizeof((struct tar_header *)NULL)->name - 1;
    const char *cut = length > most ? strchr(name + length - most - 1, '/') : NULL;
    return cut && (size_t)(cut - name) < sizeof((struct tar_header *)NULL)->prefix ? cut : NULL;
}

bool tar_is_name(const char *name) {
    return *name && (strlen(name) < sizeof((struct tar_header *)NULL)->name || find_cut(name));
}

void tar_header_init(struct tar_header *header, const char *name, const char *link, uint64_t size,
                     bool is_program) {
    const char *cut = find_cut(name);
    memset(header, 0, sizeof *header);
    if (cut)
        memcpy(header->prefix, name, (size_t)(cut - name));
    snprintf(header->name, sizeof header->name, "%s", cut ? cut + 1 : name);
    if (link)
        snprintf(header->link, sizeof header->link, "%s", link);
    snprintf(header->mode, sizeof header->mode, "%07o", is_program ? 0700 : 0600);
    snprintf(header->uid, sizeof header->uid, "%07o", 0);
    snprintf(header->gid, sizeof header->gid, "%07o", 0);
    snprintf(header->size, sizeof header->size, "%011llo", link ? 0 : (unsigned long long)size);
    snprintf(header->mtime, sizeof header->mtime, "%011o", 0);
    header->type = link ? '1' : '0';
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
    if (header->type != '0' && header->type != '\0' && header->type != '1')
        return "it holds something that is not a file";
    if (!octal(header->mode, sizeof header->mode, &number) ||
        !octal(header->size, sizeof header->size, &number) ||
        (tar_header_is_link(header) && (number || header->link[sizeof header->link - 1])))
        return "a file that recut did not pack";
    return NULL;
}

void tar_header_name(const struct tar_header *header, char ret[TAR_NAME_SIZE]) {
    snprintf(ret, TAR_NAME_SIZE, "%.*s%s%.*s", (int)sizeof header->prefix, header->prefix,
             header->prefix[0] ? "/" : "", (int)sizeof header->name, header->name);
}

bool tar_header_is_link(const struct tar_header *header) { return header->type == '1'; }

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
