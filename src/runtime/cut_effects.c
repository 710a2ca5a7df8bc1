/*
 * Which memory did a call of an external function write?  For calls that cross a cut, or that
 * environment makes and replay space reads from (cut.h).
 *
 * The model says it for most; effect.h for those that go by a value (ioctl); the format for scanf.
 * Besides, blocks of the heap that a function returns, with what is in them.  What a function
 * without a model writes is not known: then what replay space reads there is logged (src/cut).
 */
#include <errno.h>
#include <glob.h>
#include <regex.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <wchar.h>
#include <wordexp.h>

#include "format/model_table.h"
#include "runtime/careful.h"
#include "runtime/cut_impl.h"
#include "runtime/env_record.h"
#include "runtime/pool.h"
#include "runtime/raw.h"
#include "runtime/scan_format.h"

#pragma weak __recut_pool_usable_size /* not linked if the program has a malloc of its own */

/* Where the executable's variables begin, behind its constants. */
extern char data_start[] __attribute__((weak));

/* What it returns may be a constant of the program's own: gettext(). */
static bool is_constant(const char *at) {
    return (uint64_t)at >= RECUT_IMAGE_BASE && at < data_start;
}

static void add(struct cut_effects *effects, const void *at, size_t size) {
    size_t most = sizeof effects->areas / sizeof *effects->areas;
    if (!at || !size || is_constant(at))
        return;
    if (effects->count < most)
        effects->areas[effects->count++] = (struct cut_area){at, size};
    else
        effects->is_whole = false;
}

/* --- the heap --------------------------------------------------------------------------------- */

/* A block that environment gets begins with the same bytes in both runs: zeros, behind what it
 * had. */
static void add_block(struct cut_effects *effects, const struct cut_heap_call *call,
                      const struct env_frame *frame) {
    if (call->by_pointer && frame->rax != 0)
        return;
    char *block = call->by_pointer ? *(char **)effects->argument[0] : (char *)frame->rax;
    size_t size = effects->argument[call->first - 1];
    if (call->second)
        size *= effects->argument[call->second - 1];
    if (!block)
        return;
    size_t kept = effects->old_size < size ? effects->old_size : size;
    memset(block + kept, 0, size - kept);
    effects->is_zeroed = !kept && !call->by_pointer;
    add(effects, block, size);
    if (call->by_pointer)
        add(effects, (void *)effects->argument[0], sizeof(void *));
}

/* What a file has is there as soon as it is mapped, up to the end of its last page; all else is
 * zeros. */
static void add_mapping(struct cut_effects *effects, const struct env_frame *frame) {
    uint64_t size = effects->argument[1], flags = effects->argument[3];
    if (frame->rax == (uint64_t)MAP_FAILED)
        return;
    effects->is_zeroed = flags & MAP_ANONYMOUS;
    struct stat file;
    if (!effects->is_zeroed &&
        raw_syscall3(SYS_fstat, (int)effects->argument[4], (long)&file, 0) == 0 &&
        S_ISREG(file.st_mode)) {
        uint64_t end = ((uint64_t)file.st_size + 4095) & ~4095ULL, from = effects->argument[5];
        end = end > from ? end - from : 0;
        size = end < size ? end : size;
    }
    if (!effects->is_zeroed && size && !(effects->argument[2] & PROT_READ))
        __recut_cut_stop(effects->callee->name, "a file that cannot be read where it is mapped");
    else
        add(effects, (const void *)frame->rax, size);
}

/* Texts that a function returns in a block of their own, or by a pointer that it was given. */
static void add_text(struct cut_effects *effects, const struct env_frame *frame) {
    int64_t result = (int32_t)frame->rax;
    char **by_pointer = (char **)effects->argument[0], *text = (char *)frame->rax;
    switch (effects->callee->text) {
    case CUT_TEXT_PRINTED:
        if (result < 0)
            return;
        add(effects, by_pointer, sizeof *by_pointer);
        add(effects, *by_pointer, (size_t)result + 1);
        return;
    case CUT_TEXT_LINE:
        if ((int64_t)frame->rax < 0)
            return;
        add(effects, by_pointer, sizeof *by_pointer);
        add(effects, (void *)effects->argument[1], sizeof(size_t));
        add(effects, *by_pointer, frame->rax + 1);
        return;
    case CUT_TEXT_WIDE:
        add(effects, text, text ? (wcslen((wchar_t *)frame->rax) + 1) * sizeof(wchar_t) : 0);
        return;
    case CUT_TEXT_TOKEN: /* the end is new */
    case CUT_TEXT_COPY:
        add(effects, text, text ? strlen(text) + 1 : 0);
        return;
    case CUT_TEXT_NONE:
        return;
    }
}

