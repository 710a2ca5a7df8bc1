/*
 * The entries of a tar file (POSIX ustar), as far as recut writes them: plain
 * files, and links to files that came before them.
 */
#ifndef RECUT_TRACE_TAR_H
#define RECUT_TRACE_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAR_BLOCK 512
#define TAR_MAX_FILE 077777777777ULL /* eleven octal digits: 8 GiB */
#define TAR_NAME_SIZE 257            /* of any name, with its NUL */
#define TAR_LINK_SIZE 100            /* of that of a file which is linked to */

struct tar_header {
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100];
    char magic[6], version[2], user[32], group[32], major[8], minor[8], prefix[155], padding[12];
};
_Static_assert(sizeof(struct tar_header) == TAR_BLOCK, "the block of a tar file");

/* Bytes from the end of a file to the next entry. */
static inline size_t tar_padding(uint64_t size) {
    return (size_t)((TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

/* Is a name short enough?  A long one is cut in two at a slash. */
bool tar_is_name(const char *name);
/* `link` is a file that came before with the same contents, whose size is not given again; or
 * NULL. */
void tar_header_init(struct tar_header *header, const char *name, const char *link, uint64_t size,
                     bool is_program);

/* What is wrong with a header; NULL if it is a file's. */
const char *tar_header_check(const struct tar_header *header);

/* Of one that was checked. */
void tar_header_name(const struct tar_header *header, char ret[TAR_NAME_SIZE]);
bool tar_header_is_link(const struct tar_header *header);
uint64_t tar_header_size(const struct tar_header *header);
bool tar_header_is_program(const struct tar_header *header);

#endif
