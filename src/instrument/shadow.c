/* How does a function leave its record?  See shadow.h. */
#include "instrument/shadow.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "format/shadow.h"
#include "instrument/variadic.h"
#include "program/canonical/rewrite.h"

struct shadow {
    struct variant *variant;
    LLVMValueRef function;
    LLVMValueRef end; /* of its record */
    uint64_t size;
    uint64_t rest_size; /* of what is behind `...` */
    LLVMValueRef rest;  /* a va_list for it */
};

/* The type of a struct that is passed in memory; NULL if it is not. */
static LLVMTypeRef by_value(LLVMValueRef function, unsigned i) {
    LLVMAttributeRef attribute =
        LLVMGetEnumAttributeAtIndex(function, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static uint64_t size_of(const struct shadow *shadow, unsigned i) {
    LLVMTypeRef memory = by_value(shadow->function, i);
    LLVMTypeRef type = memory ? memory : LLVMTypeOf(LLVMGetParam(shadow->function, i));
    return (LLVMABISizeOfType(shadow->variant->layout, type) + 7) & ~7ULL;
}

static uint64_t copied_size(const struct shadow_options *options) {
    uint64_t size = 0;
    for (size_t i = 0; i < options->copy_count; i++)
        size += sizeof(struct shadow_copy) + options->copies[i].size;
    return size;
}

static uint64_t record_size(const struct shadow *shadow, const struct shadow_options *options) {
    uint64_t size = sizeof(struct shadow_end) + copied_size(options) + shadow->rest_size;
    for (unsigned i = 0; i < LLVMCountParams(shadow->function); i++)
        size += size_of(shadow, i);
    return size;
}

/* The byte of the record at this offset. */
static LLVMValueRef at_offset(struct shadow *shadow, uint64_t offset) {
    LLVMValueRef index = LLVMConstInt(shadow->variant->i64, offset - shadow->size, true);
    LLVMTypeRef byte = LLVMInt8TypeInContext(shadow->variant->context);
    return LLVMBuildGEP2(shadow->variant->builder, byte, shadow->end, &index, 1, "");
}

static void put(struct shadow *shadow, uint64_t offset, LLVMValueRef value) {
    LLVMSetAlignment(LLVMBuildStore(shadow->variant->builder, value, at_offset(shadow, offset)), 1);
}

static void put_number(struct shadow *shadow, uint64_t offset, uint64_t number) {
    put(shadow, offset, LLVMConstInt(shadow->variant->i64, number, false));
}

/* Self may not be used before the check for a data stack (canonical/attach.c). */
static LLVMValueRef first_of_body(LLVMValueRef function) {
    LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(function);
    if (strcmp(LLVMGetBasicBlockName(block), "recut.entry") == 0) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
        LLVMBasicBlockRef left = LLVMGetSuccessor(branch, 0), right = LLVMGetSuccessor(branch, 1);
        block = strcmp(LLVMGetBasicBlockName(left), "recut.attach") == 0 ? right : left;
    }
    LLVMValueRef instruction = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(instruction) || LLVMIsAAllocaInst(instruction))
        instruction = LLVMGetNextInstruction(instruction);
    return instruction;
}

/* More of the machine stack, which nobody uses, for a record that would reach into the next: all of
 * it but the return address, since what is there for alignment may be what is given. */
static void make_room(struct shadow *shadow) {
    struct variant *variant = shadow->variant;
    static const char constraints[] = "r,~{dirflag},~{fpsr},~{flags}";
    uint64_t least = SHADOW_SCALE * SHADOW_FRAME_LEAST;
    if (shadow->size <= least)
        return;
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(shadow->function));
    LLVMPositionBuilderBefore(variant->builder, first);
    uint64_t frame = (shadow->size + SHADOW_SCALE - 1) / SHADOW_SCALE;
    LLVMTypeRef type =
        LLVMArrayType2(LLVMInt8TypeInContext(variant->context), frame - sizeof(uint64_t));
    LLVMValueRef room = LLVMBuildAlloca(variant->builder, type, "");
    LLVMTypeRef user =
        LLVMFunctionType(LLVMVoidTypeInContext(variant->context), &variant->ptr, 1, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(user, "", 0, constraints, sizeof constraints - 1, true,
                                            false, LLVMInlineAsmDialectATT, false);
    LLVMPositionBuilderBefore(variant->builder, first_of_body(shadow->function));
    LLVMBuildCall2(variant->builder, user, nothing, &room, 1, "");
}

static void make_rest(struct shadow *shadow) {
    if (!shadow->rest_size)
        return;
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(shadow->function));
    LLVMPositionBuilderBefore(shadow->variant->builder, first);
    shadow->rest = variadic_room(shadow->variant);
}

