/* What of the memory is in the file of a test?  See test_impl.h. */
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "format/layout.h"
#include "testgen/test_impl.h"

void test_keep_variable(struct writer *writer, uint64_t number, const uint8_t *bytes,
                        uint64_t size) {
    capture_write(writer->state, CAPTURE_VARIABLE, &number, sizeof number, bytes, size);
}

uint64_t test_symbol_number(struct writer *writer, const char *text) {
    for (size_t i = 0; i < writer->symbols.count; i++)
        if (strcmp(writer->symbols.data[i].text, text) == 0)
            return i;
    VEC_PUSH(&writer->symbols, (struct test_symbol){mem_strdup(text)});
    return writer->symbols.count - 1;
}

static int by_address(const void *a, const void *b) {
    const struct test_range *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

/* The code sets it. */
static void leave_out(const struct writer *writer, const struct capture_memory *memory,
                      uint8_t *bytes, size_t *next) {
    uint64_t end = memory->address + memory->size;
    while (*next < writer->covered.count && writer->covered.data[*next].address < end) {
        const struct test_range *range = &writer->covered.data[*next];
        uint64_t from = range->address > memory->address ? range->address : memory->address;
        uint64_t to = range->address + range->size < end ? range->address + range->size : end;
        if (from < to)
            memset(bytes + (from - memory->address), 0, to - from);
        if (range->address + range->size > end)
            return; /* the rest is in the next piece */
        (*next)++;
    }
}

struct pointers {
    VEC(struct capture_pointer) list, constants;
    struct idmap known;           /* words that were met before, and their symbols */
    struct idmap known_constants; /* the same by where they begin */
    size_t constant_count;
};

enum { not_named = UINT32_MAX - 1, most_constants = 2000 };

static uint32_t number_of(struct writer *writer, struct pointers *pointers, uint64_t word) {
    uint32_t known = idmap_find(&pointers->known, (const void *)word);
    if (known != IDMAP_NONE)
        return known;
    char *text CLEANUP_FREE = test_symbol(writer, word);
    uint32_t number = text ? (uint32_t)test_symbol_number(writer, text) : not_named;
    idmap_set(&pointers->known, (const void *)word, number);
    return number;
}

/* That of the constant in which the word lies. */
static uint32_t constant_number(struct writer *writer, struct pointers *pointers,
                                const struct test_variable *constant) {
    const void *key = (const void *)constant->address;
    uint32_t known = idmap_find(&pointers->known_constants, key);
    if (known != IDMAP_NONE)
        return known;
    char *text CLEANUP_FREE =
        pointers->constant_count < most_constants ? test_constant(writer, constant) : NULL;
    uint32_t number = text ? (uint32_t)test_symbol_number(writer, text) : not_named;
    pointers->constant_count += text != NULL;
    idmap_set(&pointers->known_constants, key, number);
    return number;
}

/* The word stays, for the build that failed. */
static void add_constant(struct writer *writer, struct pointers *pointers, uint64_t address,
                         uint64_t word) {
    const struct test_variable *constant = test_constant_at(writer, word);
    uint32_t number = constant ? constant_number(writer, pointers, constant) : not_named;
    if (number != not_named)
        VEC_PUSH(&pointers->constants,
                 (struct capture_pointer){address, number, (int64_t)(word - constant->address)});
}

/* A word that is the address of a function or in a variable is taken for one. */
static void find_pointers(struct writer *writer, const struct capture_memory *memory,
                          uint8_t *bytes, struct pointers *pointers) {
    for (uint64_t at = -memory->address % 8; at + 8 <= memory->size; at += 8) {
        uint64_t word;
        memcpy(&word, bytes + at, 8);
        if (word < RECUT_IMAGE_BASE || word >= RECUT_IMAGE_BASE + 4 * RECUT_GIB)
            continue;
        uint32_t number = number_of(writer, pointers, word);
        if (number == not_named) {
            add_constant(writer, pointers, memory->address + at, word);
            continue;
        }
        VEC_PUSH(&pointers->list, (struct capture_pointer){memory->address + at, number, 0});
        memset(bytes + at, 0, 8);
    }
}

/* What the function, and what it calls, may still find in stack memory. */
static bool is_dead(const struct capture_state *state, const struct capture_memory *memory) {
    uint64_t top = state->frame.data_stack, window = RECUT_STACK_MAX;
    if (top >= RECUT_THREAD_STACKS)
        window = (top - 1) % RECUT_THREAD_STACK_WINDOW;
    return memory->address < top && top - memory->address <= window &&
           memory->address + memory->size <= top;
}

static bool leads_to_machine(const uint8_t *bytes, uint64_t size) {
    for (uint64_t at = 0; at + 8 <= size; at += 8) {
        uint64_t word;
        memcpy(&word, bytes + at, 8);
        if (capture_is_machine(word))
            return true;
    }
    return false;
}

/* Nearly never: pointers lead to the data stack, but for those of a va_list. */
static bool needs_machine(const struct capture_state *state) {
    if (leads_to_machine((const uint8_t *)state->words, 8 * state->word_count))
        return true;
    for (size_t i = 0; i < state->memory.count; i++) {
        const struct capture_memory *memory = &state->memory.data[i];
        uint64_t from = -memory->address % 8;
        bool is_stack =
            memory->address < RECUT_POOL_BASE && memory->address >= RECUT_MACHINE_STACK_TOP;
        if (!capture_is_machine(memory->address) && memory->size > from &&
            !(is_stack && is_dead(state, memory)) &&
            leads_to_machine(memory->bytes + from, memory->size - from))
            return true;
    }
    return false;
}

/* Memory of the program's that lies at the same address in every build. */
static bool is_plain(uint64_t word) {
    bool is_code = word >= RECUT_VARIANT_BASE && word < RECUT_ARGS_BASE;
    bool is_mirror = word >= RECUT_MIRROR_BASE && word < RECUT_MIRROR_END;
    return word < RECUT_BRK_END && !is_code && !is_mirror;
}

/* Of variables of libraries, those that lead nowhere else: the process of a test has streams of its
 * own, say.  From a monitored run they would be those of the crash, with libraries that begin anew.
 */
static void write_imports(struct writer *writer) {
    enum { most = 4096 };
    const struct program *program = writer->program;
    if (writer->input->capture->program)
        return;
    for (memory_id m = 0; m < program->memory.count; m++) {
        const struct memory *memory = &program->memory.data[m];
        uint64_t words[most / 8] = {0};
        bool is_known = memory->kind == MEMORY_GLOBAL && memory->flags & MEMORY_EXTERNAL &&
                        !(memory->flags & MEMORY_RUNTIME) && memory->address && memory->name &&
                        memory->size && memory->size <= most &&
                        capture_get(writer->input->state, memory->address, words, memory->size);
        for (size_t i = 0; is_known && i < (memory->size + 7) / 8; i++)
            is_known = is_plain(words[i]);
        if (!is_known)
            continue;
        uint64_t size = strlen(memory->name) + 1;
        char *head CLEANUP_FREE = mem_alloc(sizeof size + size);
        memcpy(head, &size, sizeof size);
        memcpy(head + sizeof size, memory->name, size);
        capture_write(writer->state, CAPTURE_IMPORT, head, sizeof size + size, words, memory->size);
    }
}

void test_write_state(struct writer *writer) {
    const struct capture_state *state = writer->input->state;
    struct pointers pointers = {0};
    size_t next = 0;
    bool has_machine = needs_machine(state);
    if (writer->covered.count)
        qsort(writer->covered.data, writer->covered.count, sizeof *writer->covered.data,
              by_address);
    for (size_t i = 0; i < state->extents.count; i++)
        capture_write(writer->state, CAPTURE_EXTENT, &state->extents.data[i],
                      sizeof *state->extents.data, "", 0);
    for (size_t i = 0; i < state->memory.count; i++) {
        const struct capture_memory *memory = &state->memory.data[i];
        uint8_t *bytes CLEANUP_FREE = mem_alloc(memory->size + 1);
        bool is_table = memory->address >= RECUT_TABLES_BASE && memory->address < RECUT_TABLES_END;
        if (capture_is_foreign(writer->input->capture, memory->address)) {
            struct capture_seen head = {.address = memory->address};
            capture_write(writer->state, CAPTURE_SEEN, &head, sizeof head, memory->bytes,
                          memory->size);
            continue;
        }
        memcpy(bytes, memory->bytes, memory->size);
        leave_out(writer, memory, bytes, &next);
        if (memory->address < RECUT_ARGS_BASE ||
            (!has_machine && capture_is_machine(memory->address)))
            continue;
        if (!is_table)
            find_pointers(writer, memory, bytes, &pointers);
        capture_write(writer->state, CAPTURE_MEMORY, &memory->address, 8, bytes, memory->size);
    }
    write_imports(writer);
    if (state->process.size)
        capture_write(writer->state, CAPTURE_PROCESS, "", 0, state->process.bytes,
                      state->process.size);
    if (pointers.list.count)
        capture_write(writer->state, CAPTURE_POINTERS, "", 0, pointers.list.data,
                      pointers.list.count * sizeof *pointers.list.data);
    if (pointers.constants.count)
        capture_write(writer->state, CAPTURE_CONSTANTS, writer->input->build_id, BUILD_ID_SIZE,
                      pointers.constants.data,
                      pointers.constants.count * sizeof *pointers.constants.data);
    VEC_DEINIT(&pointers.list);
    VEC_DEINIT(&pointers.constants);
    idmap_deinit(&pointers.known);
    idmap_deinit(&pointers.known_constants);
}
