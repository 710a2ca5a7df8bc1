/* The symbols of a program, one by one. */
#ifndef RECUT_TRACE_SYMBOLS_H
#define RECUT_TRACE_SYMBOLS_H

#include <libelf.h>
#include <stdint.h>

struct elf_symbol {
    const char *name; /* lives as long as the file is open */
    uint64_t address, size;
};

/* Those that the program defines and that are of a type (STT_FUNC, STT_OBJECT). */
void symbols_each(Elf *elf, unsigned type, void (*f)(const struct elf_symbol *symbol, void *data),
                  void *data);

#endif
