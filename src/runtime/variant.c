/*
 * Loading a variant; see variant.h.
 *
 * Runs before any thread and any constructor exists, so functions can be
 * patched while none of them runs.  A patched entry is `jmp rel32`, five bytes;
 * functions are 16-aligned, so it never reaches into the next one.
 */
#include "runtime/variant.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "format/layout.h"
#include "format/variant.h"
#include "runtime/cut.h"
#include "runtime/profile.h"
#include "runtime/raw.h"
#include "runtime/shadow.h"

extern const uint8_t __recut_build_id[BUILD_ID_SIZE];
uint64_t __recut_variant_kind;

enum { page_size = 4096, jump_size = 5 };

static uint64_t page_down(uint64_t address) { return address & ~(uint64_t)(page_size - 1); }
static uint64_t page_up(uint64_t address) { return page_down(address + page_size - 1); }

static bool map_segment(int fd, const Elf64_Phdr *segment) {
    uint64_t low = page_down(segment->p_vaddr), file_end = segment->p_vaddr + segment->p_filesz;
    uint64_t end = segment->p_vaddr + segment->p_memsz;
    if (low < RECUT_VARIANT_BASE || end > RECUT_VARIANT_END || end < low ||
        segment->p_filesz > segment->p_memsz)
        return false;
    int protection = (segment->p_flags & PF_R ? PROT_READ : 0) |
                     (segment->p_flags & PF_W ? PROT_WRITE : 0) |
                     (segment->p_flags & PF_X ? PROT_EXEC : 0);
    if (segment->p_filesz &&
        mmap((void *)low, file_end - low, protection, MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd,
             (off_t)page_down(segment->p_offset)) != (void *)low)
        return false;
    uint64_t zero = segment->p_filesz ? page_up(file_end) : low;
    if (segment->p_memsz > segment->p_filesz && segment->p_filesz && (segment->p_flags & PF_W))
        memset((void *)file_end, 0, (zero < end ? zero : end) - file_end);
    return zero >= end ||
           mmap((void *)zero, end - zero, protection,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == (void *)zero;
}

/* Maps the image and returns its header, NULL if it is not one. */
static const struct variant_header *map_image(int fd) {
    union {
        Elf64_Ehdr elf;
        char bytes[page_size];
    } head;
    ssize_t got = pread(fd, &head, sizeof head, 0);
    if (got < (ssize_t)sizeof head.elf || memcmp(head.elf.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.elf.e_type != ET_EXEC || head.elf.e_phentsize != sizeof(Elf64_Phdr) ||
        head.elf.e_phoff + head.elf.e_phnum * sizeof(Elf64_Phdr) > (uint64_t)got)
        return NULL;
    const Elf64_Phdr *segments = (const void *)(head.bytes + head.elf.e_phoff);
    bool has_header = false;
    for (unsigned i = 0; i < head.elf.e_phnum; i++) {
        if (segments[i].p_type != PT_LOAD)
            continue;
        if (!map_segment(fd, &segments[i]))
            return NULL;
        has_header |= head.elf.e_entry >= segments[i].p_vaddr &&
                      head.elf.e_entry + sizeof(struct variant_header) <=
                          segments[i].p_vaddr + segments[i].p_memsz;
    }
    return has_header ? (const struct variant_header *)head.elf.e_entry : NULL;
}

/* Makes [low, high) writable for a moment. */
static bool unlock_pages(uint64_t low, uint64_t high, int protection) {
    return mprotect((void *)page_down(low), page_up(high) - page_down(low), protection) == 0;
}

/* Both are code; the first can be written. */
static void lead(uint64_t from, uint64_t to) {
    unsigned char *entry = (void *)from;
    int32_t distance = (int32_t)(to - (from + jump_size));
    entry[0] = 0xe9;
    memcpy(entry + 1, &distance, sizeof distance);
}

static bool swap_functions(const struct variant_header *header) {
    const struct variant_swap *swaps = (const void *)header->swaps;
    uint64_t low = UINT64_MAX, high = 0;
    for (uint64_t i = 0; i < header->swap_count; i++) {
        low = swaps[i].original < low ? swaps[i].original : low;
        high = swaps[i].original > high ? swaps[i].original : high;
    }
    if (!header->swap_count)
        return true;
    if (!unlock_pages(low, high + jump_size, PROT_READ | PROT_WRITE | PROT_EXEC))
        return false;
    for (uint64_t i = 0; i < header->swap_count; i++)
        lead(swaps[i].original, swaps[i].replacement);
    return unlock_pages(low, high + jump_size, PROT_READ | PROT_EXEC);
}

/* Functions of an image call each other without a detour by the program. */
static bool swap_in_image(const struct variant_header *under, const struct variant_header *over) {
    const struct variant_swap *old = (const void *)under->swaps, *new = (const void *)over->swaps;
    for (uint64_t i = 0; i < over->swap_count; i++)
        for (uint64_t k = 0; k < under->swap_count; k++) {
            uint64_t at = old[k].replacement;
            if (old[k].original != new[i].original)
                continue;
            if (!unlock_pages(at, at + jump_size, PROT_READ | PROT_WRITE | PROT_EXEC))
                return false;
            lead(at, new[i].replacement);
            if (!unlock_pages(at, at + jump_size, PROT_READ | PROT_EXEC))
                return false;
        }
    return true;
}

/* Tables of labels may be constant; which of them are does not matter here, as
 * nothing but the C language protects them from being written. */
static bool poke_labels(const struct variant_header *header) {
    const struct variant_poke *pokes = (const void *)header->pokes;
    for (uint64_t i = 0; i < header->poke_count; i++) {
        void *address = (void *)pokes[i].address;
        if (!unlock_pages(pokes[i].address, pokes[i].address + pokes[i].size,
                          PROT_READ | PROT_WRITE))
            return false;
        memcpy(address, &pokes[i].value, pokes[i].size);
    }
    return true;
}

/* The one that lies over the other last. */
static const struct variant_header *loaded[2];

bool __recut_variant_fault(void *context) {
    greg_t *pc = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    for (unsigned i = 0; i < 2 && loaded[i]; i++) {
        const struct variant_fixup *end = (const void *)loaded[i]->fixups_end;
        for (const struct variant_fixup *one = (const void *)loaded[i]->fixups; one < end; one++)
            if ((uint64_t)*pc >= one->begin && (uint64_t)*pc < one->end) {
                *pc = (greg_t)one->next;
                return true;
            }
    }
    return false;
}

/* NULL if there is none, or it is of another program: one that this one started, which the variant
 * is not for. */
static const struct variant_header *open_image(const char *path) {
    if (!path || !*path)
        return NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        __recut_say("cannot open the variant ", path, ": ", strerror(errno), NULL);
        return NULL;
    }
    const struct variant_header *header = map_image(fd);
    close(fd);
    if (!header || header->magic != VARIANT_MAGIC) {
        __recut_say("the variant ", path, " is damaged", NULL);
        return NULL;
    }
    bool is_ours = memcmp(header->build_id, __recut_build_id, BUILD_ID_SIZE) == 0;
    return is_ours ? header : NULL;
}

static void begin(const struct variant_header *header) {
    if (header->notes < header->notes_end)
        __recut_shadow_begin((const void *)header->notes, (const void *)header->notes_end);
    if (header->kind == VARIANT_CUT)
        __recut_cut_loaded_image(header);
    __recut_variant_kind = header->kind;
    if (!poke_labels(header) || !swap_functions(header))
        __recut_say("cannot patch the program's code: ", strerror(errno), NULL);
}

void __recut_variant_load(char **envp) {
    const struct variant_header *header = open_image(__recut_variable(envp, VARIANT_ENV));
    if (!header || (header->kind == VARIANT_PROFILE &&
                    !__recut_profile_init(header, __recut_variable(envp, PROFILE_ENV))))
        return;
    loaded[0] = header;
    begin(header);
    const struct variant_header *over = open_image(__recut_variable(envp, VARIANT_OVER_ENV));
    if (!over)
        return;
    loaded[1] = over;
    begin(over);
    if (!swap_in_image(header, over))
        __recut_say("cannot patch the variant's code: ", strerror(errno), NULL);
}
