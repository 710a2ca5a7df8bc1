/*
 * How does what is private leave a capture?  See redact.h.
 *
 * First the places are found, in memory as each function began with it and as it was at the crash,
 * and the values that are there; then everything is zeroed, record by record.  Cost: values times
 * bytes of the capture.
 */
#include "testgen/redact.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "testgen/signature.h"
#include "testgen/walk.h"

enum { least_text = 4, least_other = 8, starts = 1 << 16 };

struct secret_value {
    uint8_t *bytes;
    size_t size;
    uint32_t next; /* with the same two bytes at its beginning, from 1 */
};

struct code {
    uint64_t low, high;
};

struct redaction {
    const struct redact_input *input;
    struct capture *capture;
    const struct capture_state *state; /* that is looked at */
    VEC(struct secret_value) values;
    uint32_t *first;                 /* by the two bytes at their beginning: one of them, from 1 */
    VEC(struct code) codes;          /* where code was mapped */
    VEC(struct capture_memory) live; /* records of calls, by address */
};

/* --- finding ------------------------------------------------------------------------------ */

static bool is_varied(const uint8_t *bytes, size_t size) {
    enum { least = 4 };
    bool seen[256] = {0};
    unsigned distinct = 0;
    for (size_t i = 0; i < size; i++) {
        distinct += bytes[i] && !seen[bytes[i]];
        seen[bytes[i]] = true;
    }
    return distinct >= least;
}

static unsigned start_of(const uint8_t *bytes) { return bytes[0] | (unsigned)bytes[1] << 8; }

static void add_value(struct redaction *r, const uint8_t *bytes, size_t size) {
    unsigned start = start_of(bytes);
    for (uint32_t i = r->first[start]; i; i = r->values.data[i - 1].next)
        if (r->values.data[i - 1].size == size &&
            memcmp(r->values.data[i - 1].bytes, bytes, size) == 0)
            return;
    struct secret_value value = {mem_alloc(size + 1), size, r->first[start]};
    memcpy(value.bytes, bytes, size);
    VEC_PUSH(&r->values, value);
    r->first[start] = (uint32_t)r->values.count;
}

/* Each text in it is a value of its own, and so is what is long enough between zeros. */
static void add_values(struct redaction *r, const uint8_t *bytes, size_t size) {
    for (size_t at = 0; at < size;) {
        size_t end = at;
        bool is_text = true;
        for (; end < size && bytes[end]; end++)
            is_text &= bytes[end] >= ' ' || bytes[end] == '\t' || bytes[end] == '\n';
        size_t length = end - at;
        if (length >= (is_text ? least_text : least_other) &&
            (is_text || is_varied(bytes + at, length)))
            add_value(r, bytes + at, length);
        at = end + 1;
    }
    if (size >= least_other && is_varied(bytes, size))
        add_value(r, bytes, size);
}

static bool is_pointer(const struct redaction *r, const struct walk_place *place) {
    return place->type != NO_ID &&
           r->input->program->source_types.data[place->type].kind == SOURCE_POINTER;
}

static void hide(struct redaction *r, uint64_t address, uint64_t size, const char *name) {
    for (size_t i = 0; i < r->capture->hidden.count; i++) {
        const struct capture_hidden *one = &r->capture->hidden.data[i];
        if (one->address == address && one->size >= size && strcmp(one->name, name) == 0)
            return;
    }
    char *own = mem_strdup(name);
    VEC_PUSH(&r->capture->hidden_names, own);
    VEC_PUSH(&r->capture->hidden, (struct capture_hidden){address, size, own});
}

/* As a program reads and prints it. */
static void add_number(struct redaction *r, const struct walk_place *place) {
    uint64_t word = 0;
    if (place->type == NO_ID || place->size > sizeof word ||
        r->input->program->source_types.data[place->type].kind != SOURCE_BASE)
        return;
    memcpy(&word, place->bytes, place->size);
    char *text CLEANUP_FREE = mem_printf("%" PRIu64, word);
    char *other CLEANUP_FREE = mem_printf("%" PRId64, (int64_t)word);
    if (strlen(text) >= least_text)
        add_value(r, (const uint8_t *)text, strlen(text));
    if (strlen(other) >= least_text)
        add_value(r, (const uint8_t *)other, strlen(other));
}

