/* Which argument is where, and how long is what it points to?  See env_args.h. */
#include "runtime/env_args.h"

#include <string.h>
#include <sys/uio.h>

#include "runtime/careful.h"
#include "runtime/hash.h"

void __recut_env_args(struct env_args *args, const struct env_frame *frame,
                      const struct model_table *table, const struct model_function *model) {
    args->text_size = 0;
    args->table = table;
    args->model = model;
    args->params = model_table_param(table, model, 0);
    args->count = model->param_count;
    unsigned integers = 0, vectors = 0, stack = 0;
    for (unsigned i = 0; i < args->count; i++) {
        switch (args->params[i].kind) {
        case MODEL_PARAM_FLOAT:
        case MODEL_PARAM_DOUBLE:
            args->value[i] = vectors < 8 ? frame->vectors[vectors++][0] : frame->stack[stack++];
            break;
        case MODEL_PARAM_LONGDOUBLE:
            stack += stack & 1;
            args->value[i] = frame->stack[stack];
            args->second[i] = frame->stack[stack + 1] & 0xffff;
            stack += 2;
            break;
        default:
            args->value[i] = integers < 6 ? frame->integers[integers++] : frame->stack[stack++];
        }
        if (args->params[i].kind == MODEL_PARAM_INT)
            args->value[i] = (uint64_t)(int64_t)(int32_t)args->value[i];
        else if (args->params[i].kind == MODEL_PARAM_UNSIGNED)
            args->value[i] = (uint32_t)args->value[i];
        else if (args->params[i].kind == MODEL_PARAM_FLOAT)
            args->value[i] = (uint32_t)args->value[i];
    }
}

static uint64_t load(uint64_t address, unsigned kind) {
    if (!address)
        return 0;
    if (kind == MODEL_TERM_DEREF64)
        return *(const uint64_t *)address;
    return *(const uint32_t *)address;
}

static uint64_t term(const struct env_args *args, struct model_term term, int64_t result) {
    switch (term.kind) {
    case MODEL_TERM_CONSTANT:
        return term.value;
    case MODEL_TERM_PARAM:
        return (int64_t)args->value[term.value] < 0 ? 0 : args->value[term.value];
    case MODEL_TERM_DEREF32:
    case MODEL_TERM_DEREF64: {
        uint64_t after = load(args->value[term.value], term.kind);
        return after < args->before[term.value] ? after : args->before[term.value];
    }
    case MODEL_TERM_RESULT:
        return result < 0 ? 0 : (uint64_t)result;
    default:
        return 1;
    }
}

uint64_t __recut_env_length(const struct env_args *args, unsigned i, int64_t result) {
    const struct model_length *length = model_table_length(args->table, args->params[i].length);
    uint64_t count;
    if (length->factor[0].kind == MODEL_TERM_NONE)
        return 0;
    if (__builtin_mul_overflow(term(args, length->factor[0], result),
                               term(args, length->factor[1], result), &count))
        count = UINT64_MAX;
    if (length->limit.kind != MODEL_TERM_NONE) {
        uint64_t limit = term(args, length->limit, result);
        count = count < limit ? count : limit;
    }
    uint64_t bytes;
    return __builtin_mul_overflow(count, length->element, &bytes) ? 0 : bytes + length->extra;
}

uint64_t __recut_env_string(const struct env_args *args, unsigned i) {
    const char *at = (const char *)args->value[i];
    const struct model_length *length = model_table_length(args->table, args->params[i].length);
    bool is_wide = length->element == 4;
    uint64_t most = UINT64_MAX;
    if (length->factor[0].kind != MODEL_TERM_NONE)
        most = __recut_env_length(args, i, 0) / (is_wide ? 4 : 1);
    uint64_t n = 0;
    if (is_wide)
        while (n < most && ((const uint32_t *)at)[n])
            n++;
    else
        n = most == UINT64_MAX ? strlen(at) : strnlen(at, most);
    return is_wide ? 4 * n : n;
}

