/* How does a function leave its record?  See shadow.h. */
#include "instrument/shadow.h"

#include <inttypes.h>
#include <string.h>

#include "format/shadow.h"
#include "instrument/shadow_impl.h"
#include "instrument/variadic.h"
#include "program/canonical/rewrite.h"

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

static uint64_t record_size(const struct shadow *shadow, const struct shadow_options *options) {
    uint64_t size = shadow_copied_size(options) + shadow->rest_size;
    size += options->tells ? sizeof(uint64_t) : 0;
    for (unsigned i = 0; i < LLVMCountParams(shadow->function); i++)
        size += size_of(shadow, i);
    return size;
}

/* The byte of the record at this offset. */
LLVMValueRef shadow_at(struct shadow *shadow, uint64_t offset) {
    LLVMValueRef index = LLVMConstInt(shadow->variant->i64, offset, false);
    LLVMTypeRef byte = LLVMInt8TypeInContext(shadow->variant->context);
    return LLVMBuildGEP2(shadow->variant->builder, byte, shadow->record, &index, 1, "");
}

void shadow_put(struct shadow *shadow, uint64_t offset, LLVMValueRef value) {
    LLVMSetAlignment(LLVMBuildStore(shadow->variant->builder, value, shadow_at(shadow, offset)), 1);
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

static LLVMTypeRef record_type(const struct shadow *shadow) {
    return LLVMArrayType2(LLVMInt8TypeInContext(shadow->variant->context), shadow->size);
}

/* Room in the frame for the record, and for what finds the arguments behind `...`. */
static void make_room(struct shadow *shadow) {
    struct variant *variant = shadow->variant;
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(shadow->function));
    LLVMPositionBuilderBefore(variant->builder, first);
    shadow->record = LLVMBuildAlloca(variant->builder, record_type(shadow), "record");
    LLVMSetAlignment(shadow->record, sizeof(uint64_t));
    if (shadow->rest_size)
        shadow->rest = variadic_room(variant);
}

/* What would let the code generator put the record elsewhere in each call, or below the stack
 * pointer, where a capture does not look.  A function that wants its stack aligned whatever it
 * costs has a record that nobody finds.  Without optimisation it is a frame pointer that tells of
 * the return address: the note has that in a register of its own. */
static void fix_frame(struct shadow *shadow) {
    LLVMContextRef context = shadow->variant->context;
    unsigned kind = LLVMGetEnumAttributeKindForName("noredzone", 9);
    LLVMAddAttributeAtIndex(shadow->function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind, 0));
    static const char forced[] = "stackrealign";
    if (!LLVMGetStringAttributeAtIndex(shadow->function, LLVMAttributeFunctionIndex, forced,
                                       sizeof forced - 1))
        LLVMAddTargetDependentFunctionAttr(shadow->function, "no-realign-stack", "");
    if (rewrite_has_attribute(shadow->function, "optnone"))
        LLVMAddTargetDependentFunctionAttr(shadow->function, "frame-pointer", "all");
}

static LLVMValueRef return_slot(struct variant *variant) {
    static const char name[] = "llvm.addressofreturnaddress";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef intrinsic = LLVMGetIntrinsicDeclaration(variant->module, id, &variant->ptr, 1);
    LLVMTypeRef type = LLVMIntrinsicGetType(variant->context, id, &variant->ptr, 1);
    return LLVMBuildCall2(variant->builder, type, intrinsic, NULL, 0, "");
}

