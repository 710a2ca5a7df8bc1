/*
 * Bitcode inside objects and archives; see objects.h.
 *
 * Archives are read here and not by libelf, because libelf does not know thin
 * ones, which Meson makes.
 */
#include "program/objects.h"

#include <ctype.h>
#include <gelf.h>
#include <libelf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"

#define ARCHIVE_MAGIC "!<arch>\n"
#define THIN_MAGIC "!<thin>\n"
#define LTO_SECTION ".llvm.lto"

enum { magic_size = 8, header_size = 60 };

static bool is_bitcode(const char *data, size_t size) {
    return size >= 4 &&
           (memcmp(data, "BC\xc0\xde", 4) == 0 || memcmp(data, "\xde\xc0\x17\x0b", 4) == 0);
}

/*
 * Walks the top-level blocks of a bitcode stream.  Each begins, 32-bit aligned,
 * with ENTER_SUBBLOCK in an abbreviation of two bits, the block's id (VBR8),
 * the new abbreviation width (VBR4), and after alignment its length in words.
 */
size_t bitcode_module_length(const char *data, size_t size) {
    if (!is_bitcode(data, size) || data[0] != 'B')
        return 0;
    size_t at = 4;
    while (at + 8 <= size && memcmp(data + at, "BC\xc0\xde", 4) != 0) {
        uint32_t head, words;
        memcpy(&head, data + at, 4);
        if ((head & 3) != 1) /* not ENTER_SUBBLOCK: padding */
            break;
        memcpy(&words, data + at + 4, 4);
        if (words > (size - at - 8) / 4)
            return 0;
        at += 8 + 4 * (size_t)words;
    }
    return at;
}

