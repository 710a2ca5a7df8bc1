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
    LLVMValueRef base, index; /* of the end of its record: base + SHADOW_SCALE * index */
    LLVMValueRef end;
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
    shadow->index = LLVMBuildAnd(b, slot, mask, "");
    shadow->base = LLVMBuildLoad2(b, variant->ptr, variant_self_field(variant, SELF_SHADOW), "");
    LLVMTypeRef scale = LLVMInt32TypeInContext(variant->context);
    shadow->end = LLVMBuildGEP2(b, scale, shadow->base, &shadow->index, 1, "shadow");
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

/* --- copies ------------------------------------------------------------------------------- */

/*
 * Assembly, since a pointer may lead anywhere: what is between the labels may fault.  That of all
 * copies from one argument is straight-line code; what happens seldom is elsewhere, and says that
 * there is no copy.
 *
 *         test argument; je none
 *     from0:  mov field, r10; is r10 an address? else other0
 *     good0:  mov (r10), record ...; address and size to the record
 *     done0:  ...
 *     done1:
 *                                    other0: is it that of a variable? then good0
 *                                    lost0:  0 to the address in the record; jmp done0
 *                                    none:   0 to all of them; jmp done1
 */
struct copies_text {
    struct shadow *shadow;
    FILE *code, *seldom;
};

/* A place in the record, as an operand. */
static void write_place(FILE *out, const struct shadow *shadow, uint64_t offset) {
    _Static_assert(SHADOW_SCALE == 4, "as written here");
    fprintf(out, "%lld($0,$1,4)", (long long)(offset - shadow->size));
}

static void write_label(FILE *out, const char *kind, size_t number) {
    fprintf(out, ".Lrecut_%s${:uid}_%zu", kind, number);
}

static void write_jump(FILE *out, const char *jump, const char *kind, size_t number) {
    fprintf(out, "\t%s ", jump);
    write_label(out, kind, number);
    fprintf(out, "\n");
}

static void write_mark(FILE *out, const char *kind, size_t number) {
    write_label(out, kind, number);
    fprintf(out, ":\n");
}

/* Of what is copied, in whole words, what is to be put back. */
static uint32_t own_size(const struct shadow_range *range) {
    int32_t own = range->limit - range->offset;
    return (uint32_t)own < range->size ? (uint32_t)own : range->size;
}

/* Moves the bytes from behind a register to behind the head of the copy at `offset`. */
static void write_moves(struct copies_text *text, const struct shadow_range *range,
                        const char *from, uint64_t offset) {
    uint64_t to = offset + sizeof(struct shadow_copy);
    FILE *out = text->code;
    for (uint32_t at = 0; at < range->size;) {
        bool is_wide = at + 16 <= range->size;
        fprintf(out,
                is_wide ? "\tmovups %d(%s), %%xmm15\n\tmovups %%xmm15, "
                        : "\tmovq %d(%s), %%r11\n\tmovq %%r11, ",
                range->offset + (int32_t)at, from);
        write_place(out, text->shadow, to + at);
        fprintf(out, "\n");
        at += is_wide ? 16 : 8;
    }
    if (range->offset)
        fprintf(out, "\tleaq %d(%s), %%r11\n", range->offset, from);
    fprintf(out, "\tmovq %s, ", range->offset ? "%r11" : from);
    write_place(out, text->shadow, offset + offsetof(struct shadow_copy, address));
    fprintf(out, "\n\tmovq $$%u, ", own_size(range));
    write_place(out, text->shadow, offset + offsetof(struct shadow_copy, size));
    fprintf(out, "\n");
}

/* A field may hold a number as well, as those of unions do, and a fault costs as much as thousands
 * of calls: only what looks like an address of the program's memory is followed, where stacks and
 * heap are, or variables. */
static void write_check(struct copies_text *text, size_t number) {
    enum { windows = 40, image = 28 };
    _Static_assert(RECUT_ARGS_BASE == 1ULL << windows && RECUT_BRK_END < 8ULL << windows, "1 to 7");
    _Static_assert(RECUT_IMAGE_BASE == 1ULL << image, "1 to 3, for images of 768 MiB");
    static const char within[] =
        "\tmovq %%r10, %%r11\n\tshrq $$%d, %%r11\n\tdecq %%r11\n\tcmpq $$%d, %%r11\n";
    fprintf(text->code, within, windows, 7);
    write_jump(text->code, "jae", "other", number);
    write_mark(text->code, "good", number);
    write_mark(text->seldom, "other", number);
    fprintf(text->seldom, within, image, 3);
    write_jump(text->seldom, "jb", "good", number);
}

static void write_no_address(struct copies_text *text, uint64_t offset) {
    fprintf(text->seldom, "\tmovq $$0, ");
    write_place(text->seldom, text->shadow, offset + offsetof(struct shadow_copy, address));
    fprintf(text->seldom, "\n");
}

