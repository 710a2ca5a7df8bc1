/* Lengths by models, as far as they are constant in a call; model_length.h. */
#include "analysis/model_length.h"

/* A term of a length, if it is constant in this call. */
static bool term(const struct program *program, const struct instruction *call,
                 struct model_term of, uint64_t *ret) {
    if (of.kind == MODEL_TERM_CONSTANT) {
        *ret = of.value;
        return true;
    }
    if (of.kind != MODEL_TERM_PARAM || of.value >= call->operands.count)
        return false;
    value_id value = program->operands.data[call->operands.first + of.value];
    if (program->values.data[value].kind != VALUE_INT)
        return false;
    *ret = program->values.data[value].number;
    return true;
}

uint64_t model_length_of(const struct program *program, const struct instruction *call,
                         const struct model_table *table, const struct model_param *param) {
    const struct model_length *bytes = model_table_length(table, param->length);
    uint64_t first = 0, second = 1, product = 0, limit = UINT64_MAX;
    if (param->kind == MODEL_PARAM_OUT_TYPE)
        return model_table_type(table, param->type)->size;
    bool is_limited =
        bytes->limit.kind != MODEL_TERM_NONE && term(program, call, bytes->limit, &limit);
    if (term(program, call, bytes->factor[0], &first) &&
        (bytes->factor[1].kind == MODEL_TERM_NONE ||
         term(program, call, bytes->factor[1], &second)) &&
        !__builtin_mul_overflow(first, second, &product))
        limit = product < limit ? product : limit;
    else if (!is_limited)
        return 0;
    return __builtin_mul_overflow(limit, bytes->element, &product) ? 0 : product + bytes->extra;
}
