/*
 * Locals that still live in memory move from the machine stack to the data
 * stack, as SafeStack does, so that their addresses are decided here and not
 * by the code generator.
 *
 *     high   | caller's frame          |
 *            +-------------------------+ <- sp: self.data_stack at entry
 *            | fixed locals, byval     |
 *            | copies, by offset       |
 *            +-------------------------+ <- base: self.data_stack after entry
 *            | alloca, VLA, ...        |
 *     low    v  grows down             v
 *
 * The stack pointer is written back before every return, before a tail call
 * (which cannot see the frame) and after every call that may return twice:
 * after a longjmp the callee's frames are gone, and with them the coroutine or
 * the reserve (src/runtime/signal.c) that they may have run on.  Stores to the frame come after
 * the new stack pointer is stored and loads before the old one is: nothing
 * tells the code generator that they do not alias, so a signal handler that
 * interrupts the function never overwrites its locals.
 *
 * Frames above RECUT_PROBE_SIZE and all dynamic ones touch the guard below the
 * stack if they would pass its limit, whatever their size.
 */
#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "format/layout.h"
#include "program/canonical/rewrite.h"

struct local {
    LLVMValueRef value; /* alloca, or byval parameter */
    uint64_t offset, size;
    unsigned align;
};

struct frame {
    LLVMValueRef function;
    VEC(struct local) locals;
    VEC(LLVMValueRef) dynamic; /* allocas whose size or number is decided at run time */
    VEC(LLVMValueRef) saves;   /* llvm.stacksave and llvm.stackrestore */
    VEC(LLVMValueRef) twice;   /* calls that may return twice */
    uint64_t size;
    unsigned align;
    LLVMValueRef sp, base;
    LLVMValueRef body; /* first instruction behind the making of the frame */
};

static void frame_deinit(struct frame *frame) {
    VEC_DEINIT(&frame->locals);
    VEC_DEINIT(&frame->dynamic);
    VEC_DEINIT(&frame->saves);
    VEC_DEINIT(&frame->twice);
}

static void frame_add_local(struct frame *frame, LLVMValueRef value, uint64_t size,
                            unsigned align) {
    if (align < 1)
        align = 1;
    if (align > frame->align)
        frame->align = align;
    uint64_t offset = (frame->size + align - 1) / align * align;
    VEC_PUSH(&frame->locals,
             (struct local){.value = value, .offset = offset, .size = size, .align = align});
    frame->size = offset + size;
}

static LLVMAttributeRef parameter_attribute(LLVMValueRef function, unsigned parameter,
                                            const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(function, parameter + 1, kind);
}

static void frame_add_byval(struct rewrite *rw, struct frame *frame) {
    unsigned count = LLVMCountParams(frame->function);
    for (unsigned i = 0; i < count; i++) {
        LLVMAttributeRef byval = parameter_attribute(frame->function, i, "byval");
        if (!byval)
            continue;
        /* The type alone does not know of __attribute__((aligned)). */
        LLVMAttributeRef stated = parameter_attribute(frame->function, i, "align");
        unsigned align = stated ? (unsigned)LLVMGetEnumAttributeValue(stated) : 8;
        LLVMTypeRef type = LLVMGetTypeAttributeValue(byval);
        frame_add_local(frame, LLVMGetParam(frame->function, i),
                        LLVMABISizeOfType(rw->layout, type), align < 8 ? 8 : align);
    }
}

static void frame_collect(struct rewrite *rw, struct frame *frame) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(frame->function);
    frame_add_byval(rw, frame);
    FOR_EACH_BLOCK(block, frame->function)
        FOR_EACH_INSTRUCTION(instruction, block) {
            if (LLVMIsAAllocaInst(instruction)) {
                LLVMValueRef count = LLVMGetOperand(instruction, 0);
                if (block == entry && LLVMIsAConstantInt(count))
                    frame_add_local(
                        frame, instruction,
                        LLVMABISizeOfType(rw->layout, LLVMGetAllocatedType(instruction)) *
                            LLVMConstIntGetZExtValue(count),
                        LLVMGetAlignment(instruction));
                else
                    VEC_PUSH(&frame->dynamic, instruction);
            } else if (rewrite_is_intrinsic(instruction, "llvm.stacksave") ||
                       rewrite_is_intrinsic(instruction, "llvm.stackrestore")) {
                VEC_PUSH(&frame->saves, instruction);
            } else if (rewrite_returns_twice(instruction)) {
                VEC_PUSH(&frame->twice, instruction);
            }
        }
    frame->size = (frame->size + 15) / 16 * 16;
}

