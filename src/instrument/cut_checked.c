/*
 * Where does a load read that may meet memory of a library's?  See cut.h.
 *
 *     %v = load T, %p + 8      ->  %q = call @recut.checked(%p, 8, sizeof T)
 *                                  %v = load T, %q + 8
 *
 * The program's own heap and stack, where most loads go, are told from the rest in place, by what
 * the address begins with: not that of the field, but that of the object, which is in one region as
 * a whole, so that the code generator can add the offset as it did.
 *
 * Loads of several fields of one object with no store and no call between them are one check, and
 * one load in the log.  Other loads of the object in the same block look whether the first one was
 * told to go elsewhere.
 *
 * Cost: for each load, its block up to the next store or call.  Blocks that follow one another ask
 * again.
 */
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <string.h>

#include "base/mem.h"
#include "format/layout.h"
#include "instrument/cut_impl.h"
#include "program/canonical/rewrite.h"

enum { near_shift = 38, most_bytes = 64, value_bytes = 8 };
#define NEAR_FIRST (RECUT_MACHINE_STACK_TOP >> near_shift)
#define NEAR_COUNT ((RECUT_BRK_END >> near_shift) - NEAR_FIRST)
_Static_assert(NEAR_FIRST << near_shift == RECUT_MACHINE_STACK_TOP, "the region is of whole units");
_Static_assert((NEAR_FIRST + NEAR_COUNT) << near_shift == RECUT_BRK_END, "and ends so");

/* --- objects and offsets ---------------------------------------------------------------------- */

/* So far behind the machine stack, and in front of the end of brk, there are no objects. */
enum { most_offset = 1 << 20 };

static bool constant_offset(const struct cut_building *building, LLVMValueRef element,
                            int64_t *ret) {
    LLVMTargetDataRef layout = building->variant->layout;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(element);
    int64_t offset = 0;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(element); i++) {
        LLVMValueRef index = LLVMGetOperand(element, i);
        if (!LLVMIsAConstantInt(index))
            return false;
        int64_t value = LLVMConstIntGetSExtValue(index);
        if (value > most_offset || value < -most_offset)
            return false;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            offset += (int64_t)LLVMOffsetOfElement(layout, type, (unsigned)value);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)value);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        offset += value * (int64_t)LLVMABISizeOfType(layout, type);
    }
    *ret = offset;
    return offset <= most_offset && offset >= -most_offset;
}

/* What the address is computed from, by adding a constant. */
static LLVMValueRef root_of(const struct cut_building *building, LLVMValueRef address,
                            int64_t *ret_offset) {
    int64_t more;
    *ret_offset = 0;
    while (LLVMIsAGetElementPtrInst(address) && constant_offset(building, address, &more) &&
           *ret_offset + more <= most_offset && *ret_offset + more >= -most_offset) {
        *ret_offset += more;
        address = LLVMGetOperand(address, 0);
    }
    return address;
}

/* --- code ------------------------------------------------------------------------------------- */

void cut_set_unlikely(struct variant *variant, LLVMValueRef branch, unsigned which) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(variant->context);
    LLVMMetadataRef parts[] = {
        LLVMMDStringInContext2(variant->context, "branch_weights", strlen("branch_weights")),
        LLVMValueAsMetadata(LLVMConstInt(i32, which == 0 ? 1 : 1 << 20, false)),
        LLVMValueAsMetadata(LLVMConstInt(i32, which == 1 ? 1 : 1 << 20, false))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(variant->context, parts, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(variant->context, "prof", strlen("prof")),
                    LLVMMetadataAsValue(variant->context, node));
}

static LLVMValueRef is_near(struct variant *variant, LLVMBuilderRef b, LLVMValueRef object) {
    LLVMValueRef at = LLVMBuildPtrToInt(b, object, variant->i64, "");
    at = LLVMBuildLShr(b, at, LLVMConstInt(variant->i64, near_shift, false), "");
    at = LLVMBuildSub(b, at, LLVMConstInt(variant->i64, NEAR_FIRST, false), "");
    return LLVMBuildICmp(b, LLVMIntULT, at, LLVMConstInt(variant->i64, NEAR_COUNT, false), "");
}

