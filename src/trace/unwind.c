/*
 * How did the program come to the place of a crash?  See unwind.h.
 *
 * libdw gives, for a place, the rules of .eh_frame by which the caller's
 * registers are found; the rules are expressions, of which those that compilers
 * and linkers write are evaluated here.  Memory is the recorded stack alone.
 */
#include "trace/unwind.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "format/layout.h"
#include "trace/directory.h"

/* Registers by DWARF's numbers. */
enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, RIP = 16, REGISTER_COUNT };
enum { MOST_MODULES = 32, MOST_OPERANDS = 16 };

struct module {
    uint64_t begin, end; /* addresses it is used for */
    uint64_t bias;
    int fd;
    Elf *elf;
    Dwarf_CFI *cfi;
};

struct unwinder {
    const struct unwind_files *files;
    const struct trace_event *event;
    uint64_t registers[REGISTER_COUNT];
    struct module modules[MOST_MODULES];
    size_t module_count;
};

/* --- files ------------------------------------------------------------------------- */

static bool open_module(struct module *module, const char *path) {
    struct stat st;
    elf_version(EV_CURRENT);
    module->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (module->fd >= 0 && fstat(module->fd, &st) == 0 && S_ISREG(st.st_mode))
        module->elf = elf_begin(module->fd, ELF_C_READ_MMAP, NULL);
    if (module->elf)
        module->cfi = dwarf_getcfi_elf(module->elf);
    return module->cfi != NULL;
}

static void close_module(struct module *module) {
    if (module->cfi)
        dwarf_cfi_end(module->cfi);
    elf_end(module->elf);
    if (module->fd >= 0)
        close(module->fd);
}

/* One line of /proc/self/maps; false if it is not one, or has no file. */
static bool parse_mapping(const char *line, uint64_t *begin, uint64_t *end, uint64_t *offset,
                          const char **path) {
    int length = 0;
    unsigned long long from, to, at;
    if (sscanf(line, "%llx-%llx %*4s %llx %*s %*s %n", &from, &to, &at, &length) != 3 || !length)
        return false;
    *begin = from, *end = to, *offset = at, *path = line + length;
    return **path == '/';
}

/* The file that is mapped at an address, and where its beginning is. */
static char *find_mapping(const struct unwinder *unwinder, uint64_t address,
                          struct module *module) {
    struct bytes text = unwinder->event->crash.mappings;
    char *all CLEANUP_FREE = mem_strndup(text.size ? (const char *)text.data : "", text.size);
    char *found = NULL, *rest = all, *line;
    uint64_t begin, end, offset;
    const char *path;
    while (!found && (line = strsep(&rest, "\n")))
        if (parse_mapping(line, &begin, &end, &offset, &path) && address >= begin && address < end)
            found = mem_strdup(path);
    if (!found)
        return NULL;
    module->begin = begin;
    module->end = end;
    module->bias = begin - offset;
    return found;
}

static bool open_mapped(const struct unwinder *unwinder, uint64_t address, struct module *module) {
    char *path CLEANUP_FREE = find_mapping(unwinder, address, module);
    if (!path)
        return false;
    if (unwinder->files->directory) {
        char *name CLEANUP_FREE = mem_printf("%s%s", TRACE_LIBRARY_NAME, strrchr(path, '/'));
        char *packed CLEANUP_FREE = trace_file(unwinder->files->directory, name);
        if (access(packed, F_OK) == 0)
            return open_module(module, packed);
    }
    return open_module(module, path);
}

/* Where its first segment lies. */
static uint64_t first_of(const struct module *module) {
    size_t count;
    GElf_Phdr segment;
    if (!module->elf || elf_getphdrnum(module->elf, &count) != 0)
        return RECUT_VARIANT_END;
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(module->elf, (int)i, &segment) && segment.p_type == PT_LOAD)
            return segment.p_vaddr;
    return RECUT_VARIANT_END;
}

/* One image, and perhaps another that lies behind it. */
static bool open_variant(struct unwinder *unwinder, uint64_t address, struct module *module) {
    const struct unwind_files *files = unwinder->files;
    struct module over = {.fd = -1, .end = RECUT_VARIANT_END};
    bool is_known = files->over && open_module(&over, files->over);
    over.begin = is_known ? first_of(&over) : RECUT_VARIANT_END;
    if (address >= over.begin) {
        *module = over;
        return true;
    }
    close_module(&over);
    char *path CLEANUP_FREE =
        files->image ? mem_strdup(files->image)
                     : trace_file(files->directory ? files->directory : "", TRACE_VARIANT_NAME);
    module->begin = RECUT_VARIANT_BASE;
    module->end = over.begin;
    return open_module(module, path);
}