static LLVMValueRef build_mask(struct rewrite *rw, LLVMValueRef pointer, unsigned align) {
    LLVMTypeRef types[] = {rw->ptr, rw->i64};
    unsigned id = LLVMLookupIntrinsicID("llvm.ptrmask", 12);
    LLVMValueRef mask = LLVMGetIntrinsicDeclaration(rw->module, id, types, 2);
    LLVMValueRef args[] = {pointer, rewrite_const(rw, -(uint64_t)align)};
    return LLVMBuildCall2(rw->builder, LLVMIntrinsicGetType(rw->context, id, types, 2), mask, args,
                          2, "");
}

/*
 * The new top of the stack, `size` bytes below `top`, aligned.  With `check`,
 * reads a byte of it, or of the guard if the limit would be passed.
 */
static LLVMValueRef build_push(struct rewrite *rw, LLVMValueRef top, LLVMValueRef size,
                               unsigned align, bool check) {
    LLVMBuilderRef b = rw->builder;
    LLVMValueRef negative = LLVMBuildNeg(b, size, "");
    LLVMValueRef next = LLVMBuildGEP2(b, rw->i8, top, &negative, 1, "");
    if (align > 16)
        next = build_mask(rw, next, align);
    if (check) {
        LLVMValueRef limit =
            LLVMBuildLoad2(b, rw->ptr, rewrite_self_field(rw, SELF_STACK_LIMIT), "limit");
        LLVMValueRef room = LLVMBuildSub(b, LLVMBuildPtrToInt(b, top, rw->i64, ""),
                                         LLVMBuildPtrToInt(b, limit, rw->i64, ""), "room");
        LLVMValueRef padded = LLVMBuildSub(b, LLVMBuildPtrToInt(b, top, rw->i64, ""),
                                           LLVMBuildPtrToInt(b, next, rw->i64, ""), "");
        LLVMValueRef over = LLVMBuildOr(b, LLVMBuildICmp(b, LLVMIntUGT, padded, room, ""),
                                        LLVMBuildICmp(b, LLVMIntUGT, size, room, ""), "over");
        LLVMValueRef below = rewrite_const(rw, -(uint64_t)1);
        LLVMValueRef guard = LLVMBuildGEP2(b, rw->i8, limit, &below, 1, "guard");
        LLVMValueRef touched = LLVMBuildSelect(b, over, guard, next, "");
        LLVMSetVolatile(LLVMBuildLoad2(b, rw->i8, touched, ""), true);
    }
    return next;
}

static void build_store_stack(struct rewrite *rw, LLVMValueRef top) {
    LLVMBuildStore(rw->builder, top, rewrite_self_field(rw, SELF_DATA_STACK));
}

static LLVMValueRef build_load_stack(struct rewrite *rw) {
    return LLVMBuildLoad2(rw->builder, rw->ptr, rewrite_self_field(rw, SELF_DATA_STACK), "dsp");
}

/*
 * Without optimisation a debugger must find every local everywhere.  The base
 * of the frame is kept in one slot of the machine stack, which no program code
 * can name, and the locations of the locals are given relative to it.
 */
static void describe_locals(struct rewrite *rw, struct frame *frame, LLVMDIBuilderRef debug) {
    if (!rewrite_has_attribute(frame->function, "optnone") || !LLVMGetSubprogram(frame->function))
        return;
    LLVMPositionBuilderBefore(rw->builder, frame->sp);
    LLVMValueRef slot = LLVMBuildAlloca(rw->builder, rw->ptr, "recut.frame");
    LLVMPositionBuilderBefore(rw->builder, frame->body);
    LLVMBuildStore(rw->builder, frame->base, slot);
    LLVMMetadataRef slot_metadata = LLVMValueAsMetadata(slot);
    FOR_EACH_BLOCK(block, frame->function)
        FOR_EACH_INSTRUCTION(instruction, block) {
            if (!rewrite_is_intrinsic(instruction, "llvm.dbg.declare"))
                continue;
            LLVMValueRef wrapped = LLVMGetOperand(instruction, 0);
            LLVMValueRef expression = LLVMGetOperand(instruction, 2);
            char *text = LLVMPrintValueToString(expression);
            bool plain = strstr(text, "!DIExpression()") != NULL;
            LLVMDisposeMessage(text);
            if (!plain || LLVMGetNumOperands(wrapped) < 0)
                continue;
            for (size_t i = 0; i < frame->locals.count; i++) {
                struct local *local = &frame->locals.data[i];
                LLVMValueRef address =
                    LLVMMetadataAsValue(rw->context, LLVMValueAsMetadata(local->value));
                if (address != wrapped)
                    continue;
                enum { op_deref = 0x06, op_plus_uconst = 0x23 };
                uint64_t ops[] = {op_deref, op_plus_uconst, local->offset};
                LLVMSetOperand(instruction, 0, LLVMMetadataAsValue(rw->context, slot_metadata));
                LLVMSetOperand(
                    instruction, 2,
                    LLVMMetadataAsValue(rw->context, LLVMDIBuilderCreateExpression(debug, ops, 3)));
                break;
            }
        }
}

