/* What does a program call the things in it?  See symbols.h. */
#include "trace/symbols.h"

#include <gelf.h>
#include <stddef.h>

static void each_of_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, unsigned type,
                          void (*f)(const struct elf_symbol *, void *), void *data) {
    Elf_Data *table = elf_getdata(section, NULL);
    size_t count = table ? table->d_size / header->sh_entsize : 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(table, (int)i, &symbol) || GELF_ST_TYPE(symbol.st_info) != type ||
            symbol.st_shndx == SHN_UNDEF)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name && *name)
            f(&(struct elf_symbol){name, symbol.st_value, symbol.st_size}, data);
    }
}

void symbols_each(Elf *elf, unsigned type, void (*f)(const struct elf_symbol *, void *),
                  void *data) {
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB && header.sh_entsize)
            each_of_table(elf, section, &header, type, f, data);
    }
}