/* Words of glob() and wordexp() with room in front of them, where their models' lists end. */
static void add_words(struct cut_effects *effects) {
    bool is_glob = effects->callee->does & CUT_GLOBS;
    if (!is_glob && !(effects->callee->does & CUT_EXPANDS))
        return;
    uint64_t flags = effects->argument[is_glob ? 1 : 2];
    /* Both have them at the same places: how many, the list, and how much room. */
    const struct {
        size_t count;
        char **list;
        size_t room;
    } *words = (const void *)effects->argument[is_glob ? 3 : 1];
    if (!(flags & (is_glob ? GLOB_DOOFFS : WRDE_DOOFFS)) || !words->list)
        return;
    add(effects, words->list, (words->room + words->count + 1) * sizeof(char *));
    for (size_t i = 0; i < words->count; i++)
        add(effects, words->list[words->room + i], strlen(words->list[words->room + i]) + 1);
}

/* Where iconv() begins to write, it is told by reference, and says so by moving that. */
static void add_converted(struct cut_effects *effects) {
    const char *const *out = (const void *)effects->argument[3];
    if (effects->began && out)
        add(effects, effects->began, (size_t)(*out - effects->began));
}

/* Where what was searched for begins and ends: numbers, of which the model has as many bytes.  If
 * it was not found, nobody wrote there. */
static void add_registers(struct cut_effects *effects, int64_t result) {
    bool is_match = effects->callee->does & CUT_MATCHES;
    const struct re_registers *registers = (const void *)effects->argument[is_match ? 4 : 5];
    if (!registers || result < 0)
        return;
    add(effects, registers, sizeof *registers);
    add(effects, registers->start, registers->num_regs * sizeof *registers->start);
    add(effects, registers->end, registers->num_regs * sizeof *registers->end);
}

/* --- formats ---------------------------------------------------------------------------------- */

/* struct __va_list_tag of the System V convention; what scanf is given are pointers. */
struct list {
    uint32_t integers, vectors;
    const void *stack, *registers;
};

static void add_scanned(struct cut_effects *effects, const struct env_frame *frame) {
    const struct model_function *model = effects->callee->model;
    unsigned format = model->param_count;
    va_list given;
    struct list list = {0, 48 + 8 * 16, frame->stack, frame->integers};
    for (unsigned i = 0; i < model->param_count; i++) {
        if (effects->args.params[i].kind == MODEL_PARAM_STRING)
            format = i; /* the last */
        if (effects->args.params[i].kind == MODEL_PARAM_VALIST)
            memcpy(&list, (void *)effects->args.value[i], sizeof list);
        else if (list.integers < 48)
            list.integers += 8;
    }
    if (format == model->param_count || strstr(effects->callee->name, "wscanf"))
        return;
    struct scan_target targets[SCAN_MOST_TARGETS];
    memcpy(given, &list, sizeof list);
    unsigned count = __recut_scan_targets((const char *)effects->args.value[format], given, targets,
                                          SCAN_MOST_TARGETS);
    for (unsigned i = 0; i < count; i++) {
        const struct scan_target *target = &targets[i];
        const void *to = target->to;
        if (target->allocates) {
            add(effects, to, sizeof(char *));
            memcpy(&to, target->to, sizeof to);
        }
        size_t size = target->allocates ? 0 : target->size;
        if (!size && (int32_t)frame->rax > (int32_t)i)
            size = target->is_wide ? (wcslen(to) + 1) * sizeof(wchar_t) : strlen(to) + 1;
        add(effects, to, size);
    }
}

/* --- before a call ---------------------------------------------------------------------------- */

static void give_back(struct env_thread *thread) {
    struct cut_effects *effects = thread->cut.effects;
    thread->cut.effects = effects->next;
    effects->next = thread->cut.spare;
    thread->cut.spare = effects;
}

/* Calls that a longjmp() left have no end: those with frames where there are none now.  Each side
 * has a stack of its own. */