/* A struct shadow_note: assembly, since only the code generator knows where the record is. */
static void add_note(struct shadow *shadow, const struct shadow_options *options) {
    struct variant *variant = shadow->variant;
    static const char constraints[] = "*m,*m,~{dirflag},~{fpsr},~{flags}";
    char *text CLEANUP_FREE = mem_printf(
        ".Lrecut_record${:uid}:\n"
        "\t.pushsection " SHADOW_NOTES ",\"aR\",@progbits\n"
        "\t.quad .Lrecut_record${:uid}\n"
        "\t.long %" PRIu32 "\n\t.short %" PRIu64 ", %" PRIu64 "\n\t.quad %d\n"
        "\t{disp32} leaq $0, %%rax\n\t{disp32} leaq $1, %%rax\n\t.balign 8, 0\n\t.popsection",
        options->number, shadow->size, shadow_copied_size(options), options->tells);
    LLVMTypeRef types[] = {variant->ptr, variant->ptr};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(variant->context), types, 2, false);
    LLVMValueRef assembly =
        LLVMGetInlineAsm(type, text, strlen(text), constraints, sizeof constraints - 1, true, false,
                         LLVMInlineAsmDialectATT, false);
    LLVMValueRef operands[] = {shadow->record, return_slot(variant)};
    LLVMValueRef call = LLVMBuildCall2(variant->builder, type, assembly, operands, 2, "");
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMAddCallSiteAttribute(call, 1,
                             LLVMCreateTypeAttribute(variant->context, kind, record_type(shadow)));
    LLVMAddCallSiteAttribute(call, 2,
                             LLVMCreateTypeAttribute(variant->context, kind, variant->i64));
}

/* Numbers of less than a word have their own size, if it is one that is stored at once: what is
 * behind is not theirs (signature.h). */
static bool is_stored_alone(LLVMTypeRef type) {
    unsigned width = LLVMGetIntTypeWidth(type);
    return width == 8 || width == 16 || width >= 32;
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
            LLVMBuildMemCpy(variant->builder, shadow_at(shadow, offset), 8, value, 1, bytes);
        } else {
            if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
                !is_stored_alone(LLVMTypeOf(value)))
                value = LLVMBuildZExt(variant->builder, value, variant->i64, "");
            shadow_put(shadow, offset, value);
        }
        offset += size;
    }
    if (shadow->rest_size)
        variadic_put(variant, shadow_at(shadow, offset), shadow->rest, shadow->rest_size);
}

/* The runtime copies more than a record has room for. */
static void copy_roots(struct shadow *shadow, const struct shadow_options *options) {
    struct variant *variant = shadow->variant;
    LLVMTypeRef none = LLVMVoidTypeInContext(variant->context), i64 = variant->i64;
    LLVMTypeRef types[] = {variant->ptr, i64, i64, i64};
    LLVMTypeRef begin = LLVMFunctionType(none, types, 2, false);
    LLVMTypeRef add = LLVMFunctionType(none, types, 4, false);
    if (!options->root_count)
        return;
    LLVMValueRef whose[] = {return_slot(variant), LLVMConstInt(i64, options->number, false)};
    LLVMBuildCall2(variant->builder, begin, variant_runtime(variant, "__recut_copies_begin", begin),
                   whose, 2, "");
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

static void tell(struct shadow *shadow, const struct shadow_options *options) {
    struct variant *variant = shadow->variant;
    LLVMTypeRef types[] = {variant->ptr, variant->i64, variant->ptr, variant->i64};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(variant->context), types, 4, false);
    LLVMValueRef arguments[] = {shadow->record, LLVMConstInt(variant->i64, shadow->size, false),
                                return_slot(variant),
                                LLVMConstInt(variant->i64, options->number, false)};
    LLVMBuildCall2(variant->builder, type, variant_runtime(variant, "__recut_shadow_entered", type),
                   arguments, 4, "");
}

bool shadow_add(struct variant *variant, LLVMValueRef function,
                const struct shadow_options *options) {
    struct shadow shadow = {.variant = variant, .function = function};
    shadow.rest_size = variadic_size(variant, function);
    shadow.size = record_size(&shadow, options);
    if (shadow.size > SHADOW_RECORD_MOST)
        return false;
    LLVMSetCurrentDebugLocation2(variant->builder, NULL);
    fix_frame(&shadow);
    make_room(&shadow);
    LLVMPositionBuilderBefore(variant->builder, first_of_body(function));
    put_arguments(&shadow);
    shadow_put_copies(&shadow, options);
    if (options->tells)
        shadow_put(&shadow, shadow.size - sizeof(uint64_t), LLVMConstInt(variant->i64, 0, false));
    add_note(&shadow, options);
    copy_roots(&shadow, options);
    if (options->tells)
        tell(&shadow, options);
    shadow_put_later(&shadow, options);
    return true;
}
