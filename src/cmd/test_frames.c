/* Which functions were running when the program died?  See test.h. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/test.h"
#include "format/layout.h"

/* The function whose code this is: the one of that name, of that file if several have it. */
static function_id find_function(const struct program *program, const struct source_frame *frame) {
    function_id found = NO_ID;
    for (function_id f = 0; frame->function && f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        if (!(function->flags & FUNCTION_DEFINED) ||
            (strcmp(function->source_name, frame->function) != 0 &&
             strcmp(function->name, frame->function) != 0))
            continue;
        found = f;
        if (function->file != NO_ID && frame->file &&
            strcmp(source_base_name(program->files.data[function->file].name),
                   source_base_name(frame->file)) == 0)
            return f;
    }
    return found;
}

/* Of a function that calls itself again and again, the innermost and the outermost calls are
 * enough. */
static void leave_out_calls(const struct program *program, struct test_stack *stack) {
    enum { most = 4 };
    unsigned *after = mem_zalloc(program->functions.count + 1, sizeof *after);
    unsigned *before = mem_zalloc(program->functions.count + 1, sizeof *before);
    for (size_t i = 0; i < stack->frames.count; i++)
        after[stack->frames.data[i].id] += !stack->frames.data[i].is_inlined;
    for (size_t i = 0; i < stack->frames.count; i++) {
        struct test_frame *frame = &stack->frames.data[i];
        if (frame->is_inlined)
            continue;
        after[frame->id]--;
        frame->is_left_out = ++before[frame->id] > most && after[frame->id] >= most;
        stack->left_out += frame->is_left_out;
    }
    /* What is inlined into them goes with them; it lies in front of them. */
    for (size_t i = stack->frames.count; i-- > 0;)
        if (stack->frames.data[i].is_inlined && i + 1 < stack->frames.count)
            stack->frames.data[i].is_left_out = stack->frames.data[i + 1].is_left_out;
    free(after);
    free(before);
}

static void find(const struct program *program, struct source *source,
                 const struct unwind_files *files, const struct trace_event *event, uint64_t skip,
                 struct test_stack *ret) {
    struct unwind_frame stack[UNWIND_MOST];
    *ret = (struct test_stack){.signal = event->crash.state.signal,
                               .is_full = event->crash.state.stack_overflow,
                               .sp = event->crash.state.sp};
    size_t count = unwind_ends(files, event, skip, stack, &ret->left_out);
    for (size_t i = 0; i < count; i++) {
        const struct source_frame *places;
        uint64_t address = stack[i].address;
        if (address >= RECUT_ARGS_BASE)
            continue;
        size_t inlined =
            i ? source_call(source, address, &places) : source_find(source, address, &places);
        function_id id = inlined ? find_function(program, &places[inlined - 1]) : NO_ID;
        for (size_t k = 0; id != NO_ID && k < inlined; k++)
            VEC_PUSH(&ret->frames,
                     (struct test_frame){
                         .function = mem_strdup(places[k].function ? places[k].function : "?"),
                         .file = mem_strdup(places[k].file ? places[k].file : "?"),
                         .line = places[k].line,
                         .is_inlined = k + 1 < inlined,
                         .id = id,
                         .slot = stack[i].slot,
                         .address = stack[i].address,
                         .depth = count - i + (i < UNWIND_MOST / 2 ? ret->left_out : 0),
                     });
    }
    leave_out_calls(program, ret);
}

void test_stack_find(const struct program *program, struct source *source,
                     const struct unwind_files *files, const struct trace_event *event,
                     struct test_stack *ret) {
    find(program, source, files, event, 0, ret);
}

void test_stack_of_crash(const struct program *program, const struct unwind_files *files,
                         const struct capture *capture, struct test_stack *ret) {
    test_stack_at_depth(program, files, capture, UINT64_MAX, ret);
}