bool object_find_bitcode(const char *data, size_t size, const char **ret, size_t *ret_size) {
    if (is_bitcode(data, size)) {
        *ret = data;
        *ret_size = size;
        return true;
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory((char *)data, size);
    size_t names;
    bool found = false;
    if (elf && elf_kind(elf) == ELF_K_ELF && elf_getshdrstrndx(elf, &names) == 0)
        for (Elf_Scn *section = elf_nextscn(elf, NULL); section && !found;
             section = elf_nextscn(elf, section)) {
            GElf_Shdr header;
            const char *name =
                gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
            if (!name || strcmp(name, LTO_SECTION) != 0 || header.sh_offset > size ||
                header.sh_size > size - header.sh_offset)
                continue;
            *ret = data + header.sh_offset;
            *ret_size = header.sh_size;
            found = true;
        }
    elf_end(elf);
    return found;
}

static enum object_kind classify(const char *data, size_t size) {
    if (size >= magic_size &&
        (memcmp(data, ARCHIVE_MAGIC, magic_size) == 0 || memcmp(data, THIN_MAGIC, magic_size) == 0))
        return OBJECT_ARCHIVE;
    const char *bitcode;
    size_t length;
    if (object_find_bitcode(data, size, &bitcode, &length)) {
        size_t first = bitcode_module_length(bitcode, length);
        return first && length - first >= 8 ? OBJECT_SEVERAL : OBJECT_BITCODE;
    }
    const Elf64_Ehdr *elf = (const void *)data;
    if (size >= sizeof *elf && memcmp(data, ELFMAG, SELFMAG) == 0)
        return elf->e_type == ET_REL ? OBJECT_NATIVE : OBJECT_OTHER;
    return OBJECT_OTHER;
}

struct error *object_classify(const char *path, enum object_kind *ret) {
    char *data CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = io_read_file(path, &data, &size);
    if (!err)
        *ret = classify(data, size);
    return err;
}

struct archive {
    const char *path;
    char *data;
    size_t size, at;
    bool thin;
    const char *names; /* the table of long names */
    size_t names_size;
};

struct member {
    char name[4096];
    const char *data;
    size_t size;
    char *owned; /* contents of a thin archive's member */
};

static size_t parse_decimal(const char *field, size_t width) {
    size_t value = 0;
    for (size_t i = 0; i < width && isdigit((unsigned char)field[i]); i++)
        value = value * 10 + (size_t)(field[i] - '0');
    return value;
}

static void set_name(const struct archive *archive, const char *field, struct member *member) {
    if (field[0] == '/' && isdigit((unsigned char)field[1])) {
        size_t at = parse_decimal(field + 1, 15), n = 0;
        while (at + n < archive->names_size && archive->names[at + n] != '\n' &&
               n < sizeof member->name - 1) {
            member->name[n] = archive->names[at + n];
            n++;
        }
        if (n && member->name[n - 1] == '/')
            n--;
        member->name[n] = '\0';
        return;
    }
    size_t n = 0;
    while (n < 16 && field[n] != '/' && field[n] != ' ')
        n++;
    memcpy(member->name, field, n);
    member->name[n] = '\0';
}

static struct error *load_thin_member(const struct archive *archive, struct member *member) {
    const char *slash = strrchr(archive->path, '/');
    char *path CLEANUP_FREE =
        member->name[0] == '/' || !slash
            ? mem_strdup(member->name)
            : mem_printf("%.*s/%s", (int)(slash - archive->path), archive->path, member->name);
    struct error *err = io_read_file(path, &member->owned, &member->size);
    member->data = member->owned;
    return err;
}

/* The next member; *ret_more is false at the end. */
static struct error *archive_next(struct archive *archive, struct member *member, bool *ret_more) {
    *ret_more = false;
    while (archive->at + header_size <= archive->size) {
        const char *header = archive->data + archive->at;
        size_t size = parse_decimal(header + 48, 10);
        archive->at += header_size;
        bool symbols = header[0] == '/' && (header[1] == ' ' || memcmp(header, "/SYM64/", 7) == 0);
        bool names = header[0] == '/' && header[1] == '/';
        bool stored = !archive->thin || symbols || names;
        if (stored && size > archive->size - archive->at)
            return error_new(ERROR_INPUT, "%s: the archive is cut off", archive->path);
        const char *data = archive->data + archive->at;
        if (stored)
            archive->at += size + (size & 1);
        if (names) {
            archive->names = data;
            archive->names_size = size;
        }
        if (symbols || names)
            continue;
        *member = (struct member){.data = data, .size = size};
        set_name(archive, header, member);
        *ret_more = true;
        return archive->thin ? load_thin_member(archive, member) : NULL;
    }
    return NULL;
}

/* lld takes members by their own symbols, so the archive needs no index. */
static void write_member(FILE *out, const struct member *member) {
    const char *base = strrchr(member->name, '/');
    char name[16];
    snprintf(name, sizeof name, "%.14s/", base ? base + 1 : member->name);
    fprintf(out, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0644, member->size);
    fwrite(member->data, 1, member->size, out);
    if (member->size & 1)
        fputc('\n', out);
}

static struct error *write_native_members(struct archive *archive, FILE *out, size_t *ret_native,
                                          size_t *ret_with_bitcode) {
    struct member *member = mem_zalloc(1, sizeof *member);
    struct error *err;
    bool more;
    *ret_native = *ret_with_bitcode = 0;
    while (!(err = archive_next(archive, member, &more)) && more) {
        const char *bitcode;
        size_t length;
        if (object_find_bitcode(member->data, member->size, &bitcode, &length)) {
            ++*ret_with_bitcode;
        } else {
            ++*ret_native;
            write_member(out, member);
        }
        free(member->owned);
    }
    free(member);
    return err;
}

static struct error *archive_open(const char *path, struct archive *ret) {
    struct archive archive = {.path = path, .at = magic_size};
    struct error *err = io_read_file(path, &archive.data, &archive.size);
    if (err)
        return err;
    if (archive.size < magic_size) {
        free(archive.data);
        return error_new(ERROR_INPUT, "%s: not an archive", path);
    }
    archive.thin = memcmp(archive.data, THIN_MAGIC, magic_size) == 0;
    *ret = archive;
    return NULL;
}

struct error *archive_write_native(const char *path, const char *filtered_path, size_t *ret_native,
                                   size_t *ret_with_bitcode) {
    struct archive archive;
    struct error *err = archive_open(path, &archive);
    if (err)
        return err;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs(ARCHIVE_MAGIC, out);
    err = write_native_members(&archive, out, ret_native, ret_with_bitcode);
    fclose(out);
    if (!err && *ret_native && *ret_with_bitcode)
        err = io_write_file(filtered_path, text, size);
    free(text);
    free(archive.data);
    return err;
}

/* Calls `visit` with each member, until it fails or sets *stop. */
static struct error *archive_walk(struct archive *archive,
                                  struct error *(*visit)(const struct member *, void *, bool *stop),
                                  void *context) {
    struct member *member = mem_zalloc(1, sizeof *member);
    struct error *err;
    bool more, stop = false;
    archive->at = magic_size;
    while (!stop && !(err = archive_next(archive, member, &more)) && more) {
        err = visit(member, context, &stop);
        free(member->owned);
        stop |= err != NULL;
    }
    free(member);
    return err;
}

static struct error *note_several(const struct member *member, void *found, bool *stop) {
    *stop = *(bool *)found = classify(member->data, member->size) == OBJECT_SEVERAL;
    return NULL;
}

struct expansion {
    const char *directory;
    VEC(char *) files;
};

static struct error *write_file(const struct member *member, void *context, bool *stop) {
    static unsigned serial;
    struct expansion *expansion = context;
    const char *base = strrchr(member->name, '/');
    char *file =
        mem_printf("%s/%u-%s", expansion->directory, serial++, base ? base + 1 : member->name);
    VEC_PUSH(&expansion->files, file);
    (void)stop;
    return io_write_file(file, member->data, member->size);
}

struct error *archive_expand_several(const char *path, const char *directory, char ***ret_files,
                                     size_t *ret_count) {
    struct archive archive;
    struct error *err = archive_open(path, &archive);
    if (err)
        return err;
    bool several = false;
    struct expansion expansion = {.directory = directory};
    err = archive_walk(&archive, note_several, &several);
    if (!err && several)
        err = archive_walk(&archive, write_file, &expansion);
    free(archive.data);
    *ret_files = expansion.files.data;
    *ret_count = expansion.files.count;
    return err;
}
