/*
 * How does a function copy what it is given?  See shadow.h.
 *
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
 *
 * A copy with places of its own is made there.  When the function begins its size has
 * SHADOW_NOT_YET, and where it may be there already, code before from0 asks for that.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "format/layout.h"
#include "format/shadow.h"
#include "instrument/shadow_impl.h"

uint64_t shadow_copied_size(const struct shadow_options *options) {
    uint64_t size = 0;
    for (size_t i = 0; i < options->copy_count; i++)
        size += sizeof(struct shadow_copy) + options->copies[i].size;
    return size;
}

struct copies_text {
    FILE *code, *seldom;
};

/* A place in the record, as an operand. */
static void write_place(FILE *out, uint64_t offset) {
    fprintf(out, "%llu($0)", (unsigned long long)offset);
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
        write_place(out, to + at);
        fprintf(out, "\n");
        at += is_wide ? 16 : 8;
    }
    if (range->offset)
        fprintf(out, "\tleaq %d(%s), %%r11\n", range->offset, from);
    fprintf(out, "\tmovq %s, ", range->offset ? "%r11" : from);
    write_place(out, offset + offsetof(struct shadow_copy, address));
    fprintf(out, "\n\tmovq $$%u, ", own_size(range));
    write_place(out, offset + offsetof(struct shadow_copy, size));
    fprintf(out, "\n");
}

/* A field may hold a number as well, as those of unions do, and a fault costs as much as thousands
 * of calls: only what looks like an address of the program's memory is followed, where stacks and
 * heap are, or variables.  The uppermost byte is not asked for. */
static void write_check(struct copies_text *text, int32_t field, size_t number) {
    enum { windows = 40, image = 28 };
    _Static_assert(RECUT_ARGS_BASE == 1ULL << windows && RECUT_BRK_END < 8ULL << windows, "1 to 7");
    _Static_assert(RECUT_IMAGE_BASE == 1ULL << image, "1 to 3, for images of 768 MiB");
    fprintf(text->code, "\tmovzwl %d($1), %%r11d\n\tdecl %%r11d\n\tcmpl $$7, %%r11d\n",
            field + windows / 8);
    write_jump(text->code, "jae", "other", number);
    write_mark(text->code, "good", number);
    write_mark(text->seldom, "other", number);
    fprintf(text->seldom,
            "\tmovq %%r10, %%r11\n\tshrq $$%d, %%r11\n\tdecq %%r11\n\tcmpq $$3, %%r11\n", image);
    write_jump(text->seldom, "jb", "good", number);
}

/* There is no copy, and will be none. */
static void write_no_address(struct copies_text *text, const struct shadow_range *range,
                             uint64_t offset) {
    fprintf(text->seldom, "\tmovq $$0, ");
    write_place(text->seldom, offset + offsetof(struct shadow_copy, address));
    fprintf(text->seldom, "\n");
    if (range->place_count) {
        fprintf(text->seldom, "\tmovq $$%u, ", own_size(range));
        write_place(text->seldom, offset + offsetof(struct shadow_copy, size));
        fprintf(text->seldom, "\n");
    }
}

/* On, if the copy is there already. */
static void write_question(struct copies_text *text, size_t number, uint64_t offset) {
    fprintf(text->code, "\ttestl $$%llu, ", SHADOW_NOT_YET);
    write_place(text->code, offset + offsetof(struct shadow_copy, size));
    fprintf(text->code, "\n");
    write_jump(text->code, "je", "done", number);
}

static void write_copy(struct copies_text *text, const struct shadow_range *range, size_t number,
                       uint64_t offset, bool is_repeated) {
    bool is_behind = range->field != SHADOW_NO_FIELD;
    if (is_repeated)
        write_question(text, number, offset);
    write_mark(text->code, "from", number);
    if (is_behind) {
        fprintf(text->code, "\tmovq %d($1), %%r10\n", range->field);
        write_check(text, range->field, number);
    }
    write_moves(text, range, is_behind ? "%r10" : "$1", offset);
    write_mark(text->code, "done", number);
    write_mark(text->seldom, "lost", number);
    write_no_address(text, range, offset);
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
    return shadow->size - (options->tells ? sizeof(uint64_t) : 0) - shadow_copied_size(options);
}

/* The place of a copy in this block; NULL if it has none there. */
static const struct shadow_place *place_in(const struct shadow_options *options,
                                           const struct shadow_range *range,
                                           LLVMBasicBlockRef block) {
    for (size_t i = 0; i < range->place_count; i++)
        if (options->places[range->first_place + i].block == block)
            return &options->places[range->first_place + i];
    return NULL;
}

