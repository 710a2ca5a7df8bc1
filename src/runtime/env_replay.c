/*
 * A call of the environment, answered from the log.
 *
 * What the program passes is held against what it passed when it was recorded,
 * so that a replay that goes astray is noticed at the first call; then result,
 * errno and outputs are put where the call put them.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/uio.h>

#include "runtime/access.h"
#include "runtime/answers.h"
#include "runtime/careful.h"
#include "runtime/diverge.h"
#include "runtime/echo.h"
#include "runtime/effect.h"
#include "runtime/env_record.h"
#include "runtime/env_thread.h"
#include "runtime/imports.h"
#include "runtime/mirror.h"
#include "runtime/race.h"
#include "runtime/stream.h"

struct answer {
    struct log_reader *log;
    const struct env_args *args;
    struct diverge_place now;
};

static const char *param_name(const struct answer *answer, unsigned i) {
    return model_table_text(answer->args->table, answer->args->params[i].name);
}

/* The object that was returned, or what stands for none. */
static uint64_t object_from(const struct answer *answer, struct log_reader *log, uint64_t index) {
    uint64_t count = get_varint(log);
    if (count > LOG_NO_OBJECT)
        return LOG_NO_OBJECT - count;
    return count ? (uint64_t)__recut_env_object(answer->args, log, index) : 0;
}

static void check_number(const struct answer *answer, unsigned i, int64_t recorded) {
    int64_t actual = (int64_t)answer->args->value[i];
    if (recorded != actual && !answer->log->damaged)
        __recut_diverge_number(answer->log, param_name(answer, i), recorded, actual, answer->now);
}

static void check_text(const struct answer *answer, unsigned i, uint64_t coded, const char *actual,
                       uint64_t actual_size) {
    const unsigned char *recorded = coded ? get_raw(answer->log, coded - 1) : NULL;
    if (answer->log->damaged)
        __recut_replay_damaged(answer->log);
    if (!coded && !actual)
        return;
    if (coded && actual && coded - 1 == actual_size && memcmp(recorded, actual, actual_size) == 0)
        return;
    char left[256], right[256];
    snprintf(left, sizeof left, "%.*s", coded ? (int)(coded - 1) : 4,
             coded ? (const char *)recorded : "NULL");
    snprintf(right, sizeof right, "%.*s", actual ? (int)actual_size : 4, actual ? actual : "NULL");
    __recut_diverge(answer->log, param_name(answer, i), left, right, answer->now);
}

static void check_strings(const struct answer *answer, unsigned i) {
    char **actual = (char **)answer->args->value[i];
    uint64_t coded = get_varint(answer->log), count = 0;
    if (!coded && !__recut_can_read_strings(actual))
        actual = NULL;
    while (actual && actual[count])
        count++;
    if (coded != (actual ? 1 + count : 0))
        __recut_diverge_number(answer->log, param_name(answer, i), (int64_t)coded - 1,
                               (int64_t)count, answer->now);
    for (uint64_t k = 0; k < count && !answer->log->damaged; k++)
        check_text(answer, i, 1 + get_varint(answer->log), actual[k], strlen(actual[k]));
}

