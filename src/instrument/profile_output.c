/*
 * Bytes that a call writes, by its model: for each parameter that is written
 *
 *     element * min(factor * factor, limit) + extra
 *
 * in the values of this call.  Imprecise where that needs memory: a length that is behind a
 * pointer, and that of a string, are not looked at, and count as if they were nothing; a result
 * below 0 is 0.
 */
#include "instrument/profile_output.h"

#include <string.h>

#include "program/canonical/rewrite.h"

static bool is_written(uint8_t kind) {
    return kind == MODEL_PARAM_OUT || kind == MODEL_PARAM_INOUT || kind == MODEL_PARAM_OUT_IOVEC ||
           kind == MODEL_PARAM_OUT_TYPE || kind == MODEL_PARAM_OUT_STRING;
}

bool profile_output_find(LLVMValueRef call, const struct model_table *models,
                         struct profile_output *ret) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!models || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee) ||
        !LLVMGetNextInstruction(call))
        return false;
    const char *name = rewrite_name(callee);
    name += strncmp(name, "__recut_", 8) == 0 ? 8 : 0;
    const struct model_function *model = model_table_find(models, name);
    if (model && strcmp(name, "mmap") == 0) {
        *ret = (struct profile_output){call, models, model, true};
        return true;
    }
    for (uint32_t i = 0; model && i < model->param_count; i++)
        if (is_written(model_table_param(models, model, i)->kind)) {
            *ret = (struct profile_output){call, models, model, false};
            return true;
        }
    return false;
}

/* A number of the call as an i64 that is not negative; NULL if it is none. */
static LLVMValueRef extend(LLVMBuilderRef b, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(type));
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return NULL;
    if (LLVMGetIntTypeWidth(type) < 64)
        value = LLVMBuildSExt(b, value, i64, "");
    LLVMValueRef zero = LLVMConstInt(i64, 0, false);
    return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntSLT, value, zero, ""), zero, value, "");
}

/* NULL if it needs memory. */
static LLVMValueRef term(const struct profile_output *output, LLVMBuilderRef b,
                         const struct model_term *term) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(output->call)));
    switch (term->kind) {
    case MODEL_TERM_CONSTANT:
        return LLVMConstInt(i64, term->value, false);
    case MODEL_TERM_PARAM:
        return term->value < LLVMGetNumArgOperands(output->call)
                   ? extend(b, LLVMGetOperand(output->call, term->value))
                   : NULL;
    case MODEL_TERM_RESULT:
        return extend(b, output->call);
    default:
        return NULL;
    }
}

static LLVMValueRef size_of(const struct profile_output *output, LLVMBuilderRef b,
                            const struct model_param *param) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(output->call)));
    LLVMValueRef none = LLVMConstInt(i64, 0, false);
    if (param->kind == MODEL_PARAM_OUT_TYPE)
        return LLVMConstInt(i64, model_table_type(output->models, param->type)->size, false);
    if (param->kind == MODEL_PARAM_OUT_IOVEC)
        return extend(b, output->call) ? extend(b, output->call) : none;
    const struct model_length *length = model_table_length(output->models, param->length);
    LLVMValueRef size = term(output, b, &length->factor[0]);
    if (param->kind == MODEL_PARAM_OUT_STRING || !size)
        return none;
    LLVMValueRef factor = term(output, b, &length->factor[1]);
    if (factor)
        size = LLVMBuildMul(b, size, factor, "");
    LLVMValueRef limit = term(output, b, &length->limit);
    if (limit)
        size = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, limit, size, ""), limit, size, "");
    size = LLVMBuildMul(b, size, LLVMConstInt(i64, length->element, false), "");
    return LLVMBuildAdd(b, size, LLVMConstInt(i64, length->extra, false), "");
}

/* Of a file as much as is mapped; other memory is zeros, which need no log. */
static LLVMValueRef mapped_size(const struct profile_output *output, LLVMBuilderRef b) {
    enum { SIZE_ARGUMENT = 1, FLAGS_ARGUMENT = 3, ANONYMOUS = 0x20 };
    LLVMValueRef size = extend(b, LLVMGetOperand(output->call, SIZE_ARGUMENT));
    LLVMValueRef flags = extend(b, LLVMGetOperand(output->call, FLAGS_ARGUMENT));
    LLVMTypeRef i64 = LLVMTypeOf(size);
    LLVMValueRef zero = LLVMConstInt(i64, 0, false);
    LLVMValueRef bit = LLVMBuildAnd(b, flags, LLVMConstInt(i64, ANONYMOUS, false), "");
    return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntEQ, bit, zero, ""), size, zero, "");
}

LLVMValueRef profile_output_size(const struct profile_output *output, LLVMBuilderRef builder) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(output->call)));
    LLVMValueRef sum = LLVMConstInt(i64, 0, false);
    if (output->maps)
        return mapped_size(output, builder);
    for (uint32_t i = 0; i < output->model->param_count; i++) {
        const struct model_param *param = model_table_param(output->models, output->model, i);
        if (is_written(param->kind))
            sum = LLVMBuildAdd(builder, sum, size_of(output, builder, param), "");
    }
    return sum;
}
