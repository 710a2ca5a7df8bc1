/*
 * Which line of the source is an address?  See source.h.
 *
 * libdw finds units by .debug_aranges, which clang does not write; so the ranges
 * of all units are sorted here, once.  Within a unit, libdw's line table gives
 * the innermost place and its scopes give the calls that were inlined around it.
 */
#include "trace/source.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "format/layout.h"
#include "format/variant.h"
#include "program/embedded.h"
#include "trace/directory.h"
#include "trace/symbols.h"
#include "trace/trace.h"

struct range {
    uint64_t begin, end;
    Dwarf_Off unit; /* of its DIE */
};

struct symbol {
    uint64_t begin, end;
    const char *name;
};

struct answer {
    struct source_frame *frames;
    size_t count;
};

struct source {
    int fd;
    Elf *elf;
    Dwarf *dwarf; /* NULL without debugging information */
    VEC(struct range) ranges;
    VEC(struct symbol) symbols;
    struct arena arena;
    struct idmap known; /* address to answer */
    VEC(struct answer) answers;
    /* For addresses below the executable: an image, of which the `variant` is the one that it lies
     * behind.  NULL: none. */
    struct source *variant;
    uint64_t begin; /* of an image: where it lies */
};

const char *source_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int by_begin(const void *a, const void *b) {
    const struct range *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static int by_symbol(const void *a, const void *b) {
    const struct symbol *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void read_ranges(struct source *source) {
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (source->dwarf &&
           dwarf_get_units(source->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        Dwarf_Addr base, begin, end;
        ptrdiff_t offset = 0;
        while ((offset = dwarf_ranges(&die, offset, &base, &begin, &end)) > 0)
            if (begin < end)
                VEC_PUSH(&source->ranges, (struct range){begin, end, dwarf_dieoffset(&die)});
    }
    if (source->ranges.count)
        qsort(source->ranges.data, source->ranges.count, sizeof *source->ranges.data, by_begin);
}

static void add_symbol(const struct elf_symbol *symbol, void *data) {
    struct source *source = data;
    VEC_PUSH(&source->symbols,
             (struct symbol){symbol->address, symbol->address + symbol->size, symbol->name});
}

static void read_symbols(struct source *source) {
    symbols_each(source->elf, STT_FUNC, add_symbol, source);
    if (source->symbols.count)
        qsort(source->symbols.data, source->symbols.count, sizeof *source->symbols.data, by_symbol);
}

static const struct symbol *find_symbol(const struct source *source, uint64_t address) {
    size_t low = 0, high = source->symbols.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->symbols.data[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct symbol *symbol = low ? &source->symbols.data[low - 1] : NULL;
    return symbol && (address < symbol->end || address == symbol->begin) ? symbol : NULL;
}

static bool find_unit(const struct source *source, uint64_t address, Dwarf_Die *ret) {
    size_t low = 0, high = source->ranges.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->ranges.data[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < source->ranges.data[low - 1].end &&
           dwarf_offdie(source->dwarf, source->ranges.data[low - 1].unit, ret);
}

static int number_of(Dwarf_Die *die, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Word value;
    if (!dwarf_attr(die, attribute, &found) || dwarf_formudata(&found, &value) != 0 ||
        value > INT32_MAX)
        return 0;
    return (int)value;
}

static const char *call_file(Dwarf_Die *unit, Dwarf_Die *call) {
    Dwarf_Files *files;
    size_t count;
    int file = number_of(call, DW_AT_call_file);
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 || (size_t)file >= count)
        return NULL;
    return dwarf_filesrc(files, (size_t)file, NULL, NULL);
}

/* What is inlined around an address, from the inside out; to an arena, since
 * there are few and they stay. */
static struct answer walk_scopes(struct source *source, Dwarf_Die *unit, uint64_t address) {
    struct source_frame frame = {0};
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    if (line) {
        frame.file = dwarf_linesrc(line, NULL, NULL);
        dwarf_lineno(line, &frame.line);
        dwarf_linecol(line, &frame.column);
    }
    Dwarf_Die *at = NULL, *scopes = NULL;
    int depth = dwarf_getscopes(unit, address, &at);
    int count = depth > 0 ? dwarf_getscopes_die(&at[0], &scopes) : 0;
    struct answer answer = {0};
    if (count > 0)
        answer.frames = arena_alloc(&source->arena, (size_t)count * sizeof frame);
    for (int i = 0; i < count; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        frame.function = dwarf_diename(&scopes[i]);
        answer.frames[answer.count++] = frame;
        if (tag == DW_TAG_subprogram)
            break;
        frame = (struct source_frame){
            .file = call_file(unit, &scopes[i]),
            .line = number_of(&scopes[i], DW_AT_call_line),
            .column = number_of(&scopes[i], DW_AT_call_column),
        };
    }
    free(at);
    free(scopes);
    return answer;
}

static struct answer find_answer(struct source *source, uint64_t address) {
    Dwarf_Die unit;
    struct answer answer = {0};
    if (find_unit(source, address, &unit))
        answer = walk_scopes(source, &unit, address);
    const struct symbol *symbol = find_symbol(source, address);
    if (answer.count == 0) {
        answer.frames = arena_alloc(&source->arena, sizeof *answer.frames);
        answer.count = 1;
    }
    struct source_frame *outermost = &answer.frames[answer.count - 1];
    if (!outermost->function && symbol)
        outermost->function = symbol->name;
    return answer;
}

static struct source *holder_of(struct source *source, uint64_t address) {
    if (address >= RECUT_IMAGE_BASE || !source->variant)
        return source;
    source = source->variant;
    while (source->variant && address < source->begin)
        source = source->variant;
    return source;
}

size_t source_find(struct source *source, uint64_t address, const struct source_frame **ret) {
    source = holder_of(source, address);
    /* The map takes no 0, and no code lies there. */
    const void *key = (const void *)(uintptr_t)(address ? address : 1);
    uint32_t id = idmap_find(&source->known, key);
    if (id == IDMAP_NONE) {
        id = (uint32_t)source->answers.count;
        VEC_PUSH(&source->answers, find_answer(source, address));
        idmap_set(&source->known, key, id);
    }
    *ret = source->answers.data[id].frames;
    return source->answers.data[id].count;
}

size_t source_call(struct source *source, uint64_t return_address,
                   const struct source_frame **ret) {
    /* The call is the instruction before; it ends where the next begins. */
    return source_find(source, return_address - 1, ret);
}

const char *source_function(const struct source *source, uint64_t address) {
    const struct symbol *symbol = find_symbol(source, address);
    return symbol && symbol->begin == address ? symbol->name : NULL;
}

struct error *source_open(const char *path, const uint8_t build_id[BUILD_ID_SIZE],
                          struct source **ret) {
    uint8_t found[BUILD_ID_SIZE];
    struct error *err = build_id ? embedded_build_id(path, found) : NULL;
    if (!err && build_id && memcmp(found, build_id, BUILD_ID_SIZE) != 0)
        err = error_new(ERROR_FAILED, "%s was built anew since it was recorded", path);
    if (err)
        return err;
    struct source *source = mem_zalloc(1, sizeof *source);
    source->fd = open(path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    if (source->fd >= 0)
        source->elf = elf_begin(source->fd, ELF_C_READ_MMAP, NULL);
    if (!source->elf || elf_kind(source->elf) != ELF_K_ELF) {
        source_close(source);
        return error_new(ERROR_INPUT, "%s: not an ELF executable", path);
    }
    source->dwarf = dwarf_begin_elf(source->elf, DWARF_C_READ, NULL);
    read_ranges(source);
    read_symbols(source);
    *ret = source;
    return NULL;
}

void source_use_variant(struct source *source, const char *directory) {
    char *path CLEANUP_FREE = trace_file(directory, TRACE_VARIANT_NAME);
    if (access(path, R_OK) == 0)
        source_use_image(source, path);
}

/* Bytes of an executable at an address; NULL if they are not all in its file. */
static const void *bytes_at(struct source *source, uint64_t address, uint64_t size) {
    size_t count;
    if (elf_getphdrnum(source->elf, &count) != 0)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(source->elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
            address < segment.p_vaddr || address - segment.p_vaddr > segment.p_filesz ||
            size > segment.p_filesz - (address - segment.p_vaddr))
            continue;
        int64_t offset = (int64_t)(segment.p_offset + (address - segment.p_vaddr));
        Elf_Data *data = elf_getdata_rawchunk(source->elf, offset, size, ELF_T_BYTE);
        return data ? data->d_buf : NULL;
    }
    return NULL;
}

/* Functions of a variant have the names of those that they stand for. */
static void name_swapped(struct source *source) {
    struct source *variant = source->variant;
    GElf_Ehdr elf;
    struct variant_header header;
    const void *bytes =
        gelf_getehdr(variant->elf, &elf) ? bytes_at(variant, elf.e_entry, sizeof header) : NULL;
    if (!bytes)
        return;
    memcpy(&header, bytes, sizeof header);
    if (header.magic != VARIANT_MAGIC || header.swap_count > UINT32_MAX)
        return;
    const char *swaps =
        bytes_at(variant, header.swaps, header.swap_count * sizeof(struct variant_swap));
    for (uint64_t i = 0; swaps && i < header.swap_count; i++) {
        struct variant_swap swap;
        memcpy(&swap, swaps + i * sizeof swap, sizeof swap);
        const char *name = source_function(source, swap.original);
        struct symbol *symbol = (struct symbol *)find_symbol(variant, swap.replacement);
        if (name && symbol)
            symbol->name = name;
    }
}

static uint64_t first_of(Elf *elf) {
    size_t count;
    GElf_Phdr segment;
    if (elf_getphdrnum(elf, &count) != 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_LOAD)
            return segment.p_vaddr;
    return 0;
}

void source_use_image(struct source *source, const char *path) {
    struct source *image = NULL;
    struct error *err CLEANUP_ERROR = source_open(path, NULL, &image);
    if (err)
        return;
    image->begin = first_of(image->elf);
    image->variant = source->variant;
    source->variant = image;
    name_swapped(source);
}

void source_close(struct source *source) {
    if (!source)
        return;
    source_close(source->variant);
    VEC_DEINIT(&source->ranges);
    VEC_DEINIT(&source->symbols);
    VEC_DEINIT(&source->answers);
    idmap_deinit(&source->known);
    arena_deinit(&source->arena);
    dwarf_end(source->dwarf);
    elf_end(source->elf);
    if (source->fd >= 0)
        close(source->fd);
    free(source);
}
