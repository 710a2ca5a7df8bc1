/*
 * What of a value does a function in replay space look at?  That is what goes into hashes.
 *
 * A program sets one bit of a byte that it never wrote before, or copies a struct with the gaps
 * between its fields.  What is in the other bits, and in the gaps, is what was there before: of
 * calls that are left, or of blocks that were freed, and where environment wrote that which nobody
 * reads, it is not the same in a replay (cut/cut.h, `beginnings`).  Nor does it matter: bits that
 * are only stored again are looked at when they are loaded from there.
 *
 * Bits are followed through `and`, `or`, `xor`, shifts by constants, truncation and extension;
 * whatever else a value is used for looks at all of it.
 *
 * Cost: the uses of a value, a few steps deep.
 */
#include <llvm-c/Core.h>

#include "instrument/cut_impl.h"

enum { deepest = 6 };

static uint64_t all_bits(unsigned width) {
    return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static uint64_t looked_at(LLVMValueRef value, unsigned depth);

static uint64_t by_binary(LLVMValueRef user, LLVMValueRef value, uint64_t all, unsigned depth) {
    bool is_first = LLVMGetOperand(user, 0) == value;
    LLVMValueRef other = LLVMGetOperand(user, is_first ? 1 : 0);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
    bool is_constant = LLVMIsAConstantInt(other) != NULL;
    uint64_t constant = is_constant ? LLVMConstIntGetZExtValue(other) : 0;
    bool is_shift = opcode == LLVMShl || opcode == LLVMLShr;
    if (is_shift && (!is_first || !is_constant || constant >= 64))
        return all;
    uint64_t seen = looked_at(user, depth + 1);
    switch (opcode) {
    case LLVMAnd:
        return is_constant ? seen & constant : seen;
    case LLVMOr:
        return seen & ~constant;
    case LLVMXor:
        return seen;
    case LLVMShl:
        return seen >> constant;
    case LLVMLShr:
        return seen << constant & all;
    default:
        return all;
    }
}

static uint64_t by_user(LLVMValueRef user, LLVMValueRef value, uint64_t all, unsigned depth) {
    if (!LLVMIsAInstruction(user))
        return all;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMStore:
        return LLVMGetOperand(user, 1) == value ? all : 0;
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
        return by_binary(user, value, all, depth);
    case LLVMTrunc:
    case LLVMZExt:
        return looked_at(user, depth + 1) & all;
    default:
        return all;
    }
}

static bool is_integer(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
}

static uint64_t looked_at(LLVMValueRef value, unsigned depth) {
    uint64_t all =
                 is_integer(value) ? all_bits(LLVMGetIntTypeWidth(LLVMTypeOf(value))) : UINT64_MAX,
             seen = 0;
    if (depth == deepest)
        return all;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && seen != all; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) != value;
        seen |= is_integer(value) ? by_user(user, value, all, depth) : is_store ? 0 : all;
    }
    return seen;
}

uint64_t cut_looked_at(LLVMValueRef value) { return looked_at(value, 0); }
