/*
 * The logging variant: what functions of the environment are given to read.
 *
 *     call @strchr(%s, c)        ->  call @strchr(__recut_given_string(%s, how), c),
 *                                    and a result that points into it is moved back
 *     call %f(%p)                ->  the same for each function that it may enter, with
 *                                    %f compared when it runs
 */
#include <string.h>

#include "instrument/logging_impl.h"

LLVMTypeRef logging_i32(const struct logging *logging) {
    return LLVMInt32TypeInContext(logging->variant->context);
}

uint32_t logging_always(const struct logging *logging, uint8_t bits) {
    return (bits & ENVIRONMENT_WRITTEN) || logging->is_static ? ACCESS_ALWAYS : 0;
}

LLVMValueRef logging_call(const struct logging *logging, const char *name, LLVMValueRef *arguments,
                          unsigned count) {
    struct variant *variant = logging->variant;
    LLVMTypeRef types[4];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef result = strncmp(name, "__recut_logged", 14) == 0 ? variant->i64
                         : strcmp(name, "__recut_given_list") == 0
                             ? LLVMVoidTypeInContext(variant->context)
                             : variant->ptr;
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    return LLVMBuildCall2(variant->builder, type, variant_runtime(variant, name, type), arguments,
                          count, "");
}

LLVMValueRef logging_widen(const struct logging *logging, LLVMValueRef value) {
    return LLVMBuildZExtOrBitCast(logging->variant->builder, value, logging->variant->i64, "");
}

/* A call, as one of the functions sees it that it may enter. */
struct entry {
    LLVMValueRef call;
    const struct model_function *model;
    LLVMValueRef is_entered; /* NULL: it can enter no other */
};

/* A pointer that may be looked at, whichever function is entered. */
static LLVMValueRef readable(struct logging *logging, const struct entry *entry,
                             LLVMValueRef pointer) {
    struct variant *variant = logging->variant;
    if (!entry->is_entered)
        return pointer;
    LLVMValueRef zero = LLVMGetNamedGlobal(variant->module, "recut.zero");
    if (!zero) {
        zero = LLVMAddGlobal(variant->module, variant->i64, "recut.zero");
        LLVMSetInitializer(zero, LLVMConstInt(variant->i64, 0, false));
        LLVMSetLinkage(zero, LLVMInternalLinkage);
    }
    return LLVMBuildSelect(variant->builder, entry->is_entered, pointer, zero, "");
}

static LLVMValueRef how_of(struct logging *logging, const struct entry *entry, uint32_t how) {
    LLVMValueRef value = LLVMConstInt(logging_i32(logging), how, false);
    if (!entry->is_entered)
        return value;
    return LLVMBuildSelect(logging->variant->builder, entry->is_entered, value,
                           LLVMConstInt(logging_i32(logging), ACCESS_NOT_ENTERED, false), "");
}

static bool is_pointer(LLVMValueRef value) {
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static LLVMValueRef term(struct logging *logging, const struct entry *entry,
                         struct model_term term) {
    struct variant *variant = logging->variant;
    LLVMValueRef zero = LLVMConstInt(variant->i64, 0, false);
    LLVMValueRef parameter = term.value < LLVMGetNumArgOperands(entry->call)
                                 ? LLVMGetOperand(entry->call, term.value)
                                 : zero;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(parameter));
    switch (term.kind) {
    case MODEL_TERM_CONSTANT:
        return LLVMConstInt(variant->i64, term.value, false);
    case MODEL_TERM_PARAM: /* no integer: then another function is entered */
        return kind == LLVMIntegerTypeKind ? logging_widen(logging, parameter) : zero;
    case MODEL_TERM_DEREF32:
        return kind != LLVMPointerTypeKind
                   ? zero
                   : logging_widen(logging,
                                   LLVMBuildLoad2(variant->builder, logging_i32(logging),
                                                  readable(logging, entry, parameter), ""));
    case MODEL_TERM_DEREF64:
        return kind != LLVMPointerTypeKind
                   ? zero
                   : LLVMBuildLoad2(variant->builder, variant->i64,
                                    readable(logging, entry, parameter), "");
    default:
        return LLVMConstInt(variant->i64, 1, false);
    }
}

