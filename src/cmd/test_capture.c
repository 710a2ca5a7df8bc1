/* What did the functions on the stack begin with?  See test.h. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/prepare.h"
#include "cmd/test.h"
#include "cmd/variant_cache.h"
#include "format/variant.h"
#include "testgen/redact.h"
#include "testgen/signature.h"

/* Functions of the stack, with a shadow stack, to lie over the variant that was recorded with. */
static struct error *build_image(const struct replay_run *replay, const struct program *program,
                                 const struct test_stack *stack, const char *recorded,
                                 const char *image) {
    char *models CLEANUP_FREE = mem_printf("%s/%s", trace_path(replay->trace), TRACE_MODELS_NAME);
    VEC(const char *) shadow = {0};
    uint64_t has = 0;
    struct error *err = recorded ? variant_cache_features(recorded, &has) : NULL;
    for (size_t i = 0; i < stack->frames.count; i++)
        VEC_PUSH(&shadow, program->functions.data[stack->frames.data[i].id].name);
    VEC_PUSH(&shadow, NULL);
    struct logging_options options = {
        .program = program,
        .loads = has & VARIANT_LOADS,
        .atomics = has & VARIANT_ATOMICS,
        .ticks = has & (VARIANT_TICKS | VARIANT_ACCESSES),
        .dense = has & VARIANT_ACCESSES,
        .shadow = shadow.data,
        .over = recorded,
    };
    if (!err)
        err = prepare_logging(replay->program, models, image, options);
    VEC_DEINIT(&shadow);
    return err;
}

