/* The canonical program inside an executable; see embedded.h. */
#include "program/embedded.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/mem.h"
#include "program/table.h"

void embedded_pack(const void *bitcode, size_t size, char **ret_data, size_t *ret_size,
                   uint8_t ret_build_id[BUILD_ID_SIZE]) {
    size_t bound = ZSTD_compressBound(size);
    char *data = mem_alloc(sizeof(struct program_section) + bound);
    char *payload = data + sizeof(struct program_section);
    size_t packed = ZSTD_compress(payload, bound, bitcode, size, 3);
    if (ZSTD_isError(packed))
        BUG("zstd: %s", ZSTD_getErrorName(packed));
    XXH128_canonical_t id;
    XXH128_canonicalFromHash(&id, XXH3_128bits(bitcode, size));
    struct program_section header = {
        .magic = PROGRAM_MAGIC,
        .version = PROGRAM_VERSION,
        .header_size = sizeof header,
        .bitcode_size = size,
        .payload_size = packed,
        .payload_hash = XXH3_64bits(payload, packed),
    };
    memcpy(header.build_id, id.digest, BUILD_ID_SIZE);
    memcpy(data, &header, sizeof header);
    memcpy(ret_build_id, id.digest, BUILD_ID_SIZE);
    *ret_data = data;
    *ret_size = sizeof header + packed;
}

static struct error *damaged(const char *what) {
    return error_new(ERROR_INPUT, "the embedded program is damaged: %s", what);
}

struct error *embedded_unpack(const void *data, size_t size, struct embedded *ret) {
    struct program_section header;
    if (size < sizeof header)
        return damaged("it is cut off in its header");
    memcpy(&header, data, sizeof header);
    if (memcmp(header.magic, PROGRAM_MAGIC, sizeof header.magic) != 0)
        return damaged("it does not begin with recut's mark");
    if (header.version != PROGRAM_VERSION)
        return error_new(ERROR_INPUT,
                         "the embedded program has format version %u, this recut reads %u",
                         header.version, PROGRAM_VERSION);
    if (header.header_size < sizeof header || header.header_size > size)
        return damaged("the header's size is wrong");
    if (header.payload_size > size - header.header_size)
        return damaged("it is cut off");
    /* No block of zstd's grows to more than this per byte: a few damaged bytes
     * cannot ask for gigabytes. */
    enum { most_growth = 128 * 1024 / 3 };
    if (header.bitcode_size == 0 || header.bitcode_size > PROGRAM_MAX_BITCODE ||
        header.bitcode_size / most_growth > header.payload_size)
        return damaged("the bitcode's size is wrong");
    const char *payload = (const char *)data + header.header_size;
    if (XXH3_64bits(payload, header.payload_size) != header.payload_hash)
        return damaged("the checksum is wrong");
    unsigned long long content = ZSTD_getFrameContentSize(payload, header.payload_size);
    if (content != header.bitcode_size)
        return damaged("the bitcode's size is wrong");
    char *bitcode = mem_alloc(header.bitcode_size + 1);
    size_t got = ZSTD_decompress(bitcode, header.bitcode_size, payload, header.payload_size);
    if (ZSTD_isError(got) || got != header.bitcode_size) {
        free(bitcode);
        return damaged("it cannot be decompressed");
    }
    bitcode[got] = '\0';
    ret->bitcode = bitcode;
    ret->bitcode_size = got;
    memcpy(ret->build_id, header.build_id, BUILD_ID_SIZE);
    return NULL;
}

/* The bytes of a section, NULL if there is none or it holds none in the file. */
static Elf_Data *section_data(Elf *elf, const char *name, GElf_Shdr *ret_header) {
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header))
            continue;
        const char *found = elf_strptr(elf, names, header.sh_name);
        if (found && strcmp(found, name) == 0) {
            if (ret_header)
                *ret_header = header;
            return elf_rawdata(section, NULL);
        }
    }
    return NULL;
}

static void read_needed(Elf *elf, struct embedded *ret) {
    VEC(char *) needed = {0};
    GElf_Shdr header;
    Elf_Data *data = section_data(elf, ".dynamic", &header);
    ret->is_static = data == NULL;
    size_t count = data && header.sh_entsize ? data->d_size / header.sh_entsize : 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Dyn entry;
        if (!gelf_getdyn(data, (int)i, &entry) || entry.d_tag == DT_NULL)
            break;
        const char *name =
            entry.d_tag == DT_NEEDED ? elf_strptr(elf, header.sh_link, entry.d_un.d_val) : NULL;
        if (name)
            VEC_PUSH(&needed, mem_strdup(name));
    }
    VEC_PUSH(&needed, NULL);
    ret->needed = needed.data;
}

