/*
 * The logging variant; see logging.h.
 *
 *     %v = load T, %p            ->  %q = call @__recut_loaded(%p, sizeof T, always)
 *                                    %v = load T, %q
 *     store T %v, %p             ->  %q = call @__recut_stored(%p, sizeof T)
 *                                    store T %v, %q
 *     memcpy(%d, %s, n)          ->  both
 *     %r = atomicrmw %p, ...     ->  on __recut_stored(%p); %r through __recut_logged
 *     call @strchr(%s, c)        ->  call @strchr(__recut_given_string(%s, always), c),
 *                                    and a result that points into it is moved back
 *
 * The instructions of the bitcode and those of the program model are numbered
 * alike, function by function.
 */
#include "instrument/logging.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/environment.h"
#include "analysis/pta.h"
#include "base/mem.h"
#include "instrument/variant.h"
#include "program/canonical/rewrite.h"

struct logging {
    struct variant *variant;
    const struct program *program;
    const struct model_table *models;
    const struct pta *pta;
    const struct environment *environment;
    bool is_static; /* memory of libraries is in the executable: addresses tell nothing */
    bool *wanted;   /* by function */
    struct logging_result *result;
};

/* --- what is needed ------------------------------------------------------------------ */

/* Variables of libraries that the program names are looked after by the
 * runtime (env.c). */
static bool is_import(const struct program *program, value_id address) {
    int64_t offset;
    value_id base = program_strip_offsets(program, address, &offset);
    return base != NO_ID && program->values.data[base].kind == VALUE_GLOBAL &&
           program->memory.data[program->values.data[base].definition].flags & MEMORY_EXTERNAL;
}

static uint8_t access_bits(const struct logging *logging, instruction_id id, enum access access) {
    const struct instruction *instruction = &logging->program->instructions.data[id];
    value_id address = access == ACCESS_READ ? instruction->read_at : instruction->written_at;
    uint8_t bits = environment_logged(environment_of_access(logging->environment, id, access));
    if (access == ACCESS_WRITE) /* what the environment may write, the program may write, too */
        bits &= ENVIRONMENT_OWNED | ENVIRONMENT_HANDLE;
    return bits && !is_import(logging->program, address) ? bits : 0;
}

static bool needs_variant(const struct logging *logging, function_id f) {
    const struct function *function = &logging->program->functions.data[f];
    for (uint32_t i = 0; i < function->instructions.count; i++) {
        instruction_id id = function->instructions.first + i;
        const struct instruction *instruction = &logging->program->instructions.data[id];
        if (instruction->read_at != NO_ID && access_bits(logging, id, ACCESS_READ))
            return true;
        if (instruction->written_at != NO_ID && access_bits(logging, id, ACCESS_WRITE))
            return true;
        for (uint32_t k = 0;
             instruction->flags & INSTRUCTION_CALL && k < instruction->operands.count; k++)
            if (environment_logged(environment_of_argument(logging->environment, id, k)))
                return true;
    }
    return false;
}

/* --- building calls of the runtime ---------------------------------------------------- */

static LLVMTypeRef i32(const struct logging *logging) {
    return LLVMInt32TypeInContext(logging->variant->context);
}

static LLVMValueRef always(const struct logging *logging, uint8_t bits) {
    bool value = (bits & ENVIRONMENT_WRITTEN) || logging->is_static;
    return LLVMConstInt(i32(logging), value, false);
}

static LLVMValueRef size_of(const struct logging *logging, LLVMTypeRef type) {
    return LLVMConstInt(logging->variant->i64, LLVMStoreSizeOfType(logging->variant->layout, type),
                        false);
}

static LLVMValueRef call_runtime(const struct logging *logging, const char *name,
                                 LLVMValueRef *arguments, unsigned count) {
    struct variant *variant = logging->variant;
    LLVMTypeRef types[4];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef result = strcmp(name, "__recut_logged") == 0 ? variant->i64
                         : strcmp(name, "__recut_given_list") == 0
                             ? LLVMVoidTypeInContext(variant->context)
                             : variant->ptr;
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    return LLVMBuildCall2(variant->builder, type, variant_runtime(variant, name, type), arguments,
                          count, "");
}

static LLVMValueRef loaded(const struct logging *logging, LLVMValueRef address, LLVMValueRef size,
                           uint8_t bits) {
    LLVMValueRef arguments[] = {address, size, always(logging, bits)};
    return call_runtime(logging, "__recut_loaded", arguments, 3);
}

static LLVMValueRef stored(const struct logging *logging, LLVMValueRef address, LLVMValueRef size) {
    return call_runtime(logging, "__recut_stored", (LLVMValueRef[]){address, size}, 2);
}

