/*
 * A call of the environment, recorded by way of its model.
 *
 * The call is made first, with the registers as they came; then the event is
 * written, which holds what went in and what came out (format/log.h).  What
 * must be looked at before the call, because the call may change it, is noted in
 * struct env_args.
 */
#include "runtime/env_record.h"

#include <errno.h>
#include <sys/uio.h>

#include "runtime/careful.h"
#include "runtime/echo.h"
#include "runtime/effect.h"
#include "runtime/env_args.h"
#include "runtime/env_callback.h"
#include "runtime/env_thread.h"
#include "runtime/environ.h"
#include "runtime/imports.h"
#include "runtime/mirror.h"
#include "runtime/owned.h"
#include "runtime/raw.h"
#include "runtime/stream.h"

/* What a call needs in the log at most, but for its outputs. */
static size_t input_bound(const struct env_args *args) {
    size_t need = 64 + args->text_size;
    for (unsigned i = 0; i < args->count; i++) {
        need += 16;
        if (!args->value[i])
            continue;
        if (args->params[i].kind == MODEL_PARAM_STRING)
            need += __recut_env_string(args, i);
        else if (args->params[i].kind == MODEL_PARAM_STRINGS)
            for (char **at = (char **)args->value[i]; *at; at++)
                need += 10 + strlen(*at);
    }
    return need;
}

static unsigned char *put_strings(unsigned char *p, char **strings) {
    size_t count = 0;
    while (strings && strings[count])
        count++;
    p = put_varint(p, strings ? 1 + count : 0);
    for (size_t i = 0; i < count; i++)
        p = put_bytes(p, strings[i], strlen(strings[i]));
    return p;
}

static unsigned char *put_input(unsigned char *p, const struct env_args *args, unsigned i) {
    switch (args->params[i].kind) {
    case MODEL_PARAM_INT:
    case MODEL_PARAM_UNSIGNED:
    case MODEL_PARAM_LONG:
    case MODEL_PARAM_HANDLE:
    case MODEL_PARAM_FUNCTION:
    case MODEL_PARAM_POINTER:
        return put_svarint(p, (int64_t)args->value[i]);
    case MODEL_PARAM_FLOAT:
    case MODEL_PARAM_DOUBLE:
        return put_u64(p, args->value[i]);
    case MODEL_PARAM_LONGDOUBLE:
        return put_u64(put_u64(p, args->value[i]), args->second[i]);
    case MODEL_PARAM_STRING: {
        if (!args->value[i])
            return put_varint(p, 0);
        uint64_t length = __recut_env_string(args, i);
        return put_raw(put_varint(p, 1 + length), (const void *)args->value[i], length);
    }
    case MODEL_PARAM_STRINGS:
        return put_strings(p, (char **)args->value[i]);
    case MODEL_PARAM_INOUT_STRING: /* as it was before the call */
        if (!args->value[i])
            return put_varint(p, 0);
        return put_raw(put_varint(p, 1 + args->text_size), args->text, args->text_size);
    case MODEL_PARAM_IN:
    case MODEL_PARAM_IN_IOVEC:
        return put_u32(p, __recut_env_input_hash(args, i));
    case MODEL_PARAM_INOUT:
        return put_u32(p, args->value[i] ? (uint32_t)args->before_hash[i] : 0);
    default:
        return p;
    }
}

/* How many bytes parameter `i` got from the call. */
static uint64_t output_size(const struct env_args *args, unsigned i, int64_t result) {
    if (!args->value[i])
        return 0;
    switch (args->params[i].kind) {
    case MODEL_PARAM_OUT:
    case MODEL_PARAM_INOUT:
        return __recut_env_length(args, i, result);
    case MODEL_PARAM_INOUT_STRING:
    case MODEL_PARAM_OUT_STRING: {
        const struct model_length *length = model_table_length(args->table, args->params[i].length);
        uint64_t size = __recut_env_string(args, i);
        uint64_t most = __recut_env_length(args, i, result);
        uint64_t end = length->element == 4 ? 4 : 1;
        return most && size + end > most ? most : size + end;
    }
    case MODEL_PARAM_OUT_POINTER:
        return sizeof(void *);
    case MODEL_PARAM_OUT_IOVEC:
        return result < 0 ? 0 : (uint64_t)result;
    case MODEL_PARAM_OUT_TYPE:
        return __recut_pack_size(args->table, args->params[i].type, (const void *)args->value[i]);
    default:
        return 0;
    }
}