static struct error *read_sections(Elf *elf, struct embedded *ret) {
    Elf_Data *program = section_data(elf, PROGRAM_SECTION, NULL);
    if (!program || !program->d_buf)
        return error_new(ERROR_INPUT, "no canonical program inside: build it with CC=recut-cc");
    struct error *err = embedded_unpack(program->d_buf, program->d_size, ret);
    if (err)
        return err;
    Elf_Data *table = section_data(elf, TABLE_SECTION, NULL);
    if (table && table->d_buf) {
        ret->table_count = table->d_size / sizeof(uint64_t);
        ret->table = mem_alloc(table->d_size);
        memcpy(ret->table, table->d_buf, ret->table_count * sizeof(uint64_t));
    }
    Elf_Data *runtime = section_data(elf, RUNTIME_SECTION, NULL);
    struct runtime_section info;
    if (!runtime || !runtime->d_buf || runtime->d_size < sizeof info)
        return damaged("the runtime's section is missing");
    memcpy(&info, runtime->d_buf, sizeof info);
    if (info.magic != RUNTIME_MAGIC)
        return damaged("the runtime's section is foreign");
    ret->self_offset = info.self_offset;
    read_needed(elf, ret);
    return NULL;
}

struct error *embedded_open(const char *path, struct embedded *ret) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno("cannot open %s", path);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    struct embedded embedded = {0};
    struct error *err;
    GElf_Ehdr header;
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
        err = error_new(ERROR_INPUT, "not an ELF executable");
    else if (header.e_machine != EM_X86_64)
        err = error_new(ERROR_INPUT, "not an x86-64 executable");
    else
        err = read_sections(elf, &embedded);
    elf_end(elf);
    close(fd);
    if (err) {
        embedded_deinit(&embedded);
        return error_in(err, "%s", path);
    }
    *ret = embedded;
    return NULL;
}

void embedded_deinit(struct embedded *embedded) {
    free(embedded->bitcode);
    free(embedded->table);
    for (char **name = embedded->needed; name && *name; name++)
        free(*name);
    free(embedded->needed);
    *embedded = (struct embedded){0};
}

struct error *embedded_layout(const char *path, uint8_t ret_build_id[BUILD_ID_SIZE],
                              uint64_t *ret_places) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno("cannot open %s", path);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    bool is_elf = elf && elf_kind(elf) == ELF_K_ELF;
    Elf_Data *data = is_elf ? section_data(elf, PROGRAM_SECTION, NULL) : NULL;
    Elf_Data *table = is_elf ? section_data(elf, TABLE_SECTION, NULL) : NULL;
    struct program_section header;
    struct error *err = NULL;
    if (!is_elf)
        err = error_new(ERROR_INPUT, "%s: not an ELF executable", path);
    else if (!data || !data->d_buf || data->d_size < sizeof header)
        err = error_new(ERROR_INPUT, "%s: no canonical program inside", path);
    if (!err) {
        memcpy(&header, data->d_buf, sizeof header);
        if (memcmp(header.magic, PROGRAM_MAGIC, sizeof header.magic) != 0)
            err = error_in(damaged("it does not begin with recut's mark"), "%s", path);
    }
    if (!err) {
        memcpy(ret_build_id, header.build_id, BUILD_ID_SIZE);
        *ret_places = table && table->d_buf ? XXH3_64bits(table->d_buf, table->d_size) : 0;
    }
    elf_end(elf);
    close(fd);
    return err;
}

struct error *embedded_build_id(const char *path, uint8_t ret[BUILD_ID_SIZE]) {
    uint64_t places;
    return embedded_layout(path, ret, &places);
}

struct error *embedded_environment(const char *path, char **ret_names, size_t *ret_size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno("cannot open %s", path);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    Elf_Data *data =
        elf && elf_kind(elf) == ELF_K_ELF ? section_data(elf, NAMES_SECTION, NULL) : NULL;
    size_t size = data && data->d_buf ? data->d_size : 0;
    *ret_names = mem_alloc(size + 1);
    *ret_size = size;
    if (size)
        memcpy(*ret_names, data->d_buf, size);
    (*ret_names)[size] = '\0';
    elf_end(elf);
    close(fd);
    return NULL;
}