static void check_input(const struct answer *answer, unsigned i) {
    const struct env_args *args = answer->args;
    struct log_reader *log = answer->log;
    switch (args->params[i].kind) {
    case MODEL_PARAM_INT:
    case MODEL_PARAM_UNSIGNED:
    case MODEL_PARAM_LONG:
    case MODEL_PARAM_HANDLE:
    case MODEL_PARAM_FUNCTION:
    case MODEL_PARAM_POINTER:
        check_number(answer, i, get_svarint(log));
        break;
    case MODEL_PARAM_FLOAT:
    case MODEL_PARAM_DOUBLE:
        check_number(answer, i, (int64_t)get_u64(log));
        break;
    case MODEL_PARAM_LONGDOUBLE:
        check_number(answer, i, (int64_t)get_u64(log));
        get_u64(log);
        break;
    case MODEL_PARAM_STRING:
    case MODEL_PARAM_INOUT_STRING: {
        const char *text = (const char *)args->value[i];
        uint64_t recorded = get_varint(log);
        if (!recorded && !__recut_can_read_string(text))
            text = NULL;
        check_text(answer, i, recorded, text, text ? __recut_env_string(args, i) : 0);
        break;
    }
    case MODEL_PARAM_STRINGS:
        check_strings(answer, i);
        break;
    case MODEL_PARAM_IN:
    case MODEL_PARAM_INOUT:
    case MODEL_PARAM_IN_IOVEC: {
        uint32_t recorded = get_u32(log), actual = __recut_env_input_hash(args, i);
        if (recorded != actual && !log->damaged) {
            char what[96];
            snprintf(what, sizeof what, "contents of %s", param_name(answer, i));
            __recut_diverge(log, what, "others", "these", answer->now);
        }
        break;
    }
    default:
        break;
    }
}

static void fill_iovec(const struct iovec *parts, uint64_t count, const unsigned char *bytes,
                       size_t left) {
    for (uint64_t k = 0; k < count && left; k++) {
        size_t size = parts[k].iov_len < left ? parts[k].iov_len : left;
        memcpy(parts[k].iov_base, bytes, size);
        bytes += size;
        left -= size;
    }
}

static void fill_output(const struct answer *answer) {
    const struct env_args *args = answer->args;
    uint64_t i = get_varint(answer->log);
    size_t size;
    const unsigned char *bytes = get_bytes(answer->log, &size);
    if (bytes && i == OUTPUT_MEMORY && size >= sizeof(uint64_t)) {
        uint64_t at;
        memcpy(&at, bytes, sizeof at);
        __recut_answer_writes((void *)at, size - sizeof at);
        memcpy((void *)at, bytes + sizeof at, size - sizeof at);
        return;
    }
    if (bytes && __recut_imports_take(i, bytes, size))
        return;
    if (!bytes || i >= args->count || !args->value[i])
        __recut_replay_damaged(answer->log);
    void *to = (void *)args->value[i];
    if (!access_is_there(to))
        return;
    switch (args->params[i].kind) {
    case MODEL_PARAM_OUT_TYPE: {
        struct log_reader object = {.at = bytes, .end = bytes + size};
        if (!__recut_unpack_into(&object, args->table, args->params[i].type, to))
            __recut_replay_damaged(answer->log);
        break;
    }
    case MODEL_PARAM_OUT_IOVEC:
        fill_iovec(to, __recut_env_length(args, (unsigned)i, 0), bytes, size);
        break;
    default:
        memcpy(to, bytes, size);
    }
}

static void take_result(const struct answer *answer, struct env_frame *frame) {
    struct log_reader *log = answer->log;
    switch (answer->args->model->result) {
    case MODEL_RESULT_VOID:
        break;
    case MODEL_RESULT_PAIR:
        frame->rax = (uint64_t)get_svarint(log);
        frame->rdx = (uint64_t)get_svarint(log);
        break;
    case MODEL_RESULT_FLOAT:
    case MODEL_RESULT_DOUBLE:
        frame->xmm0[0] = get_u64(log);
        break;
    case MODEL_RESULT_COMPLEX:
        frame->xmm0[0] = get_u64(log);
        frame->xmm1[0] = get_u64(log);
        break;
    case MODEL_RESULT_LONGDOUBLE:
        frame->st0[0] = get_u64(log);
        frame->st0[1] = get_u64(log);
        frame->x87 = 1;
        break;
    case MODEL_RESULT_STATIC_STRING:
    case MODEL_RESULT_STATIC_TYPE:
    case MODEL_RESULT_LASTING_STRING:
    case MODEL_RESULT_OWNED_STRING:
        frame->rax = object_from(answer, log, frame->index);
        break;
    default:
        frame->rax = (uint64_t)get_svarint(log);
    }
}

