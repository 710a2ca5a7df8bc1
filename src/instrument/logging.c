/*
 * The logging variant; see logging.h.
 *
 *     %v = load T, %p            ->  %q = call @__recut_loaded(%p, sizeof T, always)
 *                                    %v = load T, %q
 *     store T %v, %p             ->  %q = call @__recut_stored(%p, sizeof T)
 *                                    store T %v, %q
 *     memcpy(%d, %s, n)          ->  both
 *     %r = atomicrmw %p, ...     ->  on __recut_stored(%p); %r through __recut_logged,
 *                                    and the same for atomic loads, which have to be aligned
 *     call @strchr(%s, c)        ->  logging_arguments.c
 *
 * The instructions of the bitcode and those of the program model are numbered
 * alike, function by function.
 */
#include "instrument/logging.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pta.h"
#include "base/mem.h"
#include "instrument/logging_impl.h"
#include "instrument/races.h"
#include "instrument/shadow.h"
#include "instrument/ticks.h"
#include "program/canonical/rewrite.h"

/* --- accesses ------------------------------------------------------------------------- */

static LLVMValueRef size_of(const struct logging *logging, LLVMTypeRef type) {
    return LLVMConstInt(logging->variant->i64, LLVMStoreSizeOfType(logging->variant->layout, type),
                        false);
}

static LLVMValueRef loaded(const struct logging *logging, LLVMValueRef address, LLVMValueRef size,
                           uint8_t bits) {
    LLVMValueRef arguments[] = {
        address, size, LLVMConstInt(logging_i32(logging), logging_always(logging, bits), false)};
    return logging_call(logging, "__recut_loaded", arguments, 3);
}

static LLVMValueRef stored(const struct logging *logging, LLVMValueRef address, LLVMValueRef size) {
    return logging_call(logging, "__recut_stored", (LLVMValueRef[]){address, size}, 2);
}

static void log_load(struct logging *logging, LLVMValueRef load, uint8_t bits) {
    LLVMSetOperand(
        load, 0,
        loaded(logging, LLVMGetOperand(load, 0), size_of(logging, LLVMTypeOf(load)), bits));
    LLVMSetAlignment(load, 1);
}

static void log_copy(struct logging *logging, LLVMValueRef call, uint8_t read, uint8_t written) {
    LLVMValueRef size = logging_widen(logging, LLVMGetOperand(call, 2));
    if (read)
        LLVMSetOperand(call, 1, loaded(logging, LLVMGetOperand(call, 1), size, read));
    if (written)
        LLVMSetOperand(call, 0, stored(logging, LLVMGetOperand(call, 0), size));
    /* What stands for an operand now is not aligned. */
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMRemoveCallSiteEnumAttribute(call, 1, align);
    LLVMRemoveCallSiteEnumAttribute(call, 2, align);
}

/* A number of any kind as 64 bits, and back. NULL: it is wider. */
static LLVMValueRef as_bits(const struct logging *logging, LLVMValueRef value) {
    struct variant *variant = logging->variant;
    LLVMTypeRef type = LLVMTypeOf(value);
    uint64_t bits = LLVMSizeOfTypeInBits(variant->layout, type);
    if (bits > 64)
        return NULL;
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(variant->builder, value, variant->i64, "");
    LLVMTypeRef integer = LLVMIntTypeInContext(variant->context, (unsigned)bits);
    return logging_widen(logging, LLVMBuildBitCast(variant->builder, value, integer, ""));
}

static LLVMValueRef from_bits(const struct logging *logging, LLVMValueRef bits, LLVMTypeRef type) {
    struct variant *variant = logging->variant;
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(variant->builder, bits, type, "");
    unsigned width = (unsigned)LLVMSizeOfTypeInBits(variant->layout, type);
    LLVMTypeRef integer = LLVMIntTypeInContext(variant->context, width);
    LLVMValueRef narrow = LLVMBuildTruncOrBitCast(variant->builder, bits, integer, "");
    return LLVMBuildBitCast(variant->builder, narrow, type, "");
}