/* Bytes of a parameter, computed before the call. */
static LLVMValueRef length_of(struct logging *logging, const struct entry *entry,
                              const struct model_param *param) {
    LLVMBuilderRef b = logging->variant->builder;
    const struct model_length *length = model_table_length(logging->models, param->length);
    LLVMTypeRef i64 = logging->variant->i64;
    if (length->factor[0].kind == MODEL_TERM_NONE)
        return LLVMConstInt(i64, 0, false);
    LLVMValueRef count = LLVMBuildMul(b, term(logging, entry, length->factor[0]),
                                      term(logging, entry, length->factor[1]), "");
    if (length->limit.kind != MODEL_TERM_NONE) {
        LLVMValueRef limit = term(logging, entry, length->limit);
        count =
            LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, count, limit, ""), count, limit, "");
    }
    LLVMValueRef bytes = LLVMBuildMul(b, count, LLVMConstInt(i64, length->element, false), "");
    return LLVMBuildAdd(b, bytes, LLVMConstInt(i64, length->extra, false), "");
}

/* Number of the parameter that is a printf format: the last string. -1: none. */
static int format_of(const struct logging *logging, const struct entry *entry) {
    int format = -1;
    for (uint32_t i = 0; i < entry->model->param_count; i++)
        if (model_table_param(logging->models, entry->model, i)->kind == MODEL_PARAM_STRING)
            format = (int)i;
    bool is_there = format >= 0 && !(entry->model->flags & MODEL_SCANS) &&
                    (unsigned)format < LLVMGetNumArgOperands(entry->call) &&
                    is_pointer(LLVMGetOperand(entry->call, (unsigned)format));
    return is_there ? format : -1;
}

/* The pointer to pass instead. NULL: as it is. */
static LLVMValueRef given(struct logging *logging, const struct entry *entry, uint32_t number,
                          uint8_t bits) {
    const struct model_function *model = entry->model;
    LLVMValueRef pointer = LLVMGetOperand(entry->call, number);
    uint32_t how = logging_always(logging, bits);
    if (number >= model->param_count) {
        int format = format_of(logging, entry);
        if (format < 0)
            return NULL;
        LLVMValueRef arguments[] = {
            pointer, LLVMGetOperand(entry->call, (unsigned)format),
            LLVMConstInt(logging_i32(logging), number - model->param_count, false),
            how_of(logging, entry, how)};
        return logging_call(logging, "__recut_given_format", arguments, 4);
    }
    const struct model_param *param = model_table_param(logging->models, model, number);
    bool is_string = param->kind == MODEL_PARAM_STRING || param->kind == MODEL_PARAM_INOUT_STRING;
    bool is_written = param->kind == MODEL_PARAM_INOUT || param->kind == MODEL_PARAM_INOUT_STRING;
    if (!is_string && !is_written && param->kind != MODEL_PARAM_IN)
        return NULL;
    if (is_written && model->flags & MODEL_ORDERS) /* what is in it is the replay's own */
        return NULL;
    how |= is_written ? ACCESS_FOR_WRITING : is_string && param->length ? ACCESS_TEXT : 0;
    LLVMValueRef how_value = how_of(logging, entry, how);
    if (is_string && !param->length)
        return logging_call(logging, "__recut_given_string", (LLVMValueRef[]){pointer, how_value},
                            2);
    /* A string with a length may end without a NUL. */
    LLVMValueRef arguments[] = {pointer, length_of(logging, entry, param), how_value};
    return logging_call(logging, "__recut_given", arguments, 3);
}