/* An address is no secret: a pointer stays, and what it leads to is met as a place of its own. */
static void found(const struct walk_place *place, void *data) {
    struct redaction *r = data;
    if (!place->secret)
        return;
    if (!is_pointer(r, place)) {
        add_values(r, place->bytes, place->size);
        add_number(r, place);
    }
    if (place->address) {
        if (!is_pointer(r, place))
            hide(r, place->address, place->size, place->secret);
        return;
    }
    function_id function = (function_id)r->state->frame.function;
    char *name CLEANUP_FREE =
        mem_printf("%s.%s", r->input->program->functions.data[function].source_name, place->secret);
    hide(r, 0, 0, name);
    /* The bytes are those of the record itself. */
    if (!is_pointer(r, place))
        memset((uint8_t *)(uintptr_t)place->bytes, 0, place->size);
}

/* Of a recording: of the state in which the function began. */
static const struct capture_state *state_of(const struct redaction *r, size_t number) {
    size_t frame = 0;
    for (size_t i = r->capture->states.count; i-- > 0;) {
        const struct capture_state *state = &r->capture->states.data[i];
        while (frame < r->input->count && r->input->frames[frame].function != state->frame.function)
            frame++;
        if (frame++ == number)
            return state;
    }
    return NULL;
}

/* Where the frame of a function begins on the data stack: where the stack pointer was when it
 * called the next.  Of a crash only the last of these is known, and frames lie next to each other,
 * but for those whose size is decided at run time.  False if that is not known. */
static bool frame_base(const struct redaction *r, size_t number, uint64_t *base) {
    const struct redact_input *input = r->input;
    const struct program *program = input->program;
    if (!r->capture->crash) {
        const struct capture_state *inner = number ? state_of(r, number - 1) : NULL;
        *base = inner ? inner->frame.data_stack : 0;
        return inner;
    }
    if (number == 0) {
        *base = r->capture->crash->data_stack;
        return true;
    }
    function_id inner = input->frames[number - 1].function;
    for (memory_id m = 0; m < program->memory.count; m++)
        if (program->memory.data[m].kind == MEMORY_DYNAMIC &&
            program->memory.data[m].function == inner)
            return false;
    *base += program->functions.data[inner].frame_size;
    return true;
}

static bool has_private_slot(const struct redaction *r, function_id function, struct walk *walk,
                             uint64_t base) {
    const struct program *program = r->input->program;
    bool has = false;
    for (memory_id m = 0; m < program->memory.count; m++) {
        const struct memory *memory = &program->memory.data[m];
        if (memory->function != function || memory->variable == NO_ID ||
            (memory->kind != MEMORY_SLOT && memory->kind != MEMORY_DYNAMIC) ||
            !r->input->secrets->variables[memory->variable])
            continue;
        has = true;
        if (walk && memory->kind == MEMORY_SLOT)
            walk_local(walk, memory->variable, base + (uint64_t)memory->offset);
    }
    return has;
}

/* Local variables that lie on the data stack; if it is not known where, all of it. */
static void find_locals(struct redaction *r, struct walk *walk) {
    uint64_t base = 0;
    bool goes_on = true;
    for (size_t i = 0; i < r->input->count; i++) {
        bool is_known = goes_on && frame_base(r, i, &base);
        function_id function = r->input->frames[i].function;
        goes_on = is_known || !r->capture->crash;
        /* The innermost of a recording has yet to begin. */
        if (!has_private_slot(r, function, is_known ? walk : NULL, base) || is_known ||
            (!i && !r->capture->crash))
            continue;
        uint64_t low = RECUT_DATA_STACK_TOP - RECUT_STACK_MAX;
        hide(r, low, RECUT_DATA_STACK_TOP - low, "the data stack");
        return;
    }
}