/*
 *     define internal ptr @recut.checked(%object, %offset, %size) alwaysinline
 *         %object in [end of the machine stack, end of brk)  ->  %object
 *         elsewhere   ->  call @__recut_cut_checked(%object + %offset, %size) - %offset
 *
 * and @recut.checked.again, which has what the first check said as a fourth parameter, and is near
 * if that is %object.
 */
static LLVMValueRef checked(struct cut_building *building, bool is_again) {
    const char *name = is_again ? "recut.checked.again" : "recut.checked";
    struct variant *variant = building->variant;
    LLVMValueRef function = LLVMGetNamedFunction(variant->module, name);
    if (function)
        return function;
    LLVMTypeRef types[] = {variant->ptr, variant->i64, variant->i64, variant->ptr};
    LLVMTypeRef type = LLVMFunctionType(variant->ptr, types, is_again ? 4 : 3, false),
                by_address[] = {variant->ptr, variant->i64},
                told = LLVMFunctionType(variant->ptr, by_address, 2, false),
                i8 = LLVMInt8TypeInContext(variant->context);
    function = cut_inlined_function(building, name, type);
    LLVMBasicBlockRef blocks[3];
    for (unsigned i = 0; i < 3; i++)
        blocks[i] = LLVMAppendBasicBlockInContext(variant->context, function, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(variant->context);
    LLVMPositionBuilderAtEnd(b, blocks[0]);
    LLVMValueRef object = LLVMGetParam(function, 0), offset = LLVMGetParam(function, 1);
    LLVMValueRef is = is_again ? LLVMBuildICmp(b, LLVMIntEQ, object, LLVMGetParam(function, 3), "")
                               : is_near(variant, b, object);
    cut_set_unlikely(variant, LLVMBuildCondBr(b, is, blocks[1], blocks[2]), 1);
    LLVMPositionBuilderAtEnd(b, blocks[1]);
    LLVMBuildRet(b, object);
    LLVMPositionBuilderAtEnd(b, blocks[2]);
    LLVMValueRef arguments[] = {LLVMBuildGEP2(b, i8, object, &offset, 1, ""),
                                LLVMGetParam(function, 2)};
    LLVMValueRef call =
                     LLVMBuildCall2(b, told, variant_runtime(variant, "__recut_cut_checked", told),
                                    arguments, 2, ""),
                 back = LLVMBuildNeg(b, offset, "");
    LLVMSetInstructionCallConv(call, LLVMPreserveMostCallConv);
    LLVMBuildRet(b, LLVMBuildGEP2(b, i8, call, &back, 1, ""));
    LLVMDisposeBuilder(b);
    return function;
}

LLVMValueRef cut_checked_address(struct cut_building *building, LLVMValueRef address,
                                 LLVMValueRef size) {
    LLVMValueRef function = checked(building, false);
    LLVMValueRef arguments[] = {address, LLVMConstInt(building->variant->i64, 0, false), size};
    return LLVMBuildCall2(building->variant->builder, LLVMGlobalGetValueType(function), function,
                          arguments, 3, "");
}

/* --- loads ------------------------------------------------------------------------------------ */

/* A load that was looked at: where its object is. */
struct cut_found {
    LLVMValueRef load, root, object;
    int64_t offset, size;
    bool says_so; /* `object` is `root` only if that is no library's */
};

static struct cut_found look_at(const struct cut_building *building, LLVMValueRef load) {
    struct cut_found found = {.load = load};
    found.root = root_of(building, LLVMGetOperand(load, 0), &found.offset);
    found.size = (int64_t)LLVMStoreSizeOfType(building->variant->layout, LLVMTypeOf(load));
    return found;
}

/* May others, or the program itself, write in between? */
static bool is_pure(LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        return !LLVMGetVolatile(instruction) &&
               LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic;
    case LLVMStore:
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMVAArg:
        return false;
    default:
        return true;
    }
}