static unsigned char *put_iovec(unsigned char *p, const struct iovec *parts, uint64_t left) {
    for (p = put_varint(p, left); left; parts++) {
        size_t size = parts->iov_len < left ? parts->iov_len : left;
        p = put_raw(p, parts->iov_base, size);
        left -= size;
    }
    return p;
}

enum { packed_head = 5 };

static void put_head(unsigned char *p, size_t count) {
    for (unsigned k = 0; k < packed_head; k++, count >>= 7)
        p[k] = (unsigned char)((count & 0x7f) | (k + 1 < packed_head ? 0x80 : 0));
}

/* An object as bytes, their count larger by `more`: it is known when they are
 * there, so it takes its full width. */
static unsigned char *put_packed(unsigned char *p, size_t more, const struct model_table *table,
                                 uint32_t type, const void *object) {
    unsigned char *body = p + packed_head, *end = __recut_pack(body, table, type, object);
    put_head(p, (size_t)(end - body) + more);
    return end;
}

static unsigned char *put_output(unsigned char *p, const struct env_args *args, unsigned i,
                                 uint64_t size) {
    const void *at = (const void *)args->value[i];
    p = put_varint(p, i);
    if (args->params[i].kind == MODEL_PARAM_OUT_IOVEC)
        return put_iovec(p, at, size);
    if (args->params[i].kind != MODEL_PARAM_OUT_TYPE)
        return put_bytes(p, at, size);
    return put_packed(p, 0, args->table, args->params[i].type, at);
}

/* The result as it goes into the log. Objects are replaced by copies that the
 * program gets to see. */
static unsigned char *put_result(unsigned char *p, const struct env_args *args,
                                 const struct env_frame *frame, int64_t result) {
    switch (args->model->result) {
    case MODEL_RESULT_VOID:
        return p;
    case MODEL_RESULT_PAIR:
        return put_svarint(put_svarint(p, (int64_t)frame->rax), (int64_t)frame->rdx);
    case MODEL_RESULT_FLOAT:
    case MODEL_RESULT_DOUBLE:
        return put_u64(p, frame->xmm0[0]);
    case MODEL_RESULT_COMPLEX:
        return put_u64(put_u64(p, frame->xmm0[0]), frame->xmm1[0]);
    case MODEL_RESULT_LONGDOUBLE:
        return put_u64(put_u64(p, frame->st0[0]), frame->st0[1] & 0xffff);
    case MODEL_RESULT_STATIC_STRING:
    case MODEL_RESULT_STATIC_TYPE:
    case MODEL_RESULT_LASTING_STRING:
    case MODEL_RESULT_OWNED_STRING:
        if (!log_is_object(frame->rax))
            return put_varint(p, frame->rax ? LOG_NO_OBJECT - frame->rax : 0);
        return put_packed(p, 1, args->table, args->model->result_type, (const void *)frame->rax);
    default:
        return put_svarint(p, result);
    }
}

int64_t __recut_env_result(const struct model_function *model, const struct env_frame *frame) {
    switch (model->result) {
    case MODEL_RESULT_INT:
        return (int32_t)frame->rax;
    case MODEL_RESULT_UNSIGNED:
        return (uint32_t)frame->rax;
    default:
        return (int64_t)frame->rax;
    }
}

static bool returns_object(const struct model_function *model) {
    return model->result == MODEL_RESULT_STATIC_STRING ||
           model->result == MODEL_RESULT_STATIC_TYPE ||
           model->result == MODEL_RESULT_LASTING_STRING ||
           model->result == MODEL_RESULT_OWNED_STRING;
}

