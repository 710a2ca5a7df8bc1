/*
 * Which variable is at an address?  See variable.h.
 *
 * All variables with a fixed address, those inside of functions among them, are sorted by
 * it once.  The part of one is found by descending into its type.
 */
#include "trace/variable.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "trace/symbols.h"

struct variable {
    uint64_t begin, end;
    Dwarf_Off die;
};

struct variables {
    int fd;
    Elf *elf;
    Dwarf *dwarf; /* NULL without debugging information */
    VEC(struct variable) list;
};

/* --- finding them ------------------------------------------------------------------------ */

static bool address_of(Dwarf_Die *die, uint64_t *ret) {
    Dwarf_Attribute location;
    Dwarf_Op *operations;
    size_t count;
    if (!dwarf_attr(die, DW_AT_location, &location) ||
        dwarf_getlocation(&location, &operations, &count) != 0 || count != 1)
        return false;
    if (operations[0].atom == DW_OP_addr) {
        *ret = operations[0].number;
        return true;
    }
    Dwarf_Attribute indexed;
    if (operations[0].atom != DW_OP_addrx ||
        dwarf_getlocation_attr(&location, operations, &indexed) != 0)
        return false;
    Dwarf_Addr address;
    if (dwarf_formaddr(&indexed, &address) != 0)
        return false;
    *ret = address;
    return true;
}

/* Without names for it and qualifiers. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *ret) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
           dwarf_formref_die(&attribute, &type) && dwarf_peel_type(&type, ret) == 0;
}

static uint64_t size_of(Dwarf_Die *type) {
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

static void collect(struct variables *variables, Dwarf_Die *die) {
    do {
        uint64_t begin;
        Dwarf_Die type, child;
        if (dwarf_tag(die) == DW_TAG_variable && address_of(die, &begin) && type_of(die, &type)) {
            uint64_t size = size_of(&type);
            VEC_PUSH(&variables->list,
                     (struct variable){begin, begin + (size ? size : 1), dwarf_dieoffset(die)});
        }
        int tag = dwarf_tag(die);
        if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) &&
            dwarf_child(die, &child) == 0)
            collect(variables, &child);
    } while (dwarf_siblingof(die, die) == 0);
}

static int by_begin(const void *a, const void *b) {
    const struct variable *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->die < y->die ? -1 : x->die > y->die;
}

struct error *variables_open(const char *program, struct variables **ret) {
    struct variables *variables = mem_zalloc(1, sizeof *variables);
    variables->fd = open(program, O_RDONLY | O_CLOEXEC);
    if (variables->fd < 0) {
        free(variables);
        return error_errno("cannot open %s", program);
    }
    elf_version(EV_CURRENT);
    variables->elf = elf_begin(variables->fd, ELF_C_READ_MMAP, NULL);
    variables->dwarf = dwarf_begin_elf(variables->elf, DWARF_C_READ, NULL);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, child;
    while (variables->dwarf &&
           dwarf_get_units(variables->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
        if (dwarf_child(&die, &child) == 0)
            collect(variables, &child);
    if (variables->list.count)
        qsort(variables->list.data, variables->list.count, sizeof *variables->list.data, by_begin);
    *ret = variables;
    return NULL;
}

void variables_close(struct variables *variables) {
    if (!variables)
        return;
    VEC_DEINIT(&variables->list);
    dwarf_end(variables->dwarf);
    elf_end(variables->elf);
    close(variables->fd);
    free(variables);
}

/* --- naming them ------------------------------------------------------------------------- */

static uint64_t number_of(Dwarf_Die *die, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Word value;
    return dwarf_attr(die, attribute, &found) && dwarf_formudata(&found, &value) == 0 ? value : 0;
}

/* The member that holds the byte at `offset`, which becomes that inside of it. */
static bool find_member(Dwarf_Die *type, uint64_t *offset, Dwarf_Die *ret) {
    Dwarf_Die member;
    if (dwarf_child(type, &member) != 0)
        return false;
    do {
        Dwarf_Die inner;
        if (dwarf_tag(&member) != DW_TAG_member || !type_of(&member, &inner))
            continue;
        uint64_t at = number_of(&member, DW_AT_data_member_location), size = size_of(&inner);
        if (*offset < at || *offset - at >= size)
            continue;
        *offset -= at;
        *ret = member;
        return true;
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

/* How many elements the first dimension steps over; 0 if it has one. */
static uint64_t elements_below(Dwarf_Die *array) {
    Dwarf_Die range;
    uint64_t product = 1;
    bool is_first = true;
    if (dwarf_child(array, &range) != 0)
        return 1;
    do {
        uint64_t count = dwarf_hasattr(&range, DW_AT_count)
                             ? number_of(&range, DW_AT_count)
                             : number_of(&range, DW_AT_upper_bound) + 1;
        product *= is_first ? 1 : count;
        is_first = false;
    } while (dwarf_siblingof(&range, &range) == 0);
    return product;
}

static char *append(char *name, const char *part) {
    char *longer = mem_printf("%s%s", name, part);
    free(name);
    return longer;
}

static char *append_index(char *name, Dwarf_Die *array, Dwarf_Die *element, uint64_t *offset) {
    uint64_t size = size_of(element), row = elements_below(array);
    if (!size || !row)
        return name;
    uint64_t index = *offset / size;
    *offset %= size;
    char *part CLEANUP_FREE =
        row == 1 ? mem_printf("[%" PRIu64 "]", index)
                 : mem_printf("[%" PRIu64 "][%" PRIu64 "]", index / row, index % row);
    return append(name, part);
}

static char *name_part(char *name, Dwarf_Die type, uint64_t offset) {
    Dwarf_Die inner;
    for (;;)
        switch (dwarf_tag(&type)) {
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
            if (!find_member(&type, &offset, &inner) || !type_of(&inner, &type))
                return name;
            if (dwarf_diename(&inner)) { /* else its members are known without it */
                name = append(name, ".");
                name = append(name, dwarf_diename(&inner));
            }
            break;
        case DW_TAG_array_type:
            if (!type_of(&type, &inner))
                return name;
            name = append_index(name, &type, &inner, &offset);
            type = inner;
            break;
        default:
            return name;
        }
}

struct naming {
    uint64_t address;
    char *name;
};

static void name_if_there(const struct elf_symbol *symbol, void *data) {
    struct naming *naming = data;
    uint64_t offset = naming->address - symbol->address;
    if (naming->name || naming->address < symbol->address || offset >= symbol->size)
        return;
    naming->name =
        offset ? mem_printf("%s+%" PRIu64, symbol->name, offset) : mem_strdup(symbol->name);
}

static char *name_symbol(const struct variables *variables, uint64_t address) {
    struct naming naming = {address, NULL};
    symbols_each(variables->elf, STT_OBJECT, name_if_there, &naming);
    return naming.name;
}

char *variables_name(const struct variables *variables, uint64_t address) {
    for (size_t i = 0; i < variables->list.count; i++) {
        const struct variable *variable = &variables->list.data[i];
        Dwarf_Die die, type;
        if (address < variable->begin || address >= variable->end ||
            !dwarf_offdie(variables->dwarf, variable->die, &die) || !dwarf_diename(&die) ||
            !type_of(&die, &type))
            continue;
        return name_part(mem_strdup(dwarf_diename(&die)), type, address - variable->begin);
    }
    return name_symbol(variables, address);
}