/* Nobody knows which of what the code gets is the private one. */
static void hide_arguments(struct redaction *r, const struct capture_state *state) {
    const struct program *program = r->input->program;
    const struct function *function = &program->functions.data[state->frame.function];
    struct signature signature;
    signature_find(program, (function_id)state->frame.function, &signature);
    for (size_t i = 0; signature.wrong && i < program->variables.count; i++) {
        const struct variable *one = &program->variables.data[i];
        if (!one->argument || one->scope != function->scope || !r->input->secrets->variables[i])
            continue;
        char *name CLEANUP_FREE = mem_printf("%s.%s", function->source_name, one->name);
        hide(r, 0, 0, name);
        memset((uint64_t *)(uintptr_t)state->words, 0, 8 * state->word_count);
    }
    signature_deinit(&signature);
}

static void find(struct redaction *r, const struct capture_state *state) {
    struct walk walk = {.program = r->input->program,
                        .capture = r->capture,
                        .state = state,
                        .secrets = r->input->secrets,
                        .visit = found,
                        .data = r};
    r->state = state;
    walk_variables(&walk);
    find_locals(r, &walk);
    if (state->frame.function < r->input->program->functions.count) {
        walk_parameters(&walk);
        hide_arguments(r, state);
    }
    walk_all(&walk);
}

/* --- zeroing ------------------------------------------------------------------------------ */

/* A value may lie across the end of a piece: so its end may be a beginning, and the other way
 * around. */
static void scrub_edges(const struct secret_value *value, uint8_t *bytes, size_t size) {
    enum { least = 4 };
    for (size_t k = value->size - 1; k >= least && value->size > least; k--) {
        if (k > size)
            continue;
        if (memcmp(bytes, value->bytes + value->size - k, k) == 0)
            memset(bytes, 0, k);
        if (memcmp(bytes + size - k, value->bytes, k) == 0)
            memset(bytes + size - k, 0, k);
    }
}

static void scrub(const struct redaction *r, uint8_t *bytes, size_t size) {
    for (size_t at = 0; at + 1 < size; at++)
        for (uint32_t i = r->first[start_of(bytes + at)]; i; i = r->values.data[i - 1].next) {
            const struct secret_value *value = &r->values.data[i - 1];
            if (value->size <= size - at && memcmp(bytes + at, value->bytes, value->size) == 0)
                memset(bytes + at, 0, value->size);
        }
    for (size_t i = 0; i < r->values.count; i++)
        scrub_edges(&r->values.data[i], bytes, size);
}

static void zero_hidden(const struct redaction *r, uint64_t address, uint8_t *bytes,
                        uint64_t size) {
    for (size_t i = 0; i < r->capture->hidden.count; i++) {
        const struct capture_hidden *one = &r->capture->hidden.data[i];
        uint64_t from = one->address > address ? one->address : address;
        uint64_t end = one->address + one->size;
        end = end < address + size ? end : address + size;
        if (one->size && from < end)
            memset(bytes + (from - address), 0, end - from);
    }
}

/* struct shadow_copy and bytes, again and again. */
static void zero_copies(const struct redaction *r, uint8_t *bytes, size_t size) {
    struct shadow_copy head;
    for (size_t at = 0; size - at >= sizeof head; at += sizeof head + shadow_copy_room(head.size)) {
        memcpy(&head, bytes + at, sizeof head);
        head.size &= ~SHADOW_NOT_YET;
        if (head.size > size - at - sizeof head ||
            shadow_copy_room(head.size) > size - at - sizeof head)
            return;
        zero_hidden(r, head.address, bytes + at + sizeof head, head.size);
    }
}