static void write_copy(struct copies_text *text, const struct shadow_range *range, size_t number,
                       uint64_t offset) {
    bool is_behind = range->field != SHADOW_NO_FIELD;
    write_mark(text->code, "from", number);
    if (is_behind) {
        fprintf(text->code, "\tmovq %d($2), %%r10\n", range->field);
        write_check(text, number);
    }
    write_moves(text, range, is_behind ? "%r10" : "$2", offset);
    write_mark(text->code, "done", number);
    write_mark(text->seldom, "lost", number);
    write_no_address(text, offset);
    write_jump(text->seldom, "jmp", "done", number);
    fprintf(text->seldom, "\t.pushsection " VARIANT_FIXUPS ",\"aR\",@progbits\n\t.quad ");
    write_label(text->seldom, "from", number);
    fprintf(text->seldom, ", ");
    write_label(text->seldom, "done", number);
    fprintf(text->seldom, ", ");
    write_label(text->seldom, "lost", number);
    fprintf(text->seldom, "\n\t.popsection\n");
}

/* Where the copies begin in the record. */
static uint64_t first_copy(const struct shadow *shadow, const struct shadow_options *options) {
    return shadow->size - sizeof(struct shadow_end) - copied_size(options);
}

/* What is done with each copy from one argument. */
#define EACH_COPY(i, offset, base_, shadow, options)                                               \
    for (uint64_t i = 0, offset = first_copy(shadow, options); i < (options)->copy_count;          \
         offset += sizeof(struct shadow_copy) + (options)->copies[i].size, i++)                    \
        if ((options)->copies[i].base == (base_))

static void put_copies_from(struct shadow *shadow, const struct shadow_options *options,
                            LLVMValueRef base) {
    static const char constraints[] =
        "r,r,r,~{xmm15},~{r10},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}";
    struct variant *variant = shadow->variant;
    char *code = NULL, *seldom = NULL;
    size_t code_length, seldom_length, last = 0;
    struct copies_text text = {shadow, open_memstream(&code, &code_length),
                               open_memstream(&seldom, &seldom_length)};
    fprintf(text.code, "testq $2, $2\n");
    write_jump(text.code, "je", "none", 0);
    fprintf(text.seldom, "\t.pushsection .text.unlikely,\"ax\",@progbits\n");
    EACH_COPY(i, offset, base, shadow, options) {
        write_copy(&text, &options->copies[i], i, offset);
        last = i;
    }
    write_mark(text.seldom, "none", 0);
    EACH_COPY(i, offset, base, shadow, options)
    write_no_address(&text, offset);
    write_jump(text.seldom, "jmp", "done", last);
    fprintf(text.seldom, "\t.popsection");
    fclose(text.seldom);
    fputs(seldom, text.code);
    fclose(text.code);
    LLVMTypeRef types[] = {variant->ptr, variant->i64, variant->ptr};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(variant->context), types, 3, false);
    LLVMValueRef assembly =
        LLVMGetInlineAsm(type, code, code_length, constraints, sizeof constraints - 1, true, false,
                         LLVMInlineAsmDialectATT, false);
    LLVMValueRef arguments[] = {shadow->base, shadow->index, base};
    LLVMBuildCall2(variant->builder, type, assembly, arguments, 3, "");
    free(code);
    free(seldom);
}

/* Of a variable, which is there for sure. */
static void put_variable(struct shadow *shadow, const struct shadow_range *range, uint64_t offset) {
    struct variant *variant = shadow->variant;
    LLVMTypeRef byte = LLVMInt8TypeInContext(variant->context);
    LLVMValueRef index = LLVMConstInt(variant->i64, (uint64_t)range->offset, false);
    LLVMValueRef from = LLVMConstGEP2(byte, range->base, &index, 1);
    LLVMValueRef size = LLVMConstInt(variant->i64, own_size(range), false);
    LLVMBuildMemCpy(variant->builder, at_offset(shadow, offset + sizeof(struct shadow_copy)), 1,
                    from, 1, size);
    put(shadow, offset + offsetof(struct shadow_copy, address), from);
    put(shadow, offset + offsetof(struct shadow_copy, size), size);
}

static void put_copies(struct shadow *shadow, const struct shadow_options *options) {
    uint64_t offset = first_copy(shadow, options);
    for (size_t i = 0; i < options->copy_count; i++) {
        const struct shadow_range *range = &options->copies[i];
        bool is_first = true;
        for (size_t k = 0; k < i; k++)
            is_first &= options->copies[k].base != range->base;
        if (LLVMIsAGlobalVariable(range->base))
            put_variable(shadow, range, offset);
        else if (is_first)
            put_copies_from(shadow, options, range->base);
        offset += sizeof(struct shadow_copy) + range->size;
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
    put_copies(&shadow, options);
    put(&shadow, end + offsetof(struct shadow_end, slot), slot);
    put_number(&shadow, end + offsetof(struct shadow_end, function),
               options->number | shadow.size << 32 | copied << 48);
    copy_roots(&shadow, options);
    if (options->tells)
        tell(&shadow);
    return true;
}