static const struct module *find_module(struct unwinder *unwinder, uint64_t address) {
    for (size_t i = 0; i < unwinder->module_count; i++) {
        const struct module *module = &unwinder->modules[i];
        if (address >= module->begin && address < module->end)
            return module->cfi ? module : NULL;
    }
    if (unwinder->module_count == MOST_MODULES)
        return NULL;
    struct module module = {.fd = -1};
    bool is_known;
    if (address >= RECUT_IMAGE_BASE && address < RECUT_ARGS_BASE) {
        module.begin = RECUT_IMAGE_BASE;
        module.end = RECUT_ARGS_BASE;
        is_known = open_module(&module, unwinder->files->program);
    } else if (address >= RECUT_VARIANT_BASE && address < RECUT_VARIANT_END) {
        is_known = open_variant(unwinder, address, &module);
    } else {
        is_known = open_mapped(unwinder, address, &module);
    }
    if (module.begin == module.end)
        return NULL;
    unwinder->modules[unwinder->module_count++] = module;
    return is_known ? &unwinder->modules[unwinder->module_count - 1] : NULL;
}

/* --- expressions ------------------------------------------------------------------- */

static bool load(const struct unwinder *unwinder, uint64_t address, uint64_t *ret) {
    struct bytes stack = unwinder->event->crash.stack;
    uint64_t offset = address - unwinder->event->crash.state.sp;
    if (stack.size < sizeof *ret || offset > stack.size - sizeof *ret)
        return false;
    memcpy(ret, stack.data + offset, sizeof *ret);
    return true;
}

struct stack {
    uint64_t values[MOST_OPERANDS];
    unsigned count;
};

static bool push(struct stack *stack, uint64_t value) {
    if (stack->count == MOST_OPERANDS)
        return false;
    stack->values[stack->count++] = value;
    return true;
}

static bool binary(struct stack *stack, unsigned atom) {
    if (stack->count < 2)
        return false;
    uint64_t b = stack->values[--stack->count], *a = &stack->values[stack->count - 1];
    switch (atom) {
    case DW_OP_plus:
        *a += b;
        return true;
    case DW_OP_minus:
        *a -= b;
        return true;
    case DW_OP_and:
        *a &= b;
        return true;
    case DW_OP_shl:
        *a = b < 64 ? *a << b : 0;
        return true;
    case DW_OP_ge:
        *a = (int64_t)*a >= (int64_t)b;
        return true;
    default:
        return false;
    }
}

static bool step(const struct unwinder *unwinder, const Dwarf_Op *op, uint64_t cfa,
                 struct stack *stack) {
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg16)
        return push(stack, unwinder->registers[op->atom - DW_OP_breg0] + op->number);
    if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
        return push(stack, op->atom - DW_OP_lit0);
    switch (op->atom) {
    case DW_OP_bregx:
        return op->number < REGISTER_COUNT &&
               push(stack, unwinder->registers[op->number] + op->number2);
    case DW_OP_call_frame_cfa:
        return push(stack, cfa);
    case DW_OP_constu:
    case DW_OP_consts:
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
        return push(stack, op->number);
    case DW_OP_plus_uconst:
        if (!stack->count)
            return false;
        stack->values[stack->count - 1] += op->number;
        return true;
    case DW_OP_deref:
        return stack->count &&
               load(unwinder, stack->values[stack->count - 1], &stack->values[stack->count - 1]);
    default:
        return binary(stack, op->atom);
    }
}

/* *ret_is_value: it is the value, else the address of it. */
static bool evaluate(const struct unwinder *unwinder, const Dwarf_Op *ops, size_t count,
                     uint64_t cfa, uint64_t *ret, bool *ret_is_value) {
    struct stack stack = {.count = 0};
    *ret_is_value = count && ops[count - 1].atom == DW_OP_stack_value;
    count -= *ret_is_value;
    for (size_t i = 0; i < count; i++)
        if (!step(unwinder, &ops[i], cfa, &stack))
            return false;
    if (!stack.count)
        return false;
    *ret = stack.values[stack.count - 1];
    return true;
}

/* --- frames ------------------------------------------------------------------------ */

/* A register of the caller; one that the rules leave open keeps its value. */
static bool restore(const struct unwinder *unwinder, Dwarf_Frame *frame, int number, uint64_t cfa,
                    uint64_t *ret) {
    Dwarf_Op memory[3], *ops;
    size_t count;
    bool is_value;
    uint64_t value;
    if (dwarf_frame_register(frame, number, memory, &ops, &count) != 0)
        return false;
    if (count == 0)
        return ops == NULL && number != RIP;
    if (count == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg16) {
        *ret = unwinder->registers[ops[0].atom - DW_OP_reg0];
        return true;
    }
    if (!evaluate(unwinder, ops, count, cfa, &value, &is_value))
        return false;
    if (is_value)
        *ret = value;
    return is_value || load(unwinder, value, ret);
}