static LLVMValueRef widen(const struct logging *logging, LLVMValueRef value) {
    return LLVMBuildZExtOrBitCast(logging->variant->builder, value, logging->variant->i64, "");
}

/* --- accesses ------------------------------------------------------------------------- */

static void log_load(struct logging *logging, LLVMValueRef load, uint8_t bits) {
    LLVMSetOperand(
        load, 0,
        loaded(logging, LLVMGetOperand(load, 0), size_of(logging, LLVMTypeOf(load)), bits));
    LLVMSetAlignment(load, 1);
}

static void log_copy(struct logging *logging, LLVMValueRef call, uint8_t read, uint8_t written) {
    LLVMValueRef size = widen(logging, LLVMGetOperand(call, 2));
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
    return widen(logging, LLVMBuildBitCast(variant->builder, value, integer, ""));
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
    return from_bits(logging, call_runtime(logging, "__recut_logged", &bits, 1), LLVMTypeOf(value));
}

/* The operation is made on memory that is there; its result is logged. That of a
 * comparison and exchange has two parts. One
 * of 128 bits is not logged, and that is told. */
static void log_atomic(struct logging *logging, LLVMValueRef operation, LLVMValueRef next) {
    LLVMBuilderRef b = logging->variant->builder;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(operation, 1));
    LLVMSetOperand(operation, 0,
                   stored(logging, LLVMGetOperand(operation, 0), size_of(logging, type)));
    if (LLVMSizeOfTypeInBits(logging->variant->layout, type) > 64) {
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(operation));
        if (!logging->result->refused++)
            logging->result->refusal =
                mem_printf("%s: an atomic operation on 128 bits", rewrite_name(function));
        return;
    }
    VEC(LLVMValueRef) users = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(operation); use; use = LLVMGetNextUse(use))
        VEC_PUSH(&users, LLVMGetUser(use));
    LLVMPositionBuilderBefore(b, next);
    LLVMValueRef result = operation;
    if (LLVMIsAAtomicCmpXchgInst(operation))
        for (unsigned i = 0; i < 2; i++) {
            LLVMValueRef part = LLVMBuildExtractValue(b, operation, i, "");
            result = LLVMBuildInsertValue(b, result, logged(logging, part), i, "");
        }
    else
        result = logged(logging, operation);
    for (size_t i = 0; i < users.count; i++) {
        int count = LLVMGetNumOperands(users.data[i]);
        for (int k = 0; k < count; k++)
            if (LLVMGetOperand(users.data[i], (unsigned)k) == operation)
                LLVMSetOperand(users.data[i], (unsigned)k, result);
    }
    VEC_DEINIT(&users);
}

static void log_access(struct logging *logging, LLVMValueRef instruction, LLVMValueRef next,
                       uint8_t read, uint8_t written) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        log_load(logging, instruction, read);
        break;
    case LLVMStore:
        LLVMSetOperand(instruction, 1,
                       stored(logging, LLVMGetOperand(instruction, 1),
                              size_of(logging, LLVMTypeOf(LLVMGetOperand(instruction, 0)))));
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

/* --- arguments ------------------------------------------------------------------------ */

static LLVMValueRef term(struct logging *logging, LLVMValueRef call, struct model_term term) {
    struct variant *variant = logging->variant;
    LLVMValueRef parameter = term.value < LLVMGetNumArgOperands(call)
                                 ? LLVMGetOperand(call, term.value)
                                 : LLVMConstInt(variant->i64, 0, false);
    switch (term.kind) {
    case MODEL_TERM_CONSTANT:
        return LLVMConstInt(variant->i64, term.value, false);
    case MODEL_TERM_PARAM:
        return widen(logging, parameter);
    case MODEL_TERM_DEREF32:
        return widen(logging, LLVMBuildLoad2(variant->builder, i32(logging), parameter, ""));
    case MODEL_TERM_DEREF64:
        return LLVMBuildLoad2(variant->builder, variant->i64, parameter, "");
    default:
        return LLVMConstInt(variant->i64, 1, false);
    }
}

