/* Code that has no bitcode, by the symbol table; see native.h. */
#include "program/native.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"

struct symbol {
    char *name;
    uint64_t address, size;
    bool is_local;
};

struct symbols {
    VEC(struct symbol) list;
    bool has_table;
};

static void symbols_deinit(struct symbols *symbols) {
    for (size_t i = 0; i < symbols->list.count; i++)
        free(symbols->list.data[i].name);
    VEC_DEINIT(&symbols->list);
}

static int compare_symbols(const void *a, const void *b) {
    const struct symbol *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int compare_addresses(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Appends the functions that one ELF file defines. */
static void read_symbols(Elf *elf, struct symbols *symbols) {
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize)
            continue;
        symbols->has_table = true;
        Elf_Data *data = elf_getdata(section, NULL);
        size_t count = data ? data->d_size / header.sh_entsize : 0;
        for (size_t i = 0; i < count; i++) {
            GElf_Sym symbol;
            if (!gelf_getsym(data, (int)i, &symbol) || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
                symbol.st_shndx == SHN_UNDEF)
                continue;
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name && *name)
                VEC_PUSH(&symbols->list,
                         (struct symbol){mem_strdup(name), symbol.st_value, symbol.st_size,
                                         GELF_ST_BIND(symbol.st_info) == STB_LOCAL});
        }
    }
}

/* Of a file, or of all members of an archive. */
static struct error *read_file(const char *path, struct symbols *symbols) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno("cannot open %s", path);
    elf_version(EV_CURRENT);
    Elf *file = elf_begin(fd, ELF_C_READ, NULL);
    if (file && elf_kind(file) == ELF_K_AR) {
        Elf_Cmd command = ELF_C_READ;
        Elf *member;
        while ((member = elf_begin(fd, command, file))) {
            if (elf_kind(member) == ELF_K_ELF)
                read_symbols(member, symbols);
            command = elf_next(member);
            elf_end(member);
        }
    } else if (file) {
        read_symbols(file, symbols);
    }
    elf_end(file);
    close(fd);
    return NULL;
}

static void read_runtime(struct symbols *symbols) {
    static const char *const archives[] = {"librecut-rt.a", "librecut-dynamic.a",
                                           "librecut-static.a"};
    for (size_t i = 0; i < sizeof archives / sizeof *archives; i++) {
        char *path CLEANUP_FREE = NULL;
        struct error *err CLEANUP_ERROR = io_find_installed(archives[i], &path);
        if (!err)
            err = read_file(path, symbols);
    }
    if (symbols->list.count)
        qsort(symbols->list.data, symbols->list.count, sizeof *symbols->list.data, compare_symbols);
}

static bool is_startup(const char *name) {
    static const char *const names[] = {
        "_start",
        "_init",
        "_fini",
        "_dl_relocate_static_pie",
        "frame_dummy",
        "deregister_tm_clones",
        "register_tm_clones",
        "__do_global_dtors_aux",
        "atexit",
        "at_quick_exit",
        "pthread_atfork",
        "__pthread_atfork",
        "__libc_csu_init",
        "__libc_csu_fini",
        "__wrap___libc_start_main",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "__recut_", 8) == 0;
}

/* The same name; and the same size, unless nobody outside could name it. */
static bool is_runtime(const struct symbols *runtime, const struct symbol *symbol) {
    if (!runtime->list.count)
        return false;
    const struct symbol *found = bsearch(symbol, runtime->list.data, runtime->list.count,
                                         sizeof *runtime->list.data, compare_symbols);
    return found && (symbol->is_local || found->size == symbol->size);
}

struct error *native_find(const struct program *program, struct native_code *ret) {
    struct symbols own = {0}, runtime = {0};
    struct error *err = read_file(program->path, &own);
    if (err)
        return err;
    read_runtime(&runtime);
    VEC(uint64_t) addresses = {0};
    for (size_t i = 0; i < program->functions.count; i++)
        if (program->functions.data[i].flags & FUNCTION_DEFINED)
            VEC_PUSH(&addresses, program->functions.data[i].address);
    if (addresses.count)
        qsort(addresses.data, addresses.count, sizeof *addresses.data, compare_addresses);
    if (own.list.count)
        qsort(own.list.data, own.list.count, sizeof *own.list.data, compare_symbols);
    VEC(char *) names = {0};
    for (size_t i = 0; i < own.list.count; i++) {
        struct symbol *symbol = &own.list.data[i];
        bool is_program =
            addresses.count && bsearch(&symbol->address, addresses.data, addresses.count,
                                       sizeof *addresses.data, compare_addresses);
        if (!is_program && !is_runtime(&runtime, symbol) && !is_startup(symbol->name))
            VEC_PUSH(&names, mem_strdup(symbol->name));
    }
    *ret = (struct native_code){own.has_table, names.data, names.count};
    VEC_DEINIT(&addresses);
    symbols_deinit(&own);
    symbols_deinit(&runtime);
    return NULL;
}

void native_deinit(struct native_code *native) {
    for (size_t i = 0; i < native->count; i++)
        free(native->names[i]);
    free(native->names);
    *native = (struct native_code){0};
}