static LLVMValueRef logged(const struct logging *logging, LLVMValueRef value) {
    LLVMValueRef bits = as_bits(logging, value);
    if (!bits)
        return value;
    return from_bits(logging, logging_call(logging, "__recut_logged", &bits, 1), LLVMTypeOf(value));
}

/* Who uses a value, before there are new ones. */
struct users {
    VEC(LLVMValueRef) list;
};

static struct users users_of(LLVMValueRef value) {
    struct users users = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        VEC_PUSH(&users.list, LLVMGetUser(use));
    return users;
}

/* They get another one. */
static void give_users(struct users *users, LLVMValueRef value, LLVMValueRef other) {
    for (size_t i = 0; i < users->list.count; i++) {
        int count = LLVMGetNumOperands(users->list.data[i]);
        for (int k = 0; k < count; k++)
            if (LLVMGetOperand(users->list.data[i], (unsigned)k) == value)
                LLVMSetOperand(users->list.data[i], (unsigned)k, other);
    }
    VEC_DEINIT(&users->list);
}

/* The operation is made on memory that is there; its result is logged. That of a
 * comparison and exchange has two parts. One
 * of 128 bits is not logged, and that is told. */
static void log_atomic(struct logging *logging, LLVMValueRef operation, LLVMValueRef next) {
    LLVMBuilderRef b = logging->variant->builder;
    LLVMTypeRef type =
        LLVMTypeOf(LLVMIsALoadInst(operation) ? operation : LLVMGetOperand(operation, 1));
    LLVMSetOperand(operation, 0,
                   stored(logging, LLVMGetOperand(operation, 0), size_of(logging, type)));
    if (LLVMSizeOfTypeInBits(logging->variant->layout, type) > 64) {
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(operation));
        if (!logging->result->refused++)
            logging->result->refusal =
                mem_printf("%s: an atomic operation on 128 bits", rewrite_name(function));
        return;
    }
    struct users users = users_of(operation);
    LLVMPositionBuilderBefore(b, next);
    LLVMValueRef result = operation;
    if (LLVMIsAAtomicCmpXchgInst(operation))
        for (unsigned i = 0; i < 2; i++) {
            LLVMValueRef part = LLVMBuildExtractValue(b, operation, i, "");
            result = LLVMBuildInsertValue(b, result, logged(logging, part), i, "");
        }
    else
        result = logged(logging, operation);
    give_users(&users, operation, result);
}

static LLVMValueRef logged_at(const struct logging *logging, LLVMValueRef value,
                              LLVMValueRef address) {
    LLVMValueRef bits = as_bits(logging, value);
    if (!bits)
        return value;
    LLVMValueRef arguments[] = {bits, address};
    return from_bits(logging, logging_call(logging, "__recut_logged_at", arguments, 2),
                     LLVMTypeOf(value));
}

/* What assembly finds in memory that others write comes out of it in registers. */
static void log_assembly(struct logging *logging, LLVMValueRef call, LLVMValueRef next) {
    LLVMBuilderRef b = logging->variant->builder;
    LLVMValueRef address = rewrite_atomic_address(call);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(call));
    if (kind == LLVMVoidTypeKind)
        return;
    struct users users = users_of(call);
    LLVMPositionBuilderBefore(b, next);
    LLVMValueRef result = call;
    unsigned parts = kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(LLVMTypeOf(call)) : 0;
    for (unsigned i = 0; i < parts; i++) {
        LLVMValueRef part = LLVMBuildExtractValue(b, call, i, "");
        result = LLVMBuildInsertValue(b, result, logged_at(logging, part, address), i, "");
    }
    if (!parts)
        result = logged_at(logging, call, address);
    give_users(&users, call, result);
}