/* Bytes of a parameter, computed before the call. */
static LLVMValueRef length_of(struct logging *logging, LLVMValueRef call,
                              const struct model_param *param) {
    LLVMBuilderRef b = logging->variant->builder;
    const struct model_length *length = model_table_length(logging->models, param->length);
    LLVMTypeRef i64 = logging->variant->i64;
    if (length->factor[0].kind == MODEL_TERM_NONE)
        return LLVMConstInt(i64, 0, false);
    LLVMValueRef count = LLVMBuildMul(b, term(logging, call, length->factor[0]),
                                      term(logging, call, length->factor[1]), "");
    if (length->limit.kind != MODEL_TERM_NONE) {
        LLVMValueRef limit = term(logging, call, length->limit);
        count =
            LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, count, limit, ""), count, limit, "");
    }
    LLVMValueRef bytes = LLVMBuildMul(b, count, LLVMConstInt(i64, length->element, false), "");
    return LLVMBuildAdd(b, bytes, LLVMConstInt(i64, length->extra, false), "");
}

/* The pointer to pass instead. NULL: as it is. */
static LLVMValueRef given(struct logging *logging, LLVMValueRef call,
                          const struct model_function *model, uint32_t number, uint8_t bits) {
    LLVMValueRef pointer = LLVMGetOperand(call, number);
    LLVMValueRef always_value = always(logging, bits);
    if (number >= model->param_count) {
        int format = -1; /* the last string before it */
        for (uint32_t i = 0; i < model->param_count; i++)
            if (model_table_param(logging->models, model, i)->kind == MODEL_PARAM_STRING)
                format = (int)i;
        if (format < 0 || model->flags & MODEL_SCANS)
            return NULL;
        LLVMValueRef arguments[] = {pointer, LLVMGetOperand(call, (unsigned)format),
                                    LLVMConstInt(i32(logging), number - model->param_count, false),
                                    always_value};
        return call_runtime(logging, "__recut_given_format", arguments, 4);
    }
    const struct model_param *param = model_table_param(logging->models, model, number);
    switch (param->kind) {
    case MODEL_PARAM_STRING:
    case MODEL_PARAM_INOUT_STRING:
        if (param->length) { /* it may end without a NUL */
            LLVMValueRef arguments[] = {pointer, length_of(logging, call, param), always_value};
            return call_runtime(logging, "__recut_given", arguments, 3);
        }
        return call_runtime(logging, "__recut_given_string",
                            (LLVMValueRef[]){pointer, always_value}, 2);
    case MODEL_PARAM_IN:
    case MODEL_PARAM_INOUT: {
        LLVMValueRef arguments[] = {pointer, length_of(logging, call, param), always_value};
        return call_runtime(logging, "__recut_given", arguments, 3);
    }
    default:
        return NULL;
    }
}

/* Results that point into an argument point into what the program passed. */
static void move_result(struct logging *logging, LLVMValueRef call, LLVMValueRef next,
                        LLVMValueRef original, LLVMValueRef passed) {
    LLVMBuilderRef b = logging->variant->builder;
    LLVMTypeRef i64 = logging->variant->i64;
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMPointerTypeKind || !LLVMGetFirstUse(call))
        return;
    LLVMPositionBuilderBefore(b, next);
    LLVMValueRef number = LLVMBuildPtrToInt(b, call, i64, "");
    LLVMValueRef distance = LLVMBuildSub(b, LLVMBuildPtrToInt(b, original, i64, ""),
                                         LLVMBuildPtrToInt(b, passed, i64, ""), "");
    LLVMValueRef moved =
        LLVMBuildIntToPtr(b, LLVMBuildAdd(b, number, distance, ""), logging->variant->ptr, "");
    LLVMValueRef none = LLVMBuildIsNull(b, call, "");
    LLVMValueRef result = LLVMBuildSelect(b, none, LLVMConstNull(logging->variant->ptr), moved, "");
    LLVMReplaceAllUsesWith(call, result);
    LLVMSetOperand(number, 0, call);
    LLVMSetOperand(none, 0, call);
}

static const struct model_function *model_of(const struct logging *logging, instruction_id id) {
    uint32_t count;
    const function_id *callees = pta_callees(logging->pta, id, &count);
    for (uint32_t i = 0; i < count; i++)
        if (callees[i] != NO_ID && pta_model(logging->pta, callees[i]))
            return pta_model(logging->pta, callees[i]);
    return NULL;
}

/* Strings behind a va_list are not seen by the analysis, one by one: all of them
 * are logged. */
static void log_list(struct logging *logging, LLVMValueRef call,
                     const struct model_function *model) {
    int format = -1, list = -1;
    for (uint32_t i = 0; i < model->param_count; i++) {
        uint8_t kind = model_table_param(logging->models, model, i)->kind;
        if (kind == MODEL_PARAM_STRING)
            format = (int)i;
        if (kind == MODEL_PARAM_VALIST)
            list = (int)i;
    }
    if (format < 0 || list < 0 || model->flags & MODEL_SCANS)
        return;
    LLVMPositionBuilderBefore(logging->variant->builder, call);
    LLVMValueRef arguments[] = {LLVMGetOperand(call, (unsigned)list),
                                LLVMGetOperand(call, (unsigned)format)};
    call_runtime(logging, "__recut_given_list", arguments, 2);
    logging->result->arguments++;
}