static bool is_left(const struct env_thread *thread, const struct cut_effects *effects) {
    bool is_here = effects->is_inside == (bool)__recut_self.inside;
    return effects->data_stack < (is_here ? __recut_self.data_stack : thread->cut.other.data_stack);
}

static struct cut_effects *take(struct env_thread *thread, const struct env_frame *frame) {
    while (thread->cut.effects &&
           (is_left(thread, thread->cut.effects) || thread->cut.effects->frame == frame))
        give_back(thread);
    struct cut_effects *effects = thread->cut.spare;
    if (effects)
        thread->cut.spare = effects->next;
    else
        effects = raw_scratch(sizeof *effects);
    if (!effects)
        return NULL;
    effects->next = thread->cut.effects;
    effects->frame = frame;
    effects->is_inside = __recut_self.inside;
    effects->data_stack = __recut_self.data_stack;
    return thread->cut.effects = effects;
}

void __recut_cut_effects_end(struct env_thread *thread, struct cut_effects *effects) {
    const struct cut_effects *last = NULL;
    while (thread->cut.effects && last != effects) {
        last = thread->cut.effects;
        give_back(thread);
    }
}

void __recut_cut_effects_deinit(struct env_thread *thread) {
    while (thread->cut.effects)
        give_back(thread);
    while (thread->cut.spare) {
        struct cut_effects *effects = thread->cut.spare;
        thread->cut.spare = effects->next;
        raw_scratch_end(effects, sizeof *effects);
    }
}

struct cut_effects *__recut_cut_effects_begin(struct env_thread *thread,
                                              const struct cut_callee *callee,
                                              const struct env_frame *frame) {
    struct cut_effects *effects = take(thread, frame);
    if (!effects) {
        __recut_cut_stop(callee->name, strerror(ENOMEM));
        return NULL;
    }
    effects->callee = callee;
    effects->effect = callee->effect;
    effects->other = NULL;
    effects->plan.count = effects->count = 0;
    effects->is_zeroed = false;
    effects->old_size = 0;
    __recut_env_effect_arguments(frame, effects->argument);
    bool converts = callee->does & CUT_CONVERTS && effects->argument[3];
    effects->began = converts ? *(char **)effects->argument[3] : NULL;
    if (callee->heap && callee->heap->resizes && __recut_pool_usable_size && effects->argument[0])
        effects->old_size = __recut_pool_usable_size((void *)effects->argument[0]);
    __recut_env_args(&effects->args, frame, __recut_cut_models, callee->model);
    __recut_env_args_before_carefully(&effects->args);
    if (effects->effect &&
        !__recut_env_make_plan(effects->effect, effects->argument, &effects->plan))
        effects->effect = NULL;
    effects->other = __recut_env_other_args(effects->effect, effects->argument, __recut_cut_models);
    return effects;
}

/* --- objects of libraries --------------------------------------------------------------------- */

/* Of pointers, up to the one that is NULL. */
static size_t vector_size(const void *vector) {
    size_t count = 0;
    while (vector && ((const void *const *)vector)[count])
        count++;
    return vector ? (count + 1) * sizeof(void *) : 0;
}

/* What a model says of an object: itself, and what its fields point to. */
static void add_object(struct cut_effects *effects, const struct model_type *type,
                       const char *object, unsigned depth) {
    const struct model_table *table = __recut_cut_models;
    enum { deepest = 64 };
    effects->is_whole &= depth < deepest;
    if (!object || depth == deepest)
        return;
    uint16_t size = 0;
    if (type->size_offset)
        memcpy(&size, object + type->size_offset, sizeof size);
    add(effects, object, size ? size : type->size);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const struct model_field *field = model_table_field(table, type, i);
        const void *to;
        memcpy(&to, object + field->offset, sizeof to);
        uint32_t count;
        switch (field->kind) {
        case MODEL_FIELD_STRING:
            add(effects, to, to ? strlen(to) + 1 : 0);
            break;
        case MODEL_FIELD_STRINGS:
            for (char *const *text = to; text && *text; text++)
                add(effects, *text, strlen(*text) + 1);
            add(effects, to, vector_size(to));
            break;
        case MODEL_FIELD_TYPE:
            add_object(effects, model_table_type(table, field->type), to, depth + 1);
            break;
        case MODEL_FIELD_BYTES:
            memcpy(&count, object + field->count, sizeof count);
            add(effects, to, count);
            break;
        case MODEL_FIELD_VECTOR:
            memcpy(&count, object + field->count, sizeof count);
            for (char *const *part = to; part && *part; part++)
                add(effects, *part, count);
            add(effects, to, vector_size(to));
            break;
        default:
            break;
        }
    }
}