void test_stack_in(const struct program *program, struct source *source,
                   const struct unwind_files *files, const struct capture *capture, uint64_t depth,
                   struct test_stack *ret) {
    const struct capture_crash *crash = capture->crash;
    struct trace_event event = {.kind = EVENT_CRASH};
    const uint8_t *bytes = (const uint8_t *)(crash + 1);
    event.crash.state = crash->event;
    event.crash.stack = (struct bytes){capture->stack.data, capture->stack.count};
    event.crash.mappings = (struct bytes){bytes + crash->stack_size, crash->mappings_size};
    find(program, source, files, &event, 0, ret);
    if (ret->frames.count && ret->frames.data[0].depth > depth) {
        uint64_t skip = ret->frames.data[0].depth - depth;
        test_stack_deinit(ret);
        find(program, source, files, &event, skip, ret);
    }
    ret->failure = capture->failure ? mem_strdup(capture->failure) : NULL;
}

void test_stack_at_depth(const struct program *program, const struct unwind_files *files,
                         const struct capture *capture, uint64_t depth, struct test_stack *ret) {
    struct source *source = NULL;
    struct error *err CLEANUP_ERROR = source_open(files->program, NULL, &source);
    *ret = (struct test_stack){.signal = capture->crash->event.signal};
    if (err)
        return;
    if (files->image)
        source_use_image(source, files->image);
    if (files->over)
        source_use_image(source, files->over);
    test_stack_in(program, source, files, capture, depth, ret);
    source_close(source);
}

char *test_stack_what(const struct test_stack *stack) {
    const char *name = sigabbrev_np(stack->signal);
    return stack->failure ? mem_strdup(stack->failure) : mem_printf("SIG%s", name ? name : "?");
}

void test_stack_deinit(struct test_stack *stack) {
    for (size_t i = 0; i < stack->frames.count; i++) {
        free(stack->frames.data[i].function);
        free(stack->frames.data[i].file);
    }
    VEC_DEINIT(&stack->frames);
    free(stack->failure);
}

struct capture_place test_frame_place(const struct test_frame *frame) {
    return (struct capture_place){frame->id, frame->slot, frame->address};
}

size_t test_stack_next(const struct test_stack *stack, size_t from, function_id function) {
    for (size_t i = from; i < stack->frames.count; i++) {
        const struct test_frame *frame = &stack->frames.data[i];
        if (frame->id == function && !frame->is_inlined && !frame->is_left_out)
            return i;
    }
    return stack->frames.count;
}

/* Two calls of a line may pass the same. */
static bool pass_alike(const struct program *program, instruction_id left, instruction_id right) {
    struct range a = program->instructions.data[left].operands;
    struct range b = program->instructions.data[right].operands;
    if (a.count != b.count)
        return false;
    for (uint32_t i = 0; i < a.count; i++)
        if (program->values.data[program->operands.data[a.first + i]].type !=
            program->values.data[program->operands.data[b.first + i]].type)
            return false;
    return true;
}

static bool is_call_in(const struct program *program, const struct instruction *one,
                       function_id callee, const struct test_frame *caller) {
    bool may_be = one->flags & INSTRUCTION_CALL &&
                  (one->flags & INSTRUCTION_INDIRECT || one->callee == callee);
    return may_be && one->location != NO_ID &&
           program->locations.data[one->location].line == (uint32_t)caller->line;
}

instruction_id test_stack_call(const struct program *program, const struct test_stack *stack,
                               size_t frame) {
    if (frame + 1 >= stack->frames.count)
        return NO_ID;
    const struct test_frame *caller = &stack->frames.data[frame + 1];
    struct range all = program->functions.data[caller->id].instructions;
    instruction_id found = NO_ID;
    for (instruction_id i = all.first; i < all.first + all.count; i++) {
        if (!is_call_in(program, &program->instructions.data[i], stack->frames.data[frame].id,
                        caller))
            continue;
        if (found != NO_ID && !pass_alike(program, found, i))
            return NO_ID;
        found = i;
    }
    return found;
}

const struct test_frame *test_stack_place(const struct test_stack *stack) {
    return stack->frames.count ? stack->frames.data : NULL;
}