static bool takes_list(const struct logging *logging, instruction_id id) {
    const struct model_function *model = model_of(logging, id);
    for (uint32_t i = 0; model && i < model->param_count; i++)
        if (model_table_param(logging->models, model, i)->kind == MODEL_PARAM_VALIST)
            return !(model->flags & MODEL_SCANS);
    return false;
}

static void log_arguments(struct logging *logging, LLVMValueRef call, LLVMValueRef next,
                          instruction_id id) {
    const struct model_function *model = model_of(logging, id);
    unsigned count = LLVMGetNumArgOperands(call);
    if (model)
        log_list(logging, call, model);
    for (unsigned i = 0; model && i < count; i++) {
        uint8_t bits = environment_logged(environment_of_argument(logging->environment, id, i));
        if (!bits)
            continue;
        LLVMPositionBuilderBefore(logging->variant->builder, call);
        LLVMValueRef original = LLVMGetOperand(call, i);
        LLVMValueRef passed = given(logging, call, model, i, bits);
        if (!passed)
            continue;
        LLVMSetOperand(call, i, passed);
        logging->result->arguments++;
        bool points_back =
            (model->result == MODEL_RESULT_INTO || model->result == MODEL_RESULT_ARGUMENT) &&
            model->result_param == i;
        if (points_back)
            move_result(logging, call, next, original, passed);
    }
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
        uint8_t read = known->read_at != NO_ID ? access_bits(logging, id, ACCESS_READ) : 0;
        uint8_t written = known->written_at != NO_ID ? access_bits(logging, id, ACCESS_WRITE) : 0;
        LLVMValueRef next = LLVMGetNextInstruction(instruction);
        LLVMPositionBuilderBefore(logging->variant->builder, instruction);
        LLVMSetCurrentDebugLocation2(logging->variant->builder,
                                     LLVMInstructionGetDebugLoc(instruction));
        if (read || written)
            log_access(logging, instruction, next, read, written);
        else if (known->flags & INSTRUCTION_CALL)
            log_arguments(logging, instruction, next, id);
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

static bool is_wanted(LLVMValueRef function, void *data) {
    const struct logging *logging = data;
    function_id f = find_function(logging, function);
    return f != NO_ID && logging->wanted[f];
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

static struct error *build(struct logging *logging, const struct embedded *embedded,
                           const char *image_path) {
    struct variant variant;
    struct error *err = variant_begin(embedded, &variant);
    if (err)
        return err;
    logging->variant = &variant;
    variant_choose(&variant, is_wanted, logging);
    note_refusals(logging);
    for (size_t i = 0; i < variant.values.count; i++)
        if (variant.values.data[i].swapped)
            log_function(logging, variant.values.data[i].value,
                         find_function(logging, variant.values.data[i].value));
    logging->result->functions = (uint32_t)variant.swapped_count;
    err = variant_finish(
        &variant, &(struct variant_output){.kind = VARIANT_LOGGING, .image_path = image_path});
    variant_deinit(&variant);
    return err;
}

struct error *logging_build(const char *program_path, const struct embedded *embedded,
                            const struct model_table *models, const char *image_path,
                            struct logging_result *ret) {
    struct program *program;
    struct error *err = program_open(program_path, &program);
    if (err)
        return err;
    *ret = (struct logging_result){0};
    struct pta_options options = {
        .models = models,
        /* A library may have found one of ours before its own. */
        .visible_escapes = embedded_exports_functions(program_path),
    };
    struct pta *pta = pta_build(program, &options);
    struct environment *environment = environment_build(pta);
    struct logging logging = {
        .program = program,
        .models = models,
        .pta = pta,
        .environment = environment,
        .is_static = embedded->is_static,
        .wanted = mem_zalloc(program->functions.count + 1, sizeof(bool)),
        .result = ret,
    };
    bool any = false;
    for (function_id f = 0; f < program->functions.count; f++)
        any |= logging.wanted[f] = needs_variant(&logging, f);
    for (instruction_id i = 0; any && i < program->instructions.count; i++)
        if (program->instructions.data[i].flags & INSTRUCTION_CALL && takes_list(&logging, i))
            logging.wanted[program_function_of(program, i)] = true;
    if (any)
        err = build(&logging, embedded, image_path);
    free(logging.wanted);
    environment_free(environment);
    pta_free(pta);
    program_free(program);
    return err;
}