static bool apply_rules(struct unwinder *unwinder, Dwarf_Frame *frame) {
    static const int kept[] = {RBX, RBP, 12, 13, 14, 15};
    Dwarf_Op *ops;
    size_t count;
    uint64_t cfa, caller[REGISTER_COUNT];
    bool is_value;
    if (dwarf_frame_cfa(frame, &ops, &count) != 0 ||
        !evaluate(unwinder, ops, count, 0, &cfa, &is_value))
        return false;
    /* Stacks grow down: a caller's frame lies higher, and the walk ends. */
    if (cfa <= unwinder->registers[RSP])
        return false;
    memcpy(caller, unwinder->registers, sizeof caller);
    if (!restore(unwinder, frame, RIP, cfa, &caller[RIP]))
        return false;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        restore(unwinder, frame, kept[i], cfa, &caller[kept[i]]);
    caller[RSP] = cfa;
    memcpy(unwinder->registers, caller, sizeof caller);
    return true;
}

/* --- from nowhere ------------------------------------------------------------------ */

/* The bytes of a module's file before an address; false if it has none there. */
static bool code_before(const struct module *module, uint64_t address, uint8_t *ret, size_t size) {
    size_t headers, file_size;
    const char *file = elf_rawfile(module->elf, &file_size);
    uint64_t at = address - module->bias - size;
    if (!file || elf_getphdrnum(module->elf, &headers) != 0)
        return false;
    for (size_t i = 0; i < headers; i++) {
        GElf_Phdr one;
        if (gelf_getphdr(module->elf, (int)i, &one) && one.p_type == PT_LOAD &&
            one.p_flags & PF_X && at >= one.p_vaddr && at - one.p_vaddr + size <= one.p_filesz &&
            one.p_offset + one.p_filesz <= file_size) {
            memcpy(ret, file + one.p_offset + (at - one.p_vaddr), size);
            return true;
        }
    }
    return false;
}

/* Does a call end there?  *ret_callee: the address that it calls, 0 if it goes by a pointer. */
static bool is_behind_call(struct unwinder *unwinder, uint64_t address, uint64_t *ret_callee) {
    enum { longest = 7 };
    uint8_t code[longest];
    const struct module *module = address >= RECUT_VARIANT_BASE && address < RECUT_ARGS_BASE
                                      ? find_module(unwinder, address - 1)
                                      : NULL;
    *ret_callee = 0;
    if (!module || !code_before(module, address, code, sizeof code))
        return false;
    if (code[longest - 5] == 0xe8) {
        int32_t distance;
        memcpy(&distance, &code[longest - 4], sizeof distance);
        *ret_callee = address + (uint64_t)(int64_t)distance;
        return true;
    }
    for (unsigned size = 2; size <= longest; size++) /* ff /2 */
        if (code[longest - size] == 0xff && (code[longest - size + 1] >> 3 & 7) == 2)
            return true;
    return false;
}

/* To the caller, by the rules for a place that is no first one. */
static bool leave_known(struct unwinder *unwinder) {
    uint64_t pc = unwinder->registers[RIP] - 1;
    const struct module *module = find_module(unwinder, pc);
    Dwarf_Frame *frame;
    if (!module || dwarf_cfi_addrframe(module->cfi, pc - module->bias, &frame) != 0)
        return false;
    bool is_done = apply_rules(unwinder, frame);
    free(frame);
    return is_done;
}

/* Words that earlier calls left behind look like return addresses, too: a real one leads from call
 * to call up to where the program began. */
static bool leads_up(struct unwinder *unwinder) {
    uint64_t registers[REGISTER_COUNT], callee;
    bool is_good = true;
    memcpy(registers, unwinder->registers, sizeof registers);
    for (unsigned i = 0; i < UNWIND_MOST && is_good; i++) {
        is_good = leave_known(unwinder);
        uint64_t pc = unwinder->registers[RIP];
        if (is_good && pc >= RECUT_ARGS_BASE && find_module(unwinder, pc - 1))
            break; /* libc, which called main */
        is_good = is_good && is_behind_call(unwinder, pc, &callee);
    }
    memcpy(unwinder->registers, registers, sizeof registers);
    return is_good;
}