static void place_locals(struct rewrite *rw, struct frame *frame) {
    LLVMValueRef after = frame->body;
    for (size_t i = 0; i < frame->locals.count; i++) {
        struct local *local = &frame->locals.data[i];
        bool is_parameter = LLVMIsAArgument(local->value) != NULL;
        LLVMPositionBuilderBefore(rw->builder, after);
        LLVMValueRef offset = rewrite_const(rw, local->offset);
        LLVMValueRef address = LLVMBuildGEP2(rw->builder, rw->i8, frame->base, &offset, 1, "");
        LLVMReplaceAllUsesWith(local->value, address);
        if (is_parameter)
            LLVMBuildMemCpy(rw->builder, address, local->align, local->value, local->align,
                            rewrite_const(rw, local->size));
        else {
            if (after == local->value)
                after = LLVMGetNextInstruction(after);
            LLVMInstructionEraseFromParent(local->value);
        }
    }
}

/* The sizes of the locals, for whoever reads the program: from their addresses
 * alone one only knows where the next begins. */
static void note_layout(struct rewrite *rw, struct frame *frame) {
    char *text CLEANUP_FREE = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < frame->locals.count; i++)
        fprintf(out, "%s%" PRIu64 ":%" PRIu64, i ? " " : "", frame->locals.data[i].offset,
                frame->locals.data[i].size);
    fclose(out);
    LLVMAddAttributeAtIndex(frame->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(rw->context, FRAME_ATTRIBUTE,
                                                      sizeof FRAME_ATTRIBUTE - 1, text,
                                                      (unsigned)size));
}

static void place_dynamic(struct rewrite *rw, struct frame *frame) {
    for (size_t i = 0; i < frame->dynamic.count; i++) {
        LLVMValueRef instruction = frame->dynamic.data[i];
        LLVMBuilderRef b = rw->builder;
        LLVMPositionBuilderBefore(b, instruction);
        uint64_t unit = LLVMABISizeOfType(rw->layout, LLVMGetAllocatedType(instruction));
        LLVMValueRef count = LLVMBuildZExtOrBitCast(b, LLVMGetOperand(instruction, 0), rw->i64, "");
        LLVMValueRef size = LLVMBuildMul(b, count, rewrite_const(rw, unit), "");
        /* Keep the stack 16-aligned whatever the size. */
        size = LLVMBuildAnd(b, LLVMBuildAdd(b, size, rewrite_const(rw, 15), ""),
                            rewrite_const(rw, -(uint64_t)16), "");
        LLVMValueRef next =
            build_push(rw, build_load_stack(rw), size, LLVMGetAlignment(instruction), true);
        build_store_stack(rw, next);
        LLVMReplaceAllUsesWith(instruction, next);
        LLVMInstructionEraseFromParent(instruction);
    }
    for (size_t i = 0; i < frame->saves.count; i++) {
        LLVMValueRef call = frame->saves.data[i];
        LLVMPositionBuilderBefore(rw->builder, call);
        if (rewrite_is_intrinsic(call, "llvm.stacksave"))
            LLVMReplaceAllUsesWith(call, build_load_stack(rw));
        else
            build_store_stack(rw, LLVMGetOperand(call, 0));
        LLVMInstructionEraseFromParent(call);
    }
}