/* Results that point into an argument point into what the program passed. */
static void move_result(struct logging *logging, LLVMValueRef call, LLVMValueRef next,
                        LLVMValueRef original, LLVMValueRef passed) {
    LLVMBuilderRef b = logging->variant->builder;
    LLVMTypeRef i64 = logging->variant->i64;
    if (!is_pointer(call) || !LLVMGetFirstUse(call))
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

/* Number of the parameter that is a list of arguments for a format. -1: none. */
static int list_of(const struct logging *logging, const struct model_function *model) {
    for (uint32_t i = 0; i < model->param_count; i++)
        if (model_table_param(logging->models, model, i)->kind == MODEL_PARAM_VALIST)
            return model->flags & MODEL_SCANS ? -1 : (int)i;
    return -1;
}

/* Strings behind a va_list are not seen by the analysis, one by one: all of them
 * are logged. */
static void log_list(struct logging *logging, const struct entry *entry) {
    int list = list_of(logging, entry->model), format = format_of(logging, entry);
    if (format < 0 || list < 0 || (unsigned)list >= LLVMGetNumArgOperands(entry->call) ||
        !is_pointer(LLVMGetOperand(entry->call, (unsigned)list)))
        return;
    LLVMPositionBuilderBefore(logging->variant->builder, entry->call);
    LLVMValueRef arguments[] = {LLVMGetOperand(entry->call, (unsigned)list),
                                LLVMGetOperand(entry->call, (unsigned)format),
                                how_of(logging, entry, ACCESS_ALWAYS)};
    logging_call(logging, "__recut_given_list", arguments, 3);
    logging->result->arguments++;
}

static void log_entry(struct logging *logging, const struct entry *entry, LLVMValueRef next,
                      instruction_id id) {
    const struct model_function *model = entry->model;
    log_list(logging, entry);
    unsigned count = LLVMGetNumArgOperands(entry->call);
    for (unsigned i = 0; i < count; i++) {
        uint8_t bits = logging_facts_bits(&logging->facts, id, FACT_ARGUMENT, i);
        LLVMValueRef original = LLVMGetOperand(entry->call, i);
        if (!bits || !is_pointer(original))
            continue;
        LLVMPositionBuilderBefore(logging->variant->builder, entry->call);
        LLVMValueRef passed = given(logging, entry, i, bits);
        if (!passed)
            continue;
        LLVMSetOperand(entry->call, i, passed);
        logging->result->arguments++;
        bool points_back =
            (model->result == MODEL_RESULT_INTO || model->result == MODEL_RESULT_ARGUMENT) &&
            model->result_param == i;
        if (points_back)
            move_result(logging, entry->call, next, original, passed);
    }
}

/* A function of the environment, with its model; NULL without. */
static LLVMValueRef callee_of(const struct logging *logging, function_id callee,
                              const struct model_function **ret) {
    const struct program *program = logging->program;
    if (callee >= program->functions.count)
        return NULL;
    const struct function *function = &program->functions.data[callee];
    size_t prefix = function->flags & FUNCTION_RUNTIME ? strlen("__recut_") : 0;
    *ret = model_table_find(logging->models, function->name + prefix);
    return *ret ? LLVMGetNamedFunction(logging->variant->module, function->name) : NULL;
}

/* A call through a pointer is looked at once for each function with a model that it may
 * enter; which one it is, is known when it runs. */
void logging_arguments(struct logging *logging, LLVMValueRef call, LLVMValueRef next,
                       instruction_id id) {
    struct variant *variant = logging->variant;
    LLVMValueRef called = LLVMGetCalledValue(call);
    const struct logging_facts *facts = &logging->facts;
    for (size_t i = logging_facts_first(facts, id, FACT_CALLEE, 0);
         i < facts->list.count && facts->list.data[i].instruction == id; i++) {
        struct entry entry = {.call = call};
        LLVMValueRef function = callee_of(logging, facts->list.data[i].number, &entry.model);
        if (!function)
            continue;
        if (called != function) {
            LLVMPositionBuilderBefore(variant->builder, call);
            entry.is_entered = LLVMBuildICmp(variant->builder, LLVMIntEQ, called, function, "");
        }
        log_entry(logging, &entry, next, id);
    }
}