/* What the program, or libc for it, says of its end was said before. */
static int silence(void) {
    fflush(stderr);
    int loud = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (loud >= 0 && nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    if (nowhere >= 0)
        close(nowhere);
    return loud;
}

static void speak(int loud) {
    if (loud < 0)
        return;
    dup2(loud, STDERR_FILENO);
    close(loud);
}

static struct error *replay_into(struct replay_run *replay, const char *path, struct capture *ret) {
    struct replay_report report = {0};
    int status;
    FILE *file = fopen(path, "w+");
    if (!file)
        return error_errno("cannot write %s", path);
    replay->capture_fd = fileno(file);
    int loud = silence();
    struct error *err = replay_run(replay, &status, &report);
    speak(loud);
    if (!err && replay_report_left(&report, replay->trace))
        err = error_new(ERROR_FAILED, "the replay left the recording before its end");
    replay_report_deinit(&report);
    fclose(file);
    return err ? err : capture_map(path, ret);
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The record of a call on a stack that went deeper, if it is of this one: the call of that number.
 * 0 if there is none; then, has another function been called there since? */
static uint64_t entry_of(const struct capture *failed, const struct test_stack *deeper,
                         const struct test_frame *frame, bool *ret_is_gone) {
    struct capture_call call;
    *ret_is_gone = !deeper->frames.count || deeper->frames.data[0].depth < frame->depth;
    for (size_t i = 0; i < deeper->frames.count; i++) {
        const struct test_frame *one = &deeper->frames.data[i];
        if (one->is_inlined || one->depth != frame->depth)
            continue;
        *ret_is_gone = one->id != frame->id;
        bool is_there = !*ret_is_gone && capture_call_at(failed, test_frame_place(one), &call);
        return is_there ? call.entry : 0;
    }
    return 0;
}

/* Where the stack ran over, the replay goes on, since it has more of one.  What is wanted are the
 * calls that were there when it was as deep as the one that was recorded.  Some of the innermost
 * may have returned since: then it is the next call of that function. */
static char *find_deep_entries(const struct replay_run *replay, const struct program *program,
                               const struct capture *failed, const struct test_stack *stack) {
    struct unwind_files files = {replay->program, trace_path(replay->trace), replay->variant,
                                 replay->over};
    struct test_stack deeper;
    char *text = mem_printf("%" PRIu64 ":", failed->thread);
    bool is_any = false, is_gone = false;
    unsigned gone = 0;
    test_stack_at_depth(program, &files, failed, stack->frames.data[0].depth, &deeper);
    for (size_t i = stack->frames.count; i-- > 0;) {
        const struct test_frame *frame = &stack->frames.data[i];
        if (frame->is_inlined)
            continue;
        uint64_t entry = is_gone ? 0 : entry_of(failed, &deeper, frame, &is_gone);
        if (frame->is_left_out || (!entry && !(is_gone && is_any)))
            continue;
        char *before CLEANUP_FREE = text;
        gone += !entry;
        text = entry ? mem_printf("%s%s%" PRIu64, before, is_any ? "+" : "", entry)
                     : mem_printf("%s+f%" PRIu32, before, frame->id);
        is_any = true;
    }
    test_stack_deinit(&deeper);
    if (is_any && gone < 16) /* else nothing is alike */
        return text;
    free(text);
    return NULL;
}

/* The entries of the frames that are there, as "THREAD:ENTRY+ENTRY+..."; NULL if there are none.
 * The replay has its own frames: it runs a variant. */
static char *find_entries(const struct replay_run *replay, const struct program *program,
                          const struct capture *failed) {
    struct unwind_files files = {replay->program, trace_path(replay->trace), replay->variant,
                                 replay->over};
    struct test_stack stack;
    VEC(uint64_t) entries = {0};
    test_stack_of_crash(program, &files, failed, &stack);
    for (size_t i = 0; i < stack.frames.count; i++) {
        const struct test_frame *frame = &stack.frames.data[i];
        struct capture_call call;
        if (!frame->is_inlined && !frame->is_left_out &&
            capture_call_at(failed, test_frame_place(frame), &call) && call.entry)
            VEC_PUSH(&entries, call.entry);
    }
    test_stack_deinit(&stack);
    if (!entries.count)
        return NULL;
    qsort(entries.data, entries.count, sizeof *entries.data, by_number);
    char *text = mem_printf("%" PRIu64 ":", failed->thread);
    for (size_t i = 0; i < entries.count; i++) {
        char *before CLEANUP_FREE = text;
        text = mem_printf("%s%s%" PRIu64, before, i ? "+" : "", entries.data[i]);
    }
    VEC_DEINIT(&entries);
    return text;
}

/* Of functions that were looked for by name, earlier calls may be there, too: those that did not
 * come to the next of the functions. */
static void keep_chain(struct capture *capture, const char *entries) {
    VEC(uint64_t) functions = {0};
    size_t known = 1;
    for (const char *at = entries; (at = strpbrk(at, "+f")); at++)
        if (*at == 'f')
            VEC_PUSH(&functions, strtoull(at + 1, NULL, 10));
        else
            known += at[1] != 'f';
    size_t met = 0;
    for (size_t i = known; functions.count && i < capture->states.count; i++) {
        struct capture_state state = capture->states.data[i];
        size_t k = met < functions.count ? met : functions.count - 1;
        while (k > 0 && functions.data[k] != state.frame.function)
            k--;
        for (size_t other = known + k; other < known + met; other++)
            capture_state_deinit(&capture->states.data[other]);
        capture->states.data[known + k] = state;
        met = k + 1;
    }
    if (functions.count && capture->states.count > known)
        capture->states.count = known + met;
    VEC_DEINIT(&functions);
}

struct error *test_find_told(struct replay_run *replay, const struct program *program,
                             struct crash_event *ret_event, struct test_stack *ret) {
    char *directory CLEANUP_FREE = NULL;
    struct capture told = {0};
    struct error *err = io_make_temp_dir(&directory);
    if (err)
        return err;
    char *path CLEANUP_FREE = mem_printf("%s/told", directory);
    char *variant CLEANUP_FREE = replay_variant(replay);
    cmd_progress("replaying: did it fail ...");
    replay->quiet = true;
    err = replay_into(replay, path, &told);
    cmd_progress(NULL);
    *ret_event = (struct crash_event){0};
    *ret = (struct test_stack){0};
    if (!err && told.crash) {
        struct unwind_files files = {replay->program, trace_path(replay->trace), variant, NULL};
        *ret_event = told.crash->event;
        test_stack_of_crash(program, &files, &told, ret);
    }
    capture_deinit(&told);
    io_remove_tree(directory);
    return err;
}

struct error *test_capture(struct replay_run *replay, const struct program *program,
                           const struct test_stack *stack, struct capture *ret) {
    char *directory CLEANUP_FREE = NULL;
    struct capture failed = {0};
    struct error *err = io_make_temp_dir(&directory);
    if (err)
        return err;
    char *image CLEANUP_FREE = mem_printf("%s/image", directory);
    char *recorded CLEANUP_FREE = replay_variant(replay);
    char *first CLEANUP_FREE = mem_printf("%s/shadow", directory);
    char *second CLEANUP_FREE = mem_printf("%s/memory", directory);
    cmd_progress("replaying: which functions were running ...");
    err = build_image(replay, program, stack, recorded, image);
    replay->variant = recorded ? recorded : image;
    replay->over = recorded ? image : NULL;
    replay->quiet = replay->more_stack = true;
    if (!err)
        err = replay_into(replay, first, &failed);
    if (!err && !failed.crash)
        err = error_new(ERROR_FAILED, "the replay did not crash");
    char *entries CLEANUP_FREE =
        err || !stack->is_full ? NULL : find_deep_entries(replay, program, &failed, stack);
    if (!err && !entries)
        entries = find_entries(replay, program, &failed);
    if (!err && !entries)
        err = error_new(ERROR_FAILED, "no function of the program was running");
    replay->entries = entries;
    cmd_progress("replaying: what they began with ...");
    if (!err)
        err = replay_into(replay, second, ret);
    if (!err)
        keep_chain(ret, entries);
    cmd_progress(NULL);
    replay->entries = replay->variant = replay->over = NULL;
    replay->more_stack = false;
    capture_deinit(&failed);
    io_remove_tree(directory);
    return err;
}

/* Memory that was copied when a function began, over what was there at the crash.  The pieces stay
 * in order: those that it is in are cut. */
static void put_over(struct capture_state *state, struct capture_memory copy) {
    struct capture_state now = *state;
    uint64_t end = copy.address + copy.size;
    bool is_put = false;
    now.memory.data = NULL;
    now.memory.count = now.memory.capacity = 0;
    for (size_t i = 0; i < state->memory.count; i++) {
        struct capture_memory one = state->memory.data[i];
        uint64_t one_end = one.address + one.size;
        if (one.address < copy.address) {
            struct capture_memory head = one;
            head.size = one_end < copy.address ? one.size : copy.address - one.address;
            VEC_PUSH(&now.memory, head);
        }
        if (!is_put && one_end > copy.address) {
            VEC_PUSH(&now.memory, copy);
            is_put = true;
        }
        if (one_end > end) {
            struct capture_memory tail = one;
            uint64_t skipped = one.address < end ? end - one.address : 0;
            tail.address += skipped;
            tail.bytes += skipped;
            tail.size -= skipped;
            VEC_PUSH(&now.memory, tail);
        }
    }
    if (!is_put)
        VEC_PUSH(&now.memory, copy);
    VEC_DEINIT(&state->memory);
    *state = now;
}

/* Copies of a call, of which each is what was there when it began. */
static void put_copies(struct capture_state *state, const uint8_t *bytes, size_t size) {
    struct shadow_copy head;
    for (size_t at = 0; size - at >= sizeof head; at += sizeof head + shadow_copy_room(head.size)) {
        memcpy(&head, bytes + at, sizeof head);
        bool is_made = shadow_copy_is_made(&head);
        head.size &= ~SHADOW_NOT_YET;
        if (head.size > size - at - sizeof head ||
            shadow_copy_room(head.size) > size - at - sizeof head)
            return;
        if (is_made)
            put_over(state,
                     (struct capture_memory){head.address, head.size, bytes + at + sizeof head});
    }
}

/* The machine stack from here on. */
static void put_machine(struct capture_state *state, const struct capture *capture, uint64_t from) {
    uint64_t sp = capture->crash->event.sp, skipped = from - sp;
    if (from >= sp && skipped < capture->stack.count && capture_is_machine(from))
        put_over(state, (struct capture_memory){from, capture->stack.count - skipped,
                                                capture->stack.data + skipped});
}

/* From the innermost frame on outwards: the copies of inner ones are older than the crash, too. */
struct error *test_read_crash(const struct program *program, struct capture *capture,
                              const struct test_stack *stack, struct capture_call **ret_calls) {
    struct capture_call *calls = mem_zalloc(stack->frames.count + 1, sizeof *calls);
    struct capture_state memory = {0};
    *ret_calls = calls;
    for (size_t k = 0; k < capture->memory.count; k++)
        VEC_PUSH(&memory.memory, capture->memory.data[k]);
    for (size_t i = 0; i < stack->frames.count; i++) {
        const struct test_frame *frame = &stack->frames.data[i];
        struct capture_call *call = &calls[i];
        struct capture_place place = test_frame_place(frame);
        if (frame->is_inlined || frame->is_left_out || !capture_call_at(capture, place, call))
            continue;
        struct capture_memory more = capture_copies_of(capture, place);
        signature_trim(program, frame->id, call->words, call->argument_words);
        put_copies(&memory, (const uint8_t *)(call->words + call->argument_words),
                   8 * call->copy_words);
        put_copies(&memory, more.bytes, more.size);
        struct capture_state state = {
            .frame = {.function = frame->id,
                      .entry = frame->slot,
                      .data_stack = capture->crash->data_stack},
            .thread = capture->thread,
            .words = call->words,
            .word_count = call->argument_words,
            .process = capture->process,
        };
        for (size_t k = 0; k < memory.memory.count; k++)
            VEC_PUSH(&state.memory, memory.memory.data[k]);
        for (size_t k = 0; k < capture->extents.count; k++)
            VEC_PUSH(&state.extents, capture->extents.data[k]);
        put_machine(&state, capture, frame->slot + 8);
        VEC_PUSH(&capture->states, state);
    }
    VEC_DEINIT(&memory.memory);
    return capture->states.count
               ? NULL
               : error_new(ERROR_FAILED, "nothing is known of the functions on the stack");
}

void test_redact(const struct program *program, const struct secrets *secrets,
                 const struct test_stack *stack, bool was_monitored, char *command,
                 struct capture *capture) {
    VEC(struct capture_place) frames = {0};
    for (size_t i = 0; i < stack->frames.count; i++)
        if (!stack->frames.data[i].is_inlined)
            VEC_PUSH(&frames, test_frame_place(&stack->frames.data[i]));
    if (secrets->is_any)
        redact(&(struct redact_input){.program = program,
                                      .secrets = secrets,
                                      .frames = frames.data,
                                      .count = frames.count,
                                      .command = command,
                                      .failure = stack->failure,
                                      .keeps_nothing = !was_monitored},
               capture);
    VEC_DEINIT(&frames);
}