static void restore_after_twice(struct rewrite *rw, struct frame *frame) {
    for (size_t i = 0; i < frame->twice.count; i++) {
        LLVMPositionBuilderBefore(rw->builder, frame->twice.data[i]);
        LLVMValueRef limit_field = rewrite_self_field(rw, SELF_STACK_LIMIT);
        LLVMValueRef top = build_load_stack(rw);
        LLVMValueRef limit = LLVMBuildLoad2(rw->builder, rw->ptr, limit_field, "limit");
        LLVMPositionBuilderBefore(rw->builder, LLVMGetNextInstruction(frame->twice.data[i]));
        build_store_stack(rw, top);
        LLVMBuildStore(rw->builder, limit, limit_field);
    }
}

static bool passes_by_value(LLVMValueRef call) {
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    unsigned count = LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i < count; i++)
        if (LLVMGetCallSiteEnumAttribute(call, i + 1, kind))
            return true;
    return false;
}

/* The call that a return only passes on, when it is marked as one that does not
 * see this frame; else the return itself. */
static LLVMValueRef pop_position(LLVMValueRef ret) {
    LLVMValueRef call = LLVMGetPreviousInstruction(ret);
    while (call && rewrite_is_intrinsic(call, "llvm.dbg."))
        call = LLVMGetPreviousInstruction(call);
    if (!call || !LLVMIsACallInst(call) || rewrite_is_intrinsic(call, "llvm."))
        return ret;
    LLVMTailCallKind kind = LLVMGetTailCallKind(call);
    if (kind != LLVMTailCallKindTail && kind != LLVMTailCallKindMustTail)
        return ret;
    if (kind == LLVMTailCallKindTail && passes_by_value(call))
        return ret; /* the frame is still read when the argument is copied */
    if (LLVMGetNumOperands(ret) > 0 && LLVMGetOperand(ret, 0) != call)
        return ret;
    return call;
}

/* The caller's stack pointer, counted back from the base where that is exact:
 * then only one of the two occupies a register throughout the function. */
static LLVMValueRef build_caller_stack(struct rewrite *rw, struct frame *frame) {
    if (frame->base == frame->sp || frame->align > 16)
        return frame->sp;
    LLVMValueRef size = rewrite_const(rw, frame->size);
    return LLVMBuildGEP2(rw->builder, rw->i8, frame->base, &size, 1, "");
}

static void pop_at_returns(struct rewrite *rw, struct frame *frame) {
    FOR_EACH_BLOCK(block, frame->function) {
        LLVMValueRef ret = LLVMGetBasicBlockTerminator(block);
        if (!LLVMIsAReturnInst(ret))
            continue;
        LLVMPositionBuilderBefore(rw->builder, pop_position(ret));
        build_store_stack(rw, build_caller_stack(rw, frame));
    }
}

static void drop_lifetimes(LLVMValueRef function) {
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION_SAFE(instruction, next, block)
            if (rewrite_is_intrinsic(instruction, "llvm.lifetime."))
                LLVMInstructionEraseFromParent(instruction);
}

static void move_frame(struct rewrite *rw, LLVMValueRef function, LLVMDIBuilderRef debug) {
    struct frame frame = {.function = function, .align = 16};
    frame_collect(rw, &frame);
    if (frame.locals.count || frame.dynamic.count || frame.twice.count || frame.saves.count) {
        drop_lifetimes(function);
        LLVMSetCurrentDebugLocation2(rw->builder, NULL);
        frame.body = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
        LLVMPositionBuilderBefore(rw->builder, frame.body);
        frame.sp = frame.base = build_load_stack(rw);
        if (frame.size || frame.align > 16)
            frame.base = build_push(rw, frame.sp, rewrite_const(rw, frame.size), frame.align,
                                    frame.size > RECUT_PROBE_SIZE);
        if (frame.base != frame.sp)
            build_store_stack(rw, frame.base);
        describe_locals(rw, &frame, debug);
        place_locals(rw, &frame);
        if (frame.locals.count)
            note_layout(rw, &frame);
        place_dynamic(rw, &frame);
        restore_after_twice(rw, &frame);
        if (frame.base != frame.sp || frame.dynamic.count)
            pop_at_returns(rw, &frame);
        rw->moved_functions++;
        rw->moved_locals += frame.locals.count + frame.dynamic.count;
    }
    frame_deinit(&frame);
}

void canonical_frame(struct rewrite *rw) {
    LLVMDIBuilderRef debug = LLVMCreateDIBuilderDisallowUnresolved(rw->module);
    FOR_EACH_FUNCTION(function, rw->module)
        if (!LLVMIsDeclaration(function) && !rewrite_left_out(function))
            move_frame(rw, function, debug);
    LLVMDisposeDIBuilder(debug);
}