static LLVMValueRef return_slot(struct variant *variant) {
    static const char name[] = "llvm.addressofreturnaddress";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef intrinsic = LLVMGetIntrinsicDeclaration(variant->module, id, &variant->ptr, 1);
    LLVMTypeRef type = LLVMIntrinsicGetType(variant->context, id, &variant->ptr, 1);
    LLVMValueRef slot = LLVMBuildCall2(variant->builder, type, intrinsic, NULL, 0, "");
    return LLVMBuildPtrToInt(variant->builder, slot, variant->i64, "");
}

/* One address with a base and an index, in the machine's terms. */
static void find_end(struct shadow *shadow, LLVMValueRef slot) {
    struct variant *variant = shadow->variant;
    LLVMBuilderRef b = variant->builder;
    _Static_assert(SHADOW_SCALE == 4, "the size of an i32");
    LLVMValueRef mask = LLVMConstInt(variant->i64, SHADOW_WINDOW - 1, false);
    LLVMValueRef index = LLVMBuildAnd(b, slot, mask, "");
    LLVMValueRef base =
        LLVMBuildLoad2(b, variant->ptr, variant_self_field(variant, SELF_SHADOW), "");
    LLVMTypeRef scale = LLVMInt32TypeInContext(variant->context);
    shadow->end = LLVMBuildGEP2(b, scale, base, &index, 1, "shadow");
}

/* Arguments as they are: a number of any width, a pointer, a vector, a struct in memory. */
static void put_arguments(struct shadow *shadow) {
    struct variant *variant = shadow->variant;
    uint64_t offset = 0;
    for (unsigned i = 0; i < LLVMCountParams(shadow->function); i++) {
        LLVMValueRef value = LLVMGetParam(shadow->function, i);
        uint64_t size = size_of(shadow, i);
        LLVMTypeRef memory = by_value(shadow->function, i);
        if (memory) {
            LLVMValueRef bytes =
                LLVMConstInt(variant->i64, LLVMABISizeOfType(variant->layout, memory), false);
            LLVMBuildMemCpy(variant->builder, at_offset(shadow, offset), 8, value, 1, bytes);
        } else {
            if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
                LLVMGetIntTypeWidth(LLVMTypeOf(value)) < 64)
                value = LLVMBuildZExt(variant->builder, value, variant->i64, "");
            put(shadow, offset, value);
        }
        offset += size;
    }
    if (shadow->rest_size)
        variadic_put(variant, at_offset(shadow, offset), shadow->rest, shadow->rest_size);
}

/* Moves `range` bytes from behind a register to behind the head of a copy. */
static void write_moves(FILE *out, const struct shadow_range *range, const char *from) {
    uint32_t at = 0, head = sizeof(struct shadow_copy);
    for (; at + 16 <= range->size; at += 16)
        fprintf(out, "\tmovups %d(%s), %%xmm15\n\tmovups %%xmm15, %u($0)\n",
                range->offset + (int32_t)at, from, head + at);
    if (at < range->size)
        fprintf(out, "\tmovq %d(%s), %%r11\n\tmovq %%r11, %u($0)\n", range->offset + (int32_t)at,
                from, head + at);
    if (range->offset)
        fprintf(out, "\tleaq %d(%s), %%r11\n", range->offset, from);
    fprintf(out, "\tmovq %s, ($0)\n", range->offset ? "%r11" : from);
}

/* A field may hold a number as well, as those of unions do, and a fault costs as much as thousands
 * of calls: only what looks like an address of the program's memory is followed, where stacks and
 * heap are, or variables. */
static void write_check(FILE *out) {
    enum { windows = 40, image = 28 };
    _Static_assert(RECUT_ARGS_BASE == 1ULL << windows && RECUT_BRK_END < 8ULL << windows, "1 to 7");
    _Static_assert(RECUT_IMAGE_BASE == 1ULL << image, "1 to 3, for images of 768 MiB");
    fprintf(out,
            "\tmovq %%r10, %%r11\n\tshrq $$%d, %%r11\n\tdecq %%r11\n\tcmpq $$7, %%r11\n\tjb 3f\n"
            "\tmovq %%r10, %%r11\n\tshrq $$%d, %%r11\n\tdecq %%r11\n\tcmpq $$3, %%r11\n\tjae 2f\n"
            "3:\n",
            windows, image);
}

/* Assembly, since a pointer may lead anywhere: what is between the labels may fault.  The address
 * is written last. */