/* Is it made in this block?  NULL: when the function begins. */
static bool is_made_in(const struct shadow_options *options, const struct shadow_range *range,
                       LLVMBasicBlockRef block) {
    return block ? place_in(options, range, block) != NULL : !range->place_count;
}

/* What is done with each copy from one base, of those that are made in this block. */
#define EACH_COPY(i, offset, base_, block, shadow, options)                                        \
    for (uint64_t i = 0, offset = first_copy(shadow, options); i < (options)->copy_count;          \
         offset += sizeof(struct shadow_copy) + (options)->copies[i].size, i++)                    \
        if ((options)->copies[i].base == (base_) &&                                                \
            is_made_in(options, &(options)->copies[i], block))

static void add_assembly(struct shadow *shadow, LLVMValueRef base, const char *code,
                         size_t length) {
    static const char constraints[] =
        "r,r,~{xmm15},~{r10},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}";
    struct variant *variant = shadow->variant;
    LLVMTypeRef types[] = {variant->ptr, variant->ptr};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(variant->context), types, 2, false);
    LLVMValueRef assembly =
        LLVMGetInlineAsm(type, code, length, constraints, sizeof constraints - 1, true, false,
                         LLVMInlineAsmDialectATT, false);
    LLVMValueRef arguments[] = {shadow->record, base};
    LLVMBuildCall2(variant->builder, type, assembly, arguments, 2, "");
}

static void put_copies_from(struct shadow *shadow, const struct shadow_options *options,
                            LLVMValueRef base, LLVMBasicBlockRef block) {
    char *code = NULL, *seldom = NULL;
    size_t code_length, seldom_length, last = 0;
    struct copies_text text = {open_memstream(&code, &code_length),
                               open_memstream(&seldom, &seldom_length)};
    fprintf(text.code, "testq $1, $1\n");
    write_jump(text.code, "je", "none", 0);
    fprintf(text.seldom, "\t.pushsection .text.unlikely,\"ax\",@progbits\n");
    EACH_COPY(i, offset, base, block, shadow, options) {
        const struct shadow_range *range = &options->copies[i];
        write_copy(&text, range, i, offset, block && place_in(options, range, block)->is_repeated);
        last = i;
    }
    write_mark(text.seldom, "none", 0);
    EACH_COPY(i, offset, base, block, shadow, options)
    write_no_address(&text, &options->copies[i], offset);
    write_jump(text.seldom, "jmp", "done", last);
    fprintf(text.seldom, "\t.popsection");
    fclose(text.seldom);
    fputs(seldom, text.code);
    fclose(text.code);
    add_assembly(shadow, base, code, code_length);
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
    LLVMBuildMemCpy(variant->builder, shadow_at(shadow, offset + sizeof(struct shadow_copy)), 1,
                    from, 1, size);
    shadow_put(shadow, offset + offsetof(struct shadow_copy, address), from);
    shadow_put(shadow, offset + offsetof(struct shadow_copy, size), size);
}

/* Is it the first from its base that is made in this block? */
static bool is_first(const struct shadow_options *options, size_t number, LLVMBasicBlockRef block) {
    const struct shadow_range *range = &options->copies[number];
    for (size_t i = 0; i < number; i++)
        if (options->copies[i].base == range->base &&
            is_made_in(options, &options->copies[i], block))
            return false;
    return is_made_in(options, range, block);
}

void shadow_put_copies(struct shadow *shadow, const struct shadow_options *options) {
    uint64_t offset = first_copy(shadow, options);
    for (size_t i = 0; i < options->copy_count; i++) {
        const struct shadow_range *range = &options->copies[i];
        if (range->place_count)
            shadow_put(shadow, offset + offsetof(struct shadow_copy, size),
                       LLVMConstInt(shadow->variant->i64, SHADOW_NOT_YET | own_size(range), false));
        else if (LLVMIsAGlobalVariable(range->base))
            put_variable(shadow, range, offset);
        else if (is_first(options, i, NULL))
            put_copies_from(shadow, options, range->base, NULL);
        offset += sizeof(struct shadow_copy) + range->size;
    }
}

static void put_in(struct shadow *shadow, const struct shadow_options *options,
                   LLVMBasicBlockRef block) {
    LLVMValueRef instruction = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(instruction))
        instruction = LLVMGetNextInstruction(instruction);
    LLVMPositionBuilderBefore(shadow->variant->builder, instruction);
    for (size_t i = 0; i < options->copy_count; i++)
        if (is_first(options, i, block))
            put_copies_from(shadow, options, options->copies[i].base, block);
}

void shadow_put_later(struct shadow *shadow, const struct shadow_options *options) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(shadow->function); block;
         block = LLVMGetNextBasicBlock(block))
        put_in(shadow, options, block);
}
