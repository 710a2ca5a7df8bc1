/* What does a program start with?  See image.h. */
#include "testgen/image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"

struct error *image_open(const char *path, struct image *ret) {
    struct error *err = io_read_file(path, &ret->data, &ret->size);
    const Elf64_Ehdr *header = err ? NULL : (const Elf64_Ehdr *)ret->data;
    if (!err && (ret->size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
                 header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phoff > ret->size ||
                 header->e_phnum > (ret->size - header->e_phoff) / sizeof(Elf64_Phdr)))
        err = error_new(ERROR_INPUT, "%s: is no executable", path);
    if (err)
        image_close(ret);
    return err;
}

void image_close(struct image *image) {
    free(image->data);
    *image = (struct image){0};
}

static const Elf64_Phdr *find(const struct image *image, uint64_t address, size_t size) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)image->data;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(image->data + header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *one = &segments[i];
        if (one->p_type == PT_LOAD && address >= one->p_vaddr &&
            address - one->p_vaddr <= one->p_memsz &&
            size <= one->p_memsz - (address - one->p_vaddr) && one->p_offset <= image->size &&
            one->p_filesz <= image->size - one->p_offset)
            return one;
    }
    return NULL;
}

bool image_get(const struct image *image, uint64_t address, void *ret, size_t size) {
    const Elf64_Phdr *segment = find(image, address, size);
    if (!segment)
        return false;
    uint64_t at = address - segment->p_vaddr;
    uint64_t kept = at < segment->p_filesz ? segment->p_filesz - at : 0;
    kept = kept < size ? kept : size;
    memset(ret, 0, size);
    memcpy(ret, image->data + segment->p_offset + at, kept);
    return true;
}

bool image_is_constant(const struct image *image, uint64_t address) {
    const Elf64_Phdr *segment = find(image, address, 1);
    return segment && !(segment->p_flags & PF_W);
}