/* The result, if it is an object. */
static void add_result(struct cut_effects *effects, const struct env_frame *frame) {
    const void *object = (const void *)frame->rax;
    const struct model_function *model = effects->callee->model;
    if (!log_is_object(frame->rax))
        return;
    if (model->result == MODEL_RESULT_STATIC_TYPE)
        add_object(effects, model_table_type(__recut_cut_models, model->result_type), object, 0);
    else if (model->result == MODEL_RESULT_STATIC_STRING ||
             model->result == MODEL_RESULT_LASTING_STRING ||
             model->result == MODEL_RESULT_OWNED_STRING)
        add(effects, object, strlen(object) + 1);
}

static void add_parameter(struct cut_effects *effects, unsigned i, int64_t result) {
    const struct env_args *args = &effects->args;
    uint64_t size = __recut_env_output_size(args, i, result);
    const void *at = (const void *)args->value[i];
    if (!size || !at)
        return;
    const struct model_param *param = &args->params[i];
    if (param->kind == MODEL_PARAM_OUT_TYPE) {
        add_object(effects, model_table_type(args->table, param->type), at, 0);
    } else if (param->kind == MODEL_PARAM_OUT_POINTER && param->type) {
        add(effects, at, size);
        add_object(effects, model_table_type(args->table, param->type), *(const char *const *)at,
                   0);
    } else if (args->params[i].kind == MODEL_PARAM_OUT_IOVEC) {
        for (const struct iovec *part = at; size; part++) {
            size_t bytes = part->iov_len < size ? part->iov_len : size;
            add(effects, part->iov_base, bytes);
            size -= bytes;
        }
    } else {
        add(effects, at, size);
    }
}

static void collect(void *data) {
    struct cut_effects *effects = ((void **)data)[0];
    const struct env_frame *frame = ((void **)data)[1];
    const struct cut_callee *callee = effects->callee;
    const struct model_function *model = callee->model;
    if (callee->does & CUT_CTYPE) {
        struct cut_area area = __recut_cut_ctype_area(callee->name);
        add(effects, area.at, area.size);
        return;
    }
    if (callee->heap) {
        add_block(effects, callee->heap, frame);
        return;
    }
    int64_t result = __recut_env_result(model, frame);
    add_result(effects, frame);
    add_text(effects, frame);
    if (effects->is_unread)
        return;
    add_words(effects);
    add_converted(effects);
    if (callee->does & CUT_MAPS)
        add_mapping(effects, frame);
    if (effects->effect)
        __recut_env_cut_plan(effects->effect, &effects->plan, result);
    if (effects->other)
        __recut_env_add_other(&effects->plan, effects->other, result);
    for (unsigned i = 0; i < effects->plan.count; i++)
        add(effects, effects->plan.areas[i].at, effects->plan.areas[i].size);
    if (model->flags & MODEL_SCANS)
        add_scanned(effects, frame);
    bool is_searching = callee->does & (CUT_SEARCHES | CUT_MATCHES);
    if (is_searching)
        add_registers(effects, result);
    if (!(model->flags & MODEL_ORDERS)) /* what is in it is libc's secret */
        for (unsigned i = 0; i < effects->args.count; i++)
            if (!is_searching || effects->args.params[i].kind != MODEL_PARAM_OUT_TYPE)
                add_parameter(effects, i, result);
}

void __recut_cut_effects_after(struct cut_effects *effects, const struct env_frame *frame,
                               bool is_unread) {
    int error = errno;
    effects->is_unread = is_unread;
    if (effects->frame != frame) { /* stacks of the program's own making: take() misjudged */
        effects->count = 0;
        __recut_cut_stop(effects->callee->name, "it was left, and returned all the same");
        return;
    }
    if (error == EFAULT)
        __recut_env_args_readable(&effects->args);
    void *data[] = {effects, (void *)frame};
    effects->is_whole = true;
    if (!__recut_carefully(collect, data))
        effects->count = 0;
    if (!effects->is_whole)
        __recut_cut_stop(effects->callee->name, "what it wrote is in too many places");
    errno = error;
}