static void note_term(struct env_args *args, struct model_term term) {
    if (term.kind == MODEL_TERM_DEREF32 || term.kind == MODEL_TERM_DEREF64)
        args->before[term.value] = load(args->value[term.value], term.kind);
}

void __recut_env_args_before(struct env_args *args) {
    for (unsigned i = 0; i < args->count; i++) {
        if (!args->params[i].length)
            continue;
        const struct model_length *length = model_table_length(args->table, args->params[i].length);
        note_term(args, length->factor[0]);
        note_term(args, length->factor[1]);
        note_term(args, length->limit);
    }
}

bool __recut_env_failed(const struct env_args *args, int64_t result) {
    switch (args->model->failure) {
    case MODEL_FAILS_NEGATIVE:
    case MODEL_FAILS_NEGATIVE_ERRNO:
        return result < 0;
    case MODEL_FAILS_ZERO:
    case MODEL_FAILS_ZERO_ERRNO:
        return result == 0;
    case MODEL_FAILS_NONZERO:
        return result != 0;
    default:
        return false;
    }
}

static bool is_readable(const struct env_args *args, unsigned i) {
    const void *at = (const void *)args->value[i];
    switch (args->params[i].kind) {
    case MODEL_PARAM_STRING:
    case MODEL_PARAM_INOUT_STRING:
        return __recut_can_read_string(at);
    case MODEL_PARAM_STRINGS:
        return __recut_can_read_strings(at);
    case MODEL_PARAM_IN:
    case MODEL_PARAM_OUT:
    case MODEL_PARAM_INOUT:
    case MODEL_PARAM_OUT_STRING:
    case MODEL_PARAM_IN_IOVEC:
    case MODEL_PARAM_OUT_IOVEC:
        return __recut_can_read(at, __recut_env_length(args, i, 0));
    default:
        return true;
    }
}

/* Numbers that lengths are made of. */
static void check_term(struct env_args *args, struct model_term term) {
    bool is_number = term.kind == MODEL_TERM_DEREF32 || term.kind == MODEL_TERM_DEREF64;
    if (is_number && !__recut_can_read((const void *)args->value[term.value], sizeof(uint32_t)))
        args->value[term.value] = 0;
}

void __recut_env_args_readable(struct env_args *args) {
    for (unsigned i = 0; i < args->count; i++)
        if (args->params[i].length) {
            const struct model_length *length =
                model_table_length(args->table, args->params[i].length);
            check_term(args, length->factor[0]);
            check_term(args, length->factor[1]);
            check_term(args, length->limit);
        }
    for (unsigned i = 0; i < args->count; i++)
        if (args->value[i] && !is_readable(args, i))
            args->value[i] = 0;
}

uint32_t __recut_env_hash(const struct env_args *args, unsigned i) {
    const void *at = (const void *)args->value[i];
    uint64_t length = __recut_env_length(args, i, 0), hash = 0;
    if (!at)
        return 0;
    if (args->params[i].kind != MODEL_PARAM_IN_IOVEC)
        return (uint32_t)__recut_hash(at, length);
    const struct iovec *parts = at;
    for (uint64_t k = 0; k < length; k++)
        hash = hash * 31 + __recut_hash(parts[k].iov_base, parts[k].iov_len);
    return (uint32_t)hash;
}

struct hashing {
    const struct env_args *args;
    unsigned param;
    uint32_t hash;
};

static void hash_input(void *data) {
    struct hashing *hashing = data;
    hashing->hash = __recut_env_hash(hashing->args, hashing->param);
}

uint32_t __recut_env_input_hash(const struct env_args *args, unsigned i) {
    struct hashing hashing = {args, i, 0};
    return __recut_carefully(hash_input, &hashing) ? hashing.hash : 0;
}

static void note_before(void *args) { __recut_env_args_before(args); }

void __recut_env_args_before_carefully(struct env_args *args) {
    if (__recut_carefully(note_before, args))
        return;
    __recut_env_args_readable(args);
    __recut_env_args_before(args);
}