static void find_code(struct redaction *r) {
    const struct capture_crash *crash = r->capture->crash;
    char *text CLEANUP_FREE =
        mem_strndup((const char *)(crash + 1) + crash->stack_size, crash->mappings_size);
    char *rest = text;
    for (const char *line; (line = strsep(&rest, "\n"));) {
        unsigned long long low, high;
        char mode[5] = "";
        if (sscanf(line, "%llx-%llx %4s", &low, &high, mode) == 3 && mode[2] == 'x')
            VEC_PUSH(&r->codes, (struct code){low, high});
    }
}

/* Does the word lead to code, or into the machine stack? */
static bool is_of_unwinding(const struct redaction *r, uint64_t word) {
    uint64_t sp = r->capture->crash->event.sp;
    if (word >= sp && word <= sp + r->capture->stack.count)
        return true;
    for (size_t i = 0; i < r->codes.count; i++)
        if (word >= r->codes.data[i].low && word < r->codes.data[i].high)
            return true;
    return false;
}

static void zero_words(const struct redaction *r, uint8_t *bytes, uint64_t size) {
    for (uint64_t at = 0; at < size; at += 8) {
        uint64_t word = 0, part = size - at < 8 ? size - at : 8;
        memcpy(&word, bytes + at, part);
        if (word && (part < 8 || !is_of_unwinding(r, word)))
            memset(bytes + at, 0, part);
    }
}

static void zero_registers(const struct redaction *r, struct capture_crash *crash) {
    uint64_t *registers = crash->event.registers;
    for (size_t i = 0; i < sizeof crash->event.registers / sizeof *registers; i++)
        if (!is_of_unwinding(r, registers[i]))
            registers[i] = 0;
}

/* Records of calls that are running, without what is private. */
static void put_records(const struct redaction *r, uint64_t address, uint8_t *bytes,
                        uint64_t size) {
    for (size_t i = 0; i < r->live.count; i++) {
        const struct capture_memory *one = &r->live.data[i];
        uint64_t from = one->address > address ? one->address : address;
        uint64_t end = one->address + one->size;
        end = end < address + size ? end : address + size;
        if (from < end)
            memcpy(bytes + (from - address), one->bytes + (from - one->address), end - from);
    }
}

static void zero_stack(const struct redaction *r, uint64_t address, uint8_t *bytes, uint64_t size) {
    zero_words(r, bytes, size);
    put_records(r, address, bytes, size);
    scrub(r, bytes, size);
}

static void keep_records(struct redaction *r) {
    for (size_t i = 0; i < r->input->count; i++) {
        uint64_t slot = r->input->frames[i].slot;
        struct capture_call *call CLEANUP_FREE = mem_alloc(sizeof *call);
        if (!capture_call_at(r->capture, r->input->frames[i], call))
            continue;
        /* The states have the arguments, without what is private. */
        const struct capture_state *state = NULL;
        for (size_t k = 0; k < r->capture->states.count; k++)
            if (r->capture->states.data[k].frame.entry == slot &&
                r->capture->states.data[k].word_count == call->argument_words)
                state = &r->capture->states.data[k];
        if (!state)
            continue;
        size_t arguments = 8 * call->argument_words, copies = 8 * call->copy_words;
        uint8_t *record = mem_zalloc(arguments + copies + 1, 1);
        memcpy(record, state->words, arguments);
        memcpy(record + arguments, call->words + call->argument_words, copies);
        zero_copies(r, record + arguments, copies);
        VEC_PUSH(&r->live, (struct capture_memory){call->record, arguments + copies, record});
    }
}

static void zero_blocks(struct redaction *r) {
    struct copies_block block;
    uint8_t *bytes = r->capture->copies.data;
    for (size_t at = 0; r->capture->copies.count - at >= sizeof block; at += block.size) {
        memcpy(&block, bytes + at, sizeof block);
        if (block.size < sizeof block || block.size > r->capture->copies.count - at)
            return;
        zero_copies(r, bytes + at + sizeof block, block.size - sizeof block);
    }
}

