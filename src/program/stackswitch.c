/*
 * Hand-written switches of stacks; see stackswitch.h.
 *
 * Inline assembly has no other reason to load the stack pointer.  Whole
 * functions in assembly do, when they return it to what it was; there a switch
 * is what loads it from an argument.  Objects of compilers are recognised by
 * their .comment section, which assemblers do not write.
 */
#include "program/stackswitch.h"

#include <gelf.h>
#include <libelf.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/io.h"
#include "base/mem.h"

/* The operand that an instruction writes, if it is one that can load the stack
 * pointer; in AT&T syntax that is the last. */
static char *written_operand(char *code) {
    static const char *const movers[] = {"mov", "xchg", "lea", "pop"};
    for (size_t i = 0; i < sizeof movers / sizeof *movers; i++) {
        if (strncmp(code, movers[i], strlen(movers[i])) != 0)
            continue;
        char *last = strrchr(code, ',');
        return last && strcmp(movers[i], "xchg") != 0 ? last : strpbrk(code, " \t");
    }
    return NULL;
}

static bool writes_stack_pointer(char *code) {
    const char *operand = written_operand(code);
    const char *sp = operand ? strstr(operand, "rsp") : NULL;
    return sp && !strchr(sp, ')');
}

bool assembly_switches_stacks(const char *text) {
    char line[256];
    while (*text) {
        size_t length = strcspn(text, "\n;");
        snprintf(line, sizeof line, "%.*s", (int)(length < 255 ? length : 255), text);
        text += length + (text[length] != '\0');
        char *comment = strchr(line, '#');
        if (comment)
            *comment = '\0';
        if (writes_stack_pointer(line + strspn(line, " \t")))
            return true;
    }
    return false;
}

static bool loads_from_argument(char *code) {
    static const char *const arguments[] = {"%rdi", "%rsi", "%rdx", "%rcx", "%r8", "%r9"};
    if (strncmp(code, "lea", 3) == 0 || !writes_stack_pointer(code))
        return false;
    if (strncmp(code, "pop", 3) == 0)
        return true;
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        if (strstr(code, arguments[i]))
            return true;
    return false;
}

static bool code_switches_stacks(const uint8_t *code, size_t size) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    LLVMDisasmContextRef disassembler = LLVMCreateDisasm("x86_64-linux-gnu", NULL, 0, NULL, NULL);
    bool found = false;
    while (disassembler && size && !found) {
        char text[128];
        size_t used =
            LLVMDisasmInstruction(disassembler, (uint8_t *)code, size, 0, text, sizeof text);
        if (used == 0) /* data between functions */
            used = 1;
        else
            found = loads_from_argument(text + strspn(text, " \t"));
        code += used;
        size -= used;
    }
    if (disassembler)
        LLVMDisasmDispose(disassembler);
    return found;
}

static bool elf_switches_stacks(Elf *elf) {
    size_t names;
    bool found = false;
    if (elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names) != 0)
        return false;
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header))
            continue;
        const char *name = elf_strptr(elf, names, header.sh_name);
        if (name && strcmp(name, ".comment") == 0)
            return false;
        Elf_Data *data = header.sh_flags & SHF_EXECINSTR ? elf_rawdata(section, NULL) : NULL;
        if (data && data->d_buf)
            found |= code_switches_stacks(data->d_buf, data->d_size);
    }
    return found;
}

bool object_switches_stacks(const char *path) {
    char *data CLEANUP_FREE = NULL;
    size_t size;
    struct error *err CLEANUP_ERROR = io_read_file(path, &data, &size);
    if (err)
        return false;
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory(data, size);
    bool found = elf && elf_switches_stacks(elf);
    elf_end(elf);
    return found;
}