/* The loads of the same object that follow, and are checked with the first one. */
static void gather(struct cut_building *building, const struct cut_loads *loads, size_t first) {
    if (!is_pure(loads->instructions[first]))
        return;
    struct cut_found *one = &building->found.data[building->found.count - 1];
    LLVMValueRef root = one->root;
    int64_t low = one->offset, high = one->offset + one->size;
    size_t begin = building->found.count - 1;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(one->load);
    for (size_t i = first + 1; i < loads->count; i++) {
        LLVMValueRef instruction = loads->instructions[i];
        if (LLVMGetInstructionParent(instruction) != block || !is_pure(instruction))
            break;
        instruction_id id = loads->first + (instruction_id)i;
        if (!LLVMIsALoadInst(instruction) || bitset_has(&building->options->cut->logged, id) ||
            !bitset_has(&building->options->cut->checked, id))
            continue;
        struct cut_found other = look_at(building, instruction);
        int64_t down = other.offset < low ? other.offset : low,
                up = other.offset + other.size > high ? other.offset + other.size : high;
        if (other.root != root || up - down > most_bytes)
            continue;
        low = down;
        high = up;
        VEC_PUSH(&building->found, other);
    }
    /* Of one value, or less, there is no copy that stays. */
    if (high - low <= value_bytes)
        building->found.count = begin + 1;
    for (size_t i = begin; i < building->found.count && high - low > value_bytes; i++) {
        building->found.data[i].offset = low;
        building->found.data[i].size = high - low;
    }
}

static void check_object(struct cut_building *building, struct cut_found *found,
                         const struct cut_found *before) {
    LLVMTypeRef i64 = building->variant->i64;
    LLVMValueRef function = checked(building, before != NULL);
    LLVMValueRef arguments[] = {
        found->root, LLVMConstInt(i64, (unsigned long long)found->offset, true),
        LLVMConstInt(i64, (unsigned long long)found->size, true), before ? before->object : NULL};
    found->object = LLVMBuildCall2(building->variant->builder, LLVMGlobalGetValueType(function),
                                   function, arguments, before ? 4 : 3, "");
    found->says_so = found->size <= value_bytes;
}

void cut_check_load(struct cut_building *building, const struct cut_loads *loads, size_t at) {
    LLVMValueRef load = loads->instructions[at];
    LLVMBuilderRef b = building->variant->builder;
    if (LLVMGetInstructionParent(load) != building->found_in)
        building->found.count = 0;
    building->found_in = LLVMGetInstructionParent(load);
    struct cut_found now = look_at(building, load);
    const struct cut_found *known = NULL, *before = NULL;
    for (size_t i = 0; i < building->found.count; i++) {
        const struct cut_found *one = &building->found.data[i];
        if (one->load == load)
            known = one;
        else if (one->root == now.root && one->says_so)
            before = one;
    }
    LLVMValueRef object = known ? known->object : NULL;
    if (!object) {
        size_t first = building->found.count;
        struct cut_found copy = before ? *before : now;
        VEC_PUSH(&building->found, now);
        gather(building, loads, at);
        check_object(building, &building->found.data[first], before ? &copy : NULL);
        for (size_t i = first + 1; i < building->found.count; i++)
            building->found.data[i].object = building->found.data[first].object;
        object = building->found.data[first].object;
    }
    LLVMValueRef offset =
        LLVMConstInt(building->variant->i64, (unsigned long long)now.offset, true);
    LLVMSetOperand(load, 0,
                   LLVMBuildGEP2(b, LLVMInt8TypeInContext(building->variant->context), object,
                                 &offset, 1, ""));
    LLVMSetAlignment(load, 1);
}