static void put_copy(struct shadow *shadow, const struct shadow_range *range, uint64_t offset) {
    static const char constraints[] =
        "r,r,~{xmm15},~{r10},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}";
    struct variant *variant = shadow->variant;
    bool is_behind = range->field != SHADOW_NO_FIELD;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "movq $$0, ($0)\n\tmovq $$%u, 8($0)\n\ttestq $1, $1\n\tje 2f\n1:\n", range->size);
    if (is_behind) {
        fprintf(out, "\tmovq %d($1), %%r10\n", range->field);
        write_check(out);
    }
    write_moves(out, range, is_behind ? "%r10" : "$1");
    fprintf(out, "2:\n\t.pushsection " VARIANT_FIXUPS ",\"aR\",@progbits\n"
                 "\t.quad 1b, 2b\n\t.popsection");
    fclose(out);
    LLVMTypeRef types[] = {variant->ptr, variant->ptr};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(variant->context), types, 2, false);
    LLVMValueRef code = LLVMGetInlineAsm(type, text, length, constraints, sizeof constraints - 1,
                                         true, false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef arguments[] = {at_offset(shadow, offset), range->base};
    LLVMBuildCall2(variant->builder, type, code, arguments, 2, "");
    free(text);
}

/* Of a variable, which is there for sure. */
static void put_variable(struct shadow *shadow, const struct shadow_range *range, uint64_t offset) {
    struct variant *variant = shadow->variant;
    LLVMTypeRef byte = LLVMInt8TypeInContext(variant->context);
    LLVMValueRef index = LLVMConstInt(variant->i64, (uint64_t)range->offset, false);
    LLVMValueRef from = LLVMConstGEP2(byte, range->base, &index, 1);
    LLVMValueRef size = LLVMConstInt(variant->i64, range->size, false);
    LLVMBuildMemCpy(variant->builder, at_offset(shadow, offset + sizeof(struct shadow_copy)), 1,
                    from, 1, size);
    put(shadow, offset + offsetof(struct shadow_copy, address), from);
    put(shadow, offset + offsetof(struct shadow_copy, size), size);
}

static void put_copies(struct shadow *shadow, const struct shadow_options *options,
                       uint64_t offset) {
    for (size_t i = 0; i < options->copy_count; i++) {
        const struct shadow_range *range = &options->copies[i];
        bool is_variable = LLVMIsAGlobalVariable(range->base);
        (is_variable ? put_variable : put_copy)(shadow, range, offset);
        offset += sizeof(struct shadow_copy) + options->copies[i].size;
    }
}

/* The runtime copies more than a record has room for. */
static void copy_roots(struct shadow *shadow, const struct shadow_options *options) {
    struct variant *variant = shadow->variant;
    LLVMTypeRef none = LLVMVoidTypeInContext(variant->context), i64 = variant->i64;
    LLVMTypeRef types[] = {variant->ptr, i64, i64, i64};
    LLVMTypeRef begin = LLVMFunctionType(none, types, 1, false);
    LLVMTypeRef add = LLVMFunctionType(none, types, 4, false);
    if (!options->root_count)
        return;
    LLVMBuildCall2(variant->builder, begin, variant_runtime(variant, "__recut_copies_begin", begin),
                   &shadow->end, 1, "");
    for (size_t i = 0; i < options->root_count; i++) {
        const struct shadow_root *root = &options->roots[i];
        LLVMValueRef arguments[] = {root->base, LLVMConstInt(i64, (uint64_t)root->field, true),
                                    LLVMConstInt(i64, root->size, false),
                                    LLVMConstInt(i64, root->depth, false)};
        LLVMBuildCall2(variant->builder, add, variant_runtime(variant, "__recut_copies_add", add),
                       arguments, 4, "");
    }
    LLVMTypeRef end = LLVMFunctionType(none, NULL, 0, false);
    LLVMBuildCall2(variant->builder, end, variant_runtime(variant, "__recut_copies_end", end), NULL,
                   0, "");
}

static void tell(struct shadow *shadow) {
    struct variant *variant = shadow->variant;
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(variant->context), &variant->ptr, 1, false);
    LLVMBuildCall2(variant->builder, type, variant_runtime(variant, "__recut_shadow_entered", type),
                   &shadow->end, 1, "");
}

bool shadow_add(struct variant *variant, LLVMValueRef function,
                const struct shadow_options *options) {
    struct shadow shadow = {.variant = variant, .function = function};
    shadow.rest_size = variadic_size(variant, function);
    shadow.size = record_size(&shadow, options);
    if (shadow.size > SHADOW_RECORD_MOST)
        return false;
    LLVMSetCurrentDebugLocation2(variant->builder, NULL);
    make_room(&shadow);
    make_rest(&shadow);
    LLVMPositionBuilderBefore(variant->builder, first_of_body(function));
    LLVMValueRef slot = return_slot(variant);
    find_end(&shadow, slot);
    put_arguments(&shadow);
    uint64_t end = shadow.size - sizeof(struct shadow_end), copied = copied_size(options);
    put_copies(&shadow, options, end - copied);
    put(&shadow, end + offsetof(struct shadow_end, slot), slot);
    put_number(&shadow, end + offsetof(struct shadow_end, function),
               options->number | shadow.size << 32 | copied << 48);
    copy_roots(&shadow, options);
    if (options->tells)
        tell(&shadow);
    return true;
}
