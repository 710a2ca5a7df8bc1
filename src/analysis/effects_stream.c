/*
 * Which stream a call works on, and whether what is printed may become a file that can be read.
 *
 * stdout and stderr are told by their names and numbers.  They are moved by dup2() and freopen(),
 * unless nothing is printed there behind that in the function, which does not return, as where a
 * process is made for another program.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/effects_impl.h"
#include "analysis/threads.h"

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static enum effects_stream stream_of(const struct external *x, value_id value) {
    static const enum effects_stream numbers[] = {STREAM_INPUT, STREAM_OUTPUT, STREAM_ERRORS};
    const struct program *program = x->effects->program;
    value = pta_origin(x->effects->pta, value);
    const struct value *of = &program->values.data[value];
    if (of->kind == VALUE_INT)
        return (uint64_t)of->number < 3 ? numbers[of->number] : STREAM_SOME;
    if (of->kind != VALUE_INSTRUCTION)
        return STREAM_SOME;
    value_id from = program->instructions.data[of->definition].read_at;
    if (from == NO_ID || program->values.data[from].kind != VALUE_GLOBAL)
        return STREAM_SOME;
    const char *name = program->memory.data[program->values.data[from].definition].name;
    if (!name)
        return STREAM_SOME;
    return strcmp(name, "stdin") == 0    ? STREAM_INPUT
           : strcmp(name, "stdout") == 0 ? STREAM_OUTPUT
           : strcmp(name, "stderr") == 0 ? STREAM_ERRORS
                                         : STREAM_SOME;
}

enum effects_stream effects_stream(const struct external *x) {
    static const char *const input[] = {"getchar", "getchar_unlocked",  "gets",   "scanf",
                                        "vscanf",  "getwchar",          "wscanf", "vwscanf",
                                        "getpass", "getwchar_unlocked", NULL};
    static const char *const output[] = {
        "printf",       "vprintf",       "puts",     "putchar",  "putchar_unlocked",
        "putwchar",     "wprintf",       "vwprintf", "psiginfo", "putwchar_unlocked",
        "__printf_chk", "__vprintf_chk", NULL};
    static const char *const errors[] = {"perror", "psignal", "warn",          "warnx", "vwarn",
                                         "vwarnx", "error",   "error_at_line", NULL};
    if (x->model->descriptor == MODEL_DUPLICATES) /* what it makes stdout was another file */
        return STREAM_SOME;
    if (is_one_of(x->name, input))
        return STREAM_INPUT;
    if (is_one_of(x->name, output))
        return STREAM_OUTPUT;
    if (is_one_of(x->name, errors))
        return STREAM_ERRORS;
    for (uint32_t i = 0; i < x->model->param_count && i < x->call->operands.count; i++) {
        const struct model_param *param = model_table_param(x->table, x->model, i);
        const char *name = model_table_text(x->table, param->name);
        if (param->kind == MODEL_PARAM_HANDLE || strcmp(name, "fd") == 0)
            return stream_of(x, effects_operand(x, i));
    }
    return STREAM_SOME;
}

static bool is_stream(enum effects_stream stream) {
    return stream == STREAM_OUTPUT || stream == STREAM_ERRORS;
}

/* May the call print there, or lead to where something does? */
static bool prints(const struct effects *effects, instruction_id id, enum effects_stream stream) {
    uint32_t count;
    const function_id *callees = pta_callees(effects->pta, id, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (effects_is_unknown(effects, callees[i]) ||
            effects->program->functions.data[callees[i]].flags & FUNCTION_DEFINED)
            return true;
        struct external x = effects_call(effects, id, callees[i]);
        if (x.model && effects_stream(&x) == stream)
            return true;
    }
    return false;
}

/* Is something printed behind the call before the process ends, or runs another program?  Who calls
 * the function may print. */
static bool is_used(const struct effects *effects, instruction_id id, enum effects_stream stream) {
    const struct program *program = effects->program;
    VEC(instruction_id) work = {0};
    struct bitset seen = {0};
    bool used = false;
    VEC_PUSH(&work, id + 1);
    while (work.count && !used) {
        instruction_id at = work.data[--work.count];
        const struct block *block = &program->blocks.data[program->instructions.data[at].block];
        instruction_id end = block->instructions.first + block->instructions.count;
        bool passes = true;
        for (; at < end && passes && !used; at++) {
            const struct instruction *one = &program->instructions.data[at];
            used = one->opcode == OP_RETURN ||
                   (one->flags & INSTRUCTION_CALL && prints(effects, at, stream));
            passes = !(one->flags & INSTRUCTION_NO_RETURN);
        }
        for (uint32_t i = 0; passes && i < block->successors.count; i++) {
            block_id to = program->edges.data[block->successors.first + i];
            if (bitset_add(&seen, to))
                VEC_PUSH(&work, program->blocks.data[to].instructions.first);
        }
    }
    VEC_DEINIT(&work);
    bitset_deinit(&seen);
    return used;
}

/* Which of stdout and stderr a call makes another file; any other stream if none. */
static enum effects_stream moved_by(const struct effects *effects, instruction_id id) {
    static const char *const numbers[] = {"dup2", "__dup2", "dup3", NULL};
    static const char *const streams[] = {"freopen", "freopen64", NULL};
    struct external x = effects_call(effects, id, NO_ID);
    if (threads_calls(effects->program, effects->pta, id, numbers) && x.call->operands.count > 1)
        return stream_of(&x, effects_operand(&x, 1));
    if (threads_calls(effects->program, effects->pta, id, streams) && x.call->operands.count > 2)
        return stream_of(&x, effects_operand(&x, 2));
    return STREAM_SOME;
}

void effects_find_moved(struct effects *effects) {
    for (instruction_id i = 0; i < effects->program->instructions.count; i++) {
        if (!(effects->program->instructions.data[i].flags & INSTRUCTION_CALL))
            continue;
        enum effects_stream stream = moved_by(effects, i);
        if (is_stream(stream) && !(effects->moved_streams >> stream & 1) &&
            is_used(effects, i, stream))
            effects->moved_streams |= 1U << stream;
    }
}