/* What an output function printed, as far as its parameters tell. */
static void echo_output(const struct env_args *args, int64_t result) {
    int target = __recut_echo_target((int)args->value[0]);
    if (!target || result <= 0)
        return;
    for (unsigned i = 1; i < args->count; i++) {
        if (args->params[i].kind == MODEL_PARAM_IN)
            __recut_echo(target, (const void *)args->value[i], (size_t)result);
        if (args->params[i].kind != MODEL_PARAM_IN_IOVEC)
            continue;
        const struct iovec *parts = (const void *)args->value[i];
        for (uint64_t k = 0, left = (uint64_t)result; left; k++) {
            size_t size = parts[k].iov_len < left ? parts[k].iov_len : left;
            __recut_echo(target, parts[k].iov_base, size);
            left -= size;
        }
    }
}

void __recut_replay_modelled(struct env_frame *frame, const struct model_table *table,
                             const struct model_function *model) {
    struct env_args args;
    __recut_env_args(&args, frame, table, model);
    __recut_env_args_before_carefully(&args);
    struct log_reader *log = &env_thread()->in;
    struct answer answer = {log, &args, {__recut_env_name(frame->index), frame->return_address}};
    int new_errno = errno;
    RACE_HOOK(call(&args, answer.now.function, frame->return_address));
    const struct effect *effect = __recut_env_effect(frame->index);
    struct async_state *async = &env_thread()->async;
    const sigset_t *other_mask = async->call_mask;
    uint64_t argument[7];
    __recut_env_effect_arguments(frame, argument);
    async->call_mask = effect && effect->mask ? (const sigset_t *)argument[effect->mask - 1] : NULL;
    __recut_env_expect(log, frame->return_address, frame->index);
    async->call_mask = other_mask;
    for (unsigned i = 0; i < args.count; i++)
        if (!args.params[i].optional)
            check_input(&answer, i);
    take_result(&answer, frame);
    if (log->flags & EVENT_ERRNO)
        new_errno = (int)get_svarint(log);
    for (uint64_t left = get_varint(log); left && !log->damaged; left--)
        fill_output(&answer);
    __recut_env_expected(log);
    int64_t result = __recut_env_result(model, frame);
    RACE_HOOK(called(&args, answer.now.function, result, frame->return_address));
    if (model->class == MODEL_OUTPUT)
        echo_output(&args, result);
    enum model_descriptor descriptor = model->descriptor;
    int first = (int)args.value[0];
    if (effect && effect->descriptor)
        descriptor = effect->descriptor(argument, &first);
    if (effect && effect->echo)
        effect->echo(argument, result);
    __recut_echo_follow(descriptor, first, (int)result);
    if (model->result == MODEL_RESULT_HANDLE)
        __recut_stream_forget((FILE *)frame->rax);
    __recut_env_answered(log);
    errno = new_errno;
}

void __recut_replay_unmodelled(struct env_frame *frame) {
    struct log_reader *log = &env_thread()->in;
    int new_errno = errno;
    __recut_env_expect(log, frame->return_address, frame->index);
    frame->rax = (uint64_t)get_svarint(log);
    frame->rdx = (uint64_t)get_svarint(log);
    frame->x87 = __recut_env_entry(frame->index)->flags & ENV_RETURNS_X87;
    uint64_t first = get_u64(log), second = get_u64(log);
    if (frame->x87) {
        frame->st0[0] = first;
        frame->st0[1] = second;
    } else {
        frame->xmm0[0] = first;
        frame->xmm1[0] = second;
    }
    if (log->flags & EVENT_ERRNO)
        new_errno = (int)get_svarint(log);
    for (uint64_t left = get_varint(log); left && !log->damaged; left--) {
        uint64_t tag = get_varint(log);
        size_t size;
        const unsigned char *bytes = get_bytes(log, &size);
        if (!bytes || !__recut_imports_take(tag, bytes, size))
            log->damaged = true;
    }
    __recut_env_expected(log);
    errno = new_errno;
}