static void log_access(struct logging *logging, LLVMValueRef instruction, LLVMValueRef next,
                       uint8_t read, uint8_t written) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        if (LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic)
            log_atomic(logging, instruction, next);
        else
            log_load(logging, instruction, read);
        break;
    case LLVMStore:
        LLVMSetOperand(instruction, 1,
                       stored(logging, LLVMGetOperand(instruction, 1),
                              size_of(logging, LLVMTypeOf(LLVMGetOperand(instruction, 0)))));
        if (LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic)
            LLVMSetAlignment(instruction, 1);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        log_atomic(logging, instruction, next);
        break;
    case LLVMCall:
        log_copy(logging, instruction, read, written);
        break;
    default:
        return;
    }
    logging->result->accesses++;
}

/* A struct that is an argument is read when the call is made: the copy is made of one that is
 * there. */
static void log_by_value(struct logging *logging, LLVMValueRef call, instruction_id id) {
    const struct instruction *known = &logging->program->instructions.data[id];
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    for (uint32_t i = 0; i < known->operands.count; i++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, i + 1, byval);
        uint8_t bits = logging_facts_bits(&logging->facts, id, FACT_BY_VALUE, i);
        if (!attribute || !bits)
            continue;
        LLVMValueRef arguments[] = {
            LLVMGetOperand(call, i), size_of(logging, LLVMGetTypeAttributeValue(attribute)),
            LLVMConstInt(logging_i32(logging), logging_always(logging, bits), false)};
        LLVMSetOperand(call, i, logging_call(logging, "__recut_given", arguments, 3));
        logging->result->accesses++;
    }
}

/* --- atomic operations ---------------------------------------------------------------- */

/* A load reads what the runtime loaded for it; but if that is to be logged as well, it is
 * ordered like any operation. */
static bool order_load(struct logging *logging, LLVMValueRef load) {
    struct variant *variant = logging->variant;
    uint64_t size = LLVMStoreSizeOfType(variant->layout, LLVMTypeOf(load));
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return false;
    LLVMTypeRef types[] = {variant->ptr, variant->i64};
    LLVMTypeRef type = LLVMFunctionType(variant->ptr, types, 2, false);
    LLVMValueRef arguments[] = {LLVMGetOperand(load, 0), LLVMConstInt(variant->i64, size, false)};
    LLVMPositionBuilderBefore(variant->builder, load);
    LLVMSetOperand(load, 0,
                   LLVMBuildCall2(variant->builder, type,
                                  variant_runtime(variant, "__recut_atomic_load", type), arguments,
                                  2, ""));
    logging->result->accesses++;
    return true;
}

/* Around an operation, which stays as it is. */
static void order_atomic(struct logging *logging, LLVMValueRef operation, bool is_logged) {
    struct variant *variant = logging->variant;
    LLVMValueRef address = rewrite_atomic_address(operation);
    if (!is_logged && LLVMIsALoadInst(operation) && order_load(logging, operation))
        return;
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(variant->context), &variant->ptr, 1, false);
    LLVMPositionBuilderBefore(variant->builder, operation);
    LLVMBuildCall2(variant->builder, type, variant_runtime(variant, "__recut_atomic_enter", type),
                   &address, 1, "");
    LLVMPositionBuilderBefore(variant->builder, LLVMGetNextInstruction(operation));
    LLVMBuildCall2(variant->builder, type, variant_runtime(variant, "__recut_atomic_leave", type),
                   &address, 1, "");
    logging->result->accesses++;
}

/* --- functions that have no name ------------------------------------------------------ */

/* The runtime says what to call instead (runtime/dynamic.h). */
static void redirect(struct logging *logging, LLVMValueRef call) {
    struct variant *variant = logging->variant;
    LLVMValueRef called = LLVMGetCalledValue(call);
    LLVMTypeRef type = LLVMFunctionType(variant->ptr, &variant->ptr, 1, false);
    LLVMValueRef target = LLVMBuildCall2(
        variant->builder, type, variant_runtime(variant, "__recut_target", type), &called, 1, "");
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, target);
}