/* The program's copy of an object, from its packed form. */
void *__recut_env_object(const struct env_args *args, struct log_reader *from, uint64_t index) {
    bool is_lasting = args->model->result == MODEL_RESULT_LASTING_STRING;
    if (args->model->result != MODEL_RESULT_OWNED_STRING && !is_lasting)
        return __recut_unpack(from, args->table, args->model->result_type, index << 8 | 255);
    size_t length;
    const unsigned char *text = get_bytes(from, &length);
    if (is_lasting)
        return text ? __recut_mirror_text(text, length) : NULL;
    char *copy = text ? owned_malloc(length + 1) : NULL;
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

static bool has_objects(const struct env_args *args, const struct env_frame *frame) {
    bool has = returns_object(args->model) && log_is_object(frame->rax);
    for (unsigned i = 0; i < args->count; i++)
        has |= args->params[i].kind == MODEL_PARAM_OUT_TYPE;
    return has;
}

/* Objects and what is in out parameters become what replay will make of them. */
static void mirror(const struct env_args *args, struct env_frame *frame, unsigned char *result_at,
                   unsigned char *outputs_at, unsigned char *end) {
    if (returns_object(args->model) && log_is_object(frame->rax)) {
        void *original = (void *)frame->rax;
        struct log_reader from = {.at = result_at + packed_head, .end = end};
        frame->rax = (uint64_t)__recut_env_object(args, &from, frame->index);
        if (args->model->result == MODEL_RESULT_OWNED_STRING)
            foreign_free(original);
    }
    struct log_reader from = {.at = outputs_at, .end = end};
    for (uint64_t left = get_varint(&from); left && !from.damaged; left--) {
        uint64_t i = get_varint(&from);
        size_t size;
        const unsigned char *bytes = get_bytes(&from, &size);
        if (i < args->count && args->params[i].kind == MODEL_PARAM_OUT_TYPE) {
            struct log_reader object = {.at = bytes, .end = bytes + size};
            __recut_unpack_into(&object, args->table, args->params[i].type, (void *)args->value[i]);
        }
    }
}

static unsigned char *put_area(unsigned char *p, const struct effect_area *area) {
    p = put_varint(put_varint(p, OUTPUT_MEMORY), sizeof(uint64_t) + area->size);
    return put_raw(put_u64(p, (uint64_t)area->at), area->at, area->size);
}

/* How many bytes of it go into the log. */
static uint64_t logged_size(const struct env_args *args, unsigned i, int64_t result, bool failed) {
    bool is_always = args->params[i].kind == MODEL_PARAM_INOUT ||
                     args->params[i].kind == MODEL_PARAM_INOUT_STRING;
    return failed && !is_always ? 0 : output_size(args, i, result);
}

uint64_t __recut_env_output_size(const struct env_args *args, unsigned i, int64_t result) {
    return logged_size(args, i, result, __recut_env_failed(args, result));
}

static void write_event(const struct env_args *args, struct env_frame *frame, int old_errno,
                        const struct effect_plan *plan) {
    struct log_writer *log = &env_thread()->out;
    int new_errno = errno;
    int64_t result = __recut_env_result(args->model, frame);
    uint64_t sizes[MODEL_MAX_PARAMS];
    size_t bound = input_bound(args);
    unsigned outputs = 0;
    bool failed = __recut_env_failed(args, result);
    for (unsigned i = 0; i < args->count; i++) {
        sizes[i] = logged_size(args, i, result, failed);
        outputs += sizes[i] != 0;
        bound += sizes[i] ? sizes[i] + 24 : 0;
    }
    for (unsigned i = 0; i < plan->count; i++) {
        outputs += plan->areas[i].size != 0;
        bound += plan->areas[i].size + 24;
    }
    outputs += __recut_imports_changed(&bound);
    if (returns_object(args->model) && log_is_object(frame->rax))
        bound += __recut_pack_size(args->table, args->model->result_type, (const void *)frame->rax);
    uint32_t site = __recut_env_site(log, frame->return_address, frame->index);
    unsigned char *p = log_begin(log, env_call_head(new_errno != old_errno), bound);
    if (!p)
        return;
    p = put_varint(p, site);
    for (unsigned i = 0; i < args->count; i++)
        if (!args->params[i].optional)
            p = put_input(p, args, i);
    unsigned char *result_at = p;
    p = put_result(p, args, frame, result);
    if (new_errno != old_errno)
        p = put_svarint(p, new_errno);
    unsigned char *outputs_at = p;
    p = put_varint(p, outputs);
    for (unsigned i = 0; i < args->count; i++)
        if (sizes[i])
            p = put_output(p, args, i, sizes[i]);
    for (unsigned i = 0; i < plan->count; i++)
        if (plan->areas[i].size)
            p = put_area(p, &plan->areas[i]);
    p = __recut_imports_put(p);
    if (has_objects(args, frame))
        mirror(args, frame, result_at, outputs_at, p);
    log->events++;
    log_end(log, p);
    __recut_env_note(log);
}

static void note_inputs(void *data) {
    struct env_args *args = data;
    __recut_env_args_before(args);
    for (unsigned i = 0; i < args->count; i++) {
        if (args->params[i].kind == MODEL_PARAM_INOUT)
            args->before_hash[i] = __recut_env_hash(args, i);
        if (args->params[i].kind != MODEL_PARAM_INOUT_STRING || !args->value[i])
            continue;
        uint64_t size = __recut_env_string(args, i); /* a path, or a part of one */
        args->text_size = size < sizeof args->text ? size : sizeof args->text;
        memcpy(args->text, (const void *)args->value[i], args->text_size);
    }
}

static void note_carefully(struct env_args *args) {
    if (__recut_carefully(note_inputs, args))
        return;
    __recut_env_args_readable(args);
    note_inputs(args);
}

/* Of a call that does what another function does (effect.h): by the model of that.  NULL if there
 * is none. */
struct env_args *__recut_env_other_args(const struct effect *effect, const uint64_t *argument,
                                        const struct model_table *table) {
    const struct model_function *model = effect && effect->model ? effect->model(argument) : NULL;
    struct env_args *args = model ? raw_scratch(sizeof *args) : NULL;
    if (!args)
        return NULL;
    struct env_frame frame = {0};
    memcpy(frame.integers, argument + 1, sizeof frame.integers);
    __recut_env_args(args, &frame, table, model);
    note_carefully(args);
    return args;
}

/* What it wrote. */
void __recut_env_add_other(struct effect_plan *plan, struct env_args *args, int64_t result) {
    bool failed = result < 0 || __recut_env_failed(args, result);
    if (failed && errno == EFAULT)
        __recut_env_args_readable(args);
    for (unsigned i = 0; i < args->count; i++) {
        uint64_t size = logged_size(args, i, result, failed);
        if (args->params[i].kind != MODEL_PARAM_OUT_IOVEC) {
            __recut_effect_add(plan, args->value[i], size);
            continue;
        }
        for (const struct iovec *part = (const void *)args->value[i]; size; part++) {
            size_t bytes = part->iov_len < size ? part->iov_len : size;
            __recut_effect_add(plan, (uint64_t)part->iov_base, bytes);
            size -= bytes;
        }
    }
    raw_scratch_end(args, sizeof *args);
}

/* False if the call cannot be recorded. */
bool __recut_env_make_plan(const struct effect *effect, const uint64_t *argument,
                           struct effect_plan *plan) {
    int saved = errno;
    plan->argument = argument;
    plan->refused = NULL;
    plan->is_tried = false;
    if (effect->plan)
        effect->plan(plan);
    errno = saved;
    if (plan->refused && !plan->is_tried)
        __recut_env_stop(effect->name, plan->refused);
    return !plan->refused || plan->is_tried;
}

void __recut_env_cut_plan(const struct effect *effect, struct effect_plan *plan, int64_t result) {
    if (result < 0)
        plan->count = 0;
    else if (effect->cut)
        effect->cut(plan, result);
    for (unsigned i = 0; i < plan->count; i++)
        if (!__recut_can_read(plan->areas[i].at, plan->areas[i].size))
            plan->areas[i].size = 0; /* the call did not use it */
}

/* It may be a stream. */
static bool takes_handle(const struct env_args *args) {
    for (unsigned i = 0; i < args->count; i++)
        if (args->params[i].kind == MODEL_PARAM_HANDLE)
            return true;
    return false;
}

void __recut_record_modelled(struct env_frame *frame, const struct model_table *table,
                             const struct model_function *model) {
    const struct env_entry *entry = __recut_env_entry(frame->index);
    const struct effect *effect = __recut_env_effect(frame->index);
    struct env_args args;
    uint64_t argument[7];
    struct effect_plan plan;
    plan.count = 0;
    __recut_env_effect_arguments(frame, argument);
    if (effect && !__recut_env_make_plan(effect, argument, &plan)) {
        __recut_env_call(frame);
        return;
    }
    __recut_env_args(&args, frame, table, model);
    note_carefully(&args);
    struct env_args *other = __recut_env_other_args(effect, argument, table);
    __recut_imports_before();
    frame->x87 = entry->flags & ENV_RETURNS_X87;
    int old_errno = errno;
    struct invitation invitation = {0};
    if (effect && effect->invite)
        invitation = effect->invite(frame);
    struct async_state *async = &env_thread()->async;
    const sigset_t *other_mask = async->call_mask;
    async->call_mask = effect && effect->mask ? (const sigset_t *)argument[effect->mask - 1] : NULL;
    struct env_outside outside = __recut_env_go_out();
    __recut_env_invoke(frame, __recut_env_real(frame->index), entry->stack_bytes);
    __recut_env_come_back(outside);
    async->call_mask = other_mask;
    __recut_invitation_end(invitation);
    int new_errno = errno, first = (int)args.value[0];
    int64_t result = __recut_env_result(model, frame);
    if (__recut_env_mode == ENV_OFF) {
        raw_scratch_end(other, sizeof *other);
        return;
    }
    enum model_descriptor descriptor = model->descriptor;
    if (effect && plan.refused && result >= 0) {
        __recut_env_stop(effect->name, plan.refused);
        errno = new_errno;
        return;
    }
    if (effect)
        __recut_env_cut_plan(effect, &plan, result);
    if (other)
        __recut_env_add_other(&plan, other, result);
    if (new_errno == EFAULT) /* or before; looking does no harm */
        __recut_env_args_readable(&args);
    if (takes_handle(&args))
        __recut_stream_doubt();
    write_event(&args, frame, old_errno, &plan);
    if (effect && effect->descriptor)
        descriptor = effect->descriptor(argument, &first);
    __recut_echo_follow(descriptor, first, (int)result);
    if (model->result == MODEL_RESULT_HANDLE) /* maybe where a stream was before */
        __recut_stream_forget((FILE *)frame->rax);
    errno = new_errno;
}

/* As bytes, their count in its full width: it is known when they are there. */
static unsigned char *put_environ(unsigned char *p) {
    unsigned char *body = put_varint(p, OUTPUT_ENVIRON) + packed_head;
    unsigned char *end = __recut_environ_put(body);
    put_head(body - packed_head, (size_t)(end - body));
    return end;
}

void __recut_record_unmodelled(struct env_frame *frame) {
    const struct env_entry *entry = __recut_env_entry(frame->index);
    struct log_writer *log = &env_thread()->out;
    frame->x87 = entry->flags & ENV_RETURNS_X87;
    int old_errno = errno;
    __recut_imports_before();
    __recut_environ_before();
    struct env_outside outside = __recut_env_go_out();
    __recut_env_invoke(frame, __recut_env_real(frame->index), entry->stack_bytes);
    __recut_env_come_back(outside);
    if (__recut_env_mode == ENV_OFF)
        return;
    int new_errno = errno;
    __recut_stream_doubt();
    size_t bound = 100;
    unsigned outputs = __recut_imports_changed(&bound);
    bool has_environ = __recut_environ_changed(&bound);
    uint32_t site = __recut_env_site(log, frame->return_address, frame->index);
    unsigned char *p = log_begin(log, env_call_head(new_errno != old_errno), bound);
    if (p) {
        p = put_varint(p, site);
        p = put_svarint(put_svarint(p, (int64_t)frame->rax), (int64_t)frame->rdx);
        if (frame->x87)
            p = put_u64(put_u64(p, frame->st0[0]), frame->st0[1] & 0xffff);
        else
            p = put_u64(put_u64(p, frame->xmm0[0]), frame->xmm1[0]);
        if (new_errno != old_errno)
            p = put_svarint(p, new_errno);
        p = __recut_imports_put(put_varint(p, outputs + has_environ));
        if (has_environ)
            p = put_environ(p);
        log->events++;
        log_end(log, p);
    }
    errno = new_errno;
}