/* A call through a bad pointer has done nothing but to push where it came from.  A jump there, of a
 * table of labels, has not even done that: then the function that jumped is the one that the next
 * call up the stack called, if that can be told. */
static bool leave_nowhere(struct unwinder *unwinder, struct unwind_frame *ret_jumped) {
    enum { most_words = 4096 };
    uint64_t from, callee, sp = unwinder->registers[RSP];
    for (unsigned i = 0; i < most_words && load(unwinder, sp + 8 * i, &from); i++) {
        if (!is_behind_call(unwinder, from, &callee))
            continue;
        unwinder->registers[RIP] = from;
        unwinder->registers[RSP] = sp + 8 * (i + 1);
        if (!leads_up(unwinder))
            continue;
        if (i && callee)
            *ret_jumped = (struct unwind_frame){callee + 1, sp + 8 * i};
        return true;
    }
    return false;
}

static bool leave_frame(struct unwinder *unwinder, bool is_first, struct unwind_frame *ret_jumped) {
    /* A return address may be that of the next function. */
    uint64_t pc = unwinder->registers[RIP] - !is_first;
    const struct module *module = find_module(unwinder, pc);
    Dwarf_Frame *frame;
    if (!module || dwarf_cfi_addrframe(module->cfi, pc - module->bias, &frame) != 0)
        return is_first && leave_nowhere(unwinder, ret_jumped);
    bool is_done = apply_rules(unwinder, frame);
    free(frame);
    return is_done && unwinder->registers[RIP] != 0;
}

static struct unwinder *begin(const struct unwind_files *files, const struct trace_event *event) {
    /* In the order of struct crash_event. */
    static const int order[16] = {RAX, RBX, RCX, RDX, RSI, RDI, RBP, RSP,
                                  R8,  9,   10,  11,  12,  13,  14,  15};
    const struct crash_event *crash = &event->crash.state;
    struct unwinder *unwinder = mem_zalloc(1, sizeof *unwinder);
    unwinder->files = files;
    unwinder->event = event;
    for (size_t i = 0; i < 16; i++)
        unwinder->registers[order[i]] = crash->registers[i];
    unwinder->registers[RSP] = crash->sp;
    unwinder->registers[RIP] = crash->pc;
    return unwinder;
}

static void end(struct unwinder *unwinder) {
    for (size_t i = 0; i < unwinder->module_count; i++)
        close_module(&unwinder->modules[i]);
    free(unwinder);
}

/* Up to two frames: a jump to nowhere shows the one that jumped, too.  Returns how many; `is_left`
 * says whether there are more. */
static size_t next_frames(struct unwinder *unwinder, bool is_first, struct unwind_frame ret[2],
                          bool *is_left) {
    ret[1] = (struct unwind_frame){0};
    ret[0].address = unwinder->registers[RIP];
    *is_left = leave_frame(unwinder, is_first, &ret[1]);
    ret[0].slot = *is_left && !ret[1].slot ? unwinder->registers[RSP] - 8 : 0;
    return ret[1].slot ? 2 : 1;
}

size_t unwind_crash(const struct unwind_files *files, const struct trace_event *event,
                    struct unwind_frame ret[UNWIND_MOST]) {
    struct unwinder *unwinder = begin(files, event);
    size_t count = 0;
    for (bool is_left = true; is_left && count < UNWIND_MOST;) {
        struct unwind_frame frames[2];
        size_t got = next_frames(unwinder, count == 0, frames, &is_left);
        for (size_t i = 0; i < got && count < UNWIND_MOST; i++)
            ret[count++] = frames[i];
    }
    end(unwinder);
    return count;
}

size_t unwind_ends(const struct unwind_files *files, const struct trace_event *event, uint64_t skip,
                   struct unwind_frame ret[UNWIND_MOST], uint64_t *ret_left_out) {
    enum { half = UNWIND_MOST / 2, most = 1 << 23 };
    struct unwinder *unwinder = begin(files, event);
    struct unwind_frame outer[half]; /* a ring */
    size_t count = 0;
    uint64_t seen = 0;
    for (bool is_left = true; is_left && seen < most;) {
        struct unwind_frame frames[2];
        size_t got = next_frames(unwinder, seen == 0, frames, &is_left);
        for (size_t i = 0; i < got; i++) {
            if (seen++ < skip)
                continue;
            *(count < half ? &ret[count] : &outer[count % half]) = frames[i];
            count++;
        }
    }
    end(unwinder);
    size_t kept = count < UNWIND_MOST ? count : UNWIND_MOST;
    for (size_t i = half; i < kept; i++)
        ret[i] = outer[(count - kept + i) % half];
    *ret_left_out = count - kept;
    return kept;
}