/* --- functions ------------------------------------------------------------------------ */

static void log_function(struct logging *logging, LLVMValueRef llvm, function_id f) {
    instruction_id id = logging->program->functions.data[f].instructions.first;
    VEC(LLVMValueRef) instructions = {0};
    FOR_EACH_BLOCK(block, llvm)
        FOR_EACH_INSTRUCTION(instruction, block)
            if (!rewrite_is_intrinsic(instruction, "llvm.dbg."))
                VEC_PUSH(&instructions, instruction);
    for (size_t i = 0; i < instructions.count; i++, id++) {
        LLVMValueRef instruction = instructions.data[i];
        const struct instruction *known = &logging->program->instructions.data[id];
        uint8_t read = logging_facts_bits(&logging->facts, id, FACT_READ, 0);
        uint8_t written = logging_facts_bits(&logging->facts, id, FACT_WRITTEN, 0);
        if (!read && !written && rewrite_looks_into_handle(instruction))
            *(LLVMIsALoadInst(instruction) ? &read : &written) = ENVIRONMENT_HANDLE;
        if (logging->options->atomics && rewrite_atomic_address(instruction))
            order_atomic(logging, instruction, read != 0);
        if (!logging->options->loads)
            continue;
        LLVMValueRef next = LLVMGetNextInstruction(instruction);
        LLVMPositionBuilderBefore(logging->variant->builder, instruction);
        LLVMSetCurrentDebugLocation2(logging->variant->builder,
                                     LLVMInstructionGetDebugLoc(instruction));
        bool is_call = LLVMIsACallInst(instruction) != NULL;
        if (is_call && LLVMIsAInlineAsm(LLVMGetCalledValue(instruction))) {
            if (rewrite_atomic_address(instruction))
                log_assembly(logging, instruction, next);
        } else if (read || written)
            log_access(logging, instruction, next, read, written);
        else if (known->flags & INSTRUCTION_CALL) {
            if (known->flags & INSTRUCTION_BY_VALUE)
                log_by_value(logging, instruction, id);
            if (logging_facts_bits(&logging->facts, id, FACT_NAMELESS, 0))
                redirect(logging, instruction);
            logging_arguments(logging, instruction, next, id);
        }
    }
    VEC_DEINIT(&instructions);
}

static function_id find_function(const struct logging *logging, LLVMValueRef function) {
    const char *name = rewrite_name(function);
    for (function_id f = 0; f < logging->program->functions.count; f++)
        if (strcmp(logging->program->functions.data[f].name, name) == 0)
            return f;
    return NO_ID;
}

/* An access to a stream whose address may be many things, as far as the analysis knows,
 * is still one to a stream: gnulib's fseeko() stores to one. */
static bool needs_types(const struct logging *logging, LLVMValueRef function) {
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION(instruction, block)
            if ((logging->options->loads && rewrite_looks_into_handle(instruction)) ||
                (logging->options->atomics && rewrite_atomic_address(instruction)))
                return true;
    return false;
}

/* Is it in a variant that is recorded with? */
static bool is_recorded(const struct logging *logging, LLVMValueRef function, function_id f) {
    return logging->options->ticks || logging->wanted[f] || needs_types(logging, function);
}

static bool has_shadow(const struct logging *logging, LLVMValueRef function) {
    for (const char *const *name = logging->options->shadow; name && *name; name++)
        if (strcmp(rewrite_name(function), *name) == 0)
            return true;
    return false;
}

/* Over another image there are those with a shadow stack alone, and what is copied for these. */
static bool is_wanted(LLVMValueRef function, void *data) {
    const struct logging *logging = data;
    function_id f = find_function(logging, function);
    if (f == NO_ID || (logging->options->over && !has_shadow(logging, function) &&
                       LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage))
        return false;
    return logging->options->races || is_recorded(logging, function, f) ||
           has_shadow(logging, function);
}