static void zero_record(const struct redaction *r, const struct capture_record *record,
                        uint8_t *payload) {
    uint64_t address = 0, size = record->size - 8;
    if (record->size >= 8)
        memcpy(&address, payload, 8);
    struct capture_crash *crash = (struct capture_crash *)(void *)payload;
    switch (record->kind) {
    case CAPTURE_MEMORY:
        zero_hidden(r, address, payload + 8, size);
        break;
    case CAPTURE_SEEN:
        if (record->size > sizeof(struct capture_seen))
            zero_hidden(r, address, payload + sizeof(struct capture_seen),
                        record->size - sizeof(struct capture_seen));
        break;
    case CAPTURE_STACK:
        zero_stack(r, address, payload + 8, size);
        break;
    case CAPTURE_COPIES:
        memcpy(payload + 8, r->capture->copies.data + address, size);
        break;
    case CAPTURE_CRASH:
        zero_stack(r, crash->event.sp, payload + sizeof *crash, crash->stack_size);
        zero_registers(r, crash);
        break;
    default:
        break;
    }
    bool is_done = record->kind == CAPTURE_CRASH || record->kind == CAPTURE_STACK;
    if (!is_done && record->kind != CAPTURE_SPANS && record->kind != CAPTURE_SHADOW)
        scrub(r, payload, record->size);
}

/* Frames below the stack pointer are over, or have yet to begin. */
static void hide_dead_frames(struct redaction *r) {
    uint64_t low = RECUT_DATA_STACK_TOP - RECUT_STACK_MAX, sp = RECUT_DATA_STACK_TOP;
    if (r->capture->crash)
        sp = r->capture->crash->data_stack;
    for (size_t i = 0; !r->capture->crash && i < r->capture->states.count; i++)
        if (r->capture->states.data[i].frame.data_stack < sp)
            sp = r->capture->states.data[i].frame.data_stack;
    if (sp > low && sp < RECUT_DATA_STACK_TOP)
        VEC_PUSH(&r->capture->hidden, (struct capture_hidden){low, sp - low, ""});
}

static void scrub_text(const struct redaction *r, char *text) {
    size_t length = text ? strlen(text) : 0;
    scrub(r, (uint8_t *)text, length);
    for (size_t i = 0; i < length; i++)
        if (!text[i])
            text[i] = '*';
}

void redact(const struct redact_input *input, struct capture *capture) {
    struct redaction r = {.input = input, .capture = capture};
    struct capture_state crash = {.frame.function = NO_ID};
    r.first = mem_zalloc(starts, sizeof *r.first);
    for (size_t i = 0; i < capture->memory.count; i++)
        VEC_PUSH(&crash.memory, capture->memory.data[i]);
    if (capture->memory.count)
        find(&r, &crash);
    VEC_DEINIT(&crash.memory);
    for (size_t i = 0; i < capture->states.count; i++)
        find(&r, &capture->states.data[i]);
    hide_dead_frames(&r);
    if (input->keeps_nothing)
        hide(&r, 1, UINT64_MAX - 1, "memory");
    if (capture->crash)
        find_code(&r);
    keep_records(&r);
    zero_blocks(&r);
    scrub(&r, capture->copies.data, capture->copies.count);
    if (capture->crash)
        zero_stack(&r, capture->crash->event.sp, capture->stack.data, capture->stack.count);
    scrub_text(&r, input->command);
    scrub_text(&r, input->failure);
    for (size_t at = 0; at + sizeof(struct capture_record) <= capture->size;) {
        struct capture_record *record = (struct capture_record *)(void *)(capture->data + at);
        at += sizeof *record;
        zero_record(&r, record, (uint8_t *)capture->data + at);
        at += (record->size + 7) & ~7ULL;
    }
    for (size_t i = 0; i < r.values.count; i++)
        free(r.values.data[i].bytes);
    for (size_t i = 0; i < r.live.count; i++)
        free((void *)(uintptr_t)r.live.data[i].bytes);
    free(r.first);
    VEC_DEINIT(&r.values);
    VEC_DEINIT(&r.codes);
    VEC_DEINIT(&r.live);
}