static void note_refusals(struct logging *logging) {
    for (size_t i = 0; i < logging->variant->values.count; i++) {
        const struct variant_value *value = &logging->variant->values.data[i];
        if (!value->refusal || !LLVMIsAFunction(value->value) || !is_wanted(value->value, logging))
            continue;
        if (!logging->result->refused++)
            logging->result->refusal =
                mem_printf("%s: %s", rewrite_name(value->value), value->refusal);
    }
}

static void change(struct logging *logging, LLVMValueRef function) {
    const struct logging_options *options = logging->options;
    function_id f = find_function(logging, function);
    struct races races = {0};
    if (options->races)
        races_find(logging->variant, function, &races);
    if (is_recorded(logging, function, f)) {
        log_function(logging, function, f);
        if (options->ticks)
            ticks_add(logging->variant, function, options->dense);
    }
    if (options->races)
        races_add(logging->variant, function, &races);
    if (has_shadow(logging, function))
        shadow_add(logging->variant, function,
                   &(struct shadow_options){.number = f, .tells = true});
}

static uint64_t features(const struct logging_options *options) {
    return (options->loads ? VARIANT_LOADS : 0) | (options->atomics ? VARIANT_ATOMICS : 0) |
           (options->ticks ? VARIANT_TICKS : 0) | (options->dense ? VARIANT_ACCESSES : 0) |
           (options->races ? VARIANT_RACES : 0) | (options->shadow ? VARIANT_SHADOW : 0);
}

static struct error *build(struct logging *logging) {
    struct variant variant;
    struct error *err = variant_begin(logging->options->embedded, &variant);
    if (err)
        return err;
    logging->variant = &variant;
    variant_choose(&variant, is_wanted, logging);
    if (!logging->options->over)
        note_refusals(logging);
    for (size_t i = 0; i < variant.values.count; i++)
        if (variant.values.data[i].swapped)
            change(logging, variant.values.data[i].value);
    logging->result->functions = (uint32_t)variant.swapped_count;
    struct variant_output output = {.kind = VARIANT_LOGGING,
                                    .features = features(logging->options),
                                    .image_path = logging->options->image_path,
                                    .over = logging->options->over};
    if (logging->options->loads && !logging->options->over)
        logging_facts_pack(&logging->facts, &output.facts, &output.facts_size, logging->program);
    if (variant.swapped_count)
        err = variant_finish(&variant, &output);
    free(output.facts);
    variant_deinit(&variant);
    return err;
}

/* What the image knows that this one is to lie over; else it is found out. */
static void find_facts(struct logging *logging) {
    const struct logging_options *options = logging->options;
    const struct program *program = logging->program;
    if (!options->loads)
        return;
    if (!options->over || !logging_facts_read(options->over, program, &logging->facts)) {
        struct pta *pta = pta_build(program, &(struct pta_options){.models = options->models});
        struct environment *environment = environment_build(pta);
        logging_facts_find(environment, pta, &logging->facts);
        environment_free(environment);
        pta_free(pta);
    }
    for (size_t i = 0; i < logging->facts.list.count; i++)
        logging->wanted[program_function_of(program, logging->facts.list.data[i].instruction)] =
            true;
}

static struct error *build_of(const struct logging_options *options, const struct program *program,
                              struct logging_result *ret) {
    *ret = (struct logging_result){0};
    struct logging logging = {
        .options = options,
        .program = program,
        .models = options->models,
        .is_static = options->embedded->is_static,
        .wanted = mem_zalloc(program->functions.count + 1, sizeof(bool)),
        .result = ret,
    };
    find_facts(&logging);
    struct error *err = build(&logging);
    free(logging.wanted);
    logging_facts_deinit(&logging.facts);
    return err;
}

struct error *logging_build(const struct logging_options *options, struct logging_result *ret) {
    struct program *program;
    if (options->program)
        return build_of(options, options->program, ret);
    struct error *err = program_open(options->program_path, &program);
    if (err)
        return err;
    err = build_of(options, program, ret);
    program_free(program);
    return err;
}
