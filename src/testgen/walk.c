/*
 * What can be reached, and by which way?  See walk.h.
 *
 * A list of what is yet to be looked at, not recursion: lists are long.  Cost: what is reachable,
 * up to `most_items` objects; what is farther off is left out.
 */
#include "testgen/walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "testgen/names_impl.h"
#include "testgen/signature.h"

enum { most_items = 1 << 20, most_length = 200, most_objects = 1 << 28 };

static source_type_id plain(const struct walk *walk, source_type_id type) {
    return type == NO_ID ? NO_ID : program_plain_type(walk->program, type);
}

static const struct source_type *type_at(const struct walk *walk, source_type_id type) {
    return &walk->program->source_types.data[type];
}

uint64_t walk_extent(const struct program *program, const struct capture *capture,
                     uint64_t address) {
    uint64_t left = capture_block_left(capture, address);
    if (left)
        return left;
    for (memory_id m = 0; address < RECUT_ARGS_BASE && m < program->memory.count; m++) {
        const struct memory *one = &program->memory.data[m];
        if (one->kind == MEMORY_GLOBAL && one->address && address - one->address < one->size)
            return one->size - (address - one->address);
    }
    return 0;
}

static void add(struct walk *walk, char *path, source_type_id type, uint64_t address,
                uint64_t count) {
    const void *key = (const void *)(address * 0x9e3779b97f4a7c15ULL ^ type);
    bool is_known = idmap_find(&walk->seen, key) != IDMAP_NONE;
    if (is_known || walk->items.count == most_items || strlen(path) > most_length) {
        free(path);
        return;
    }
    idmap_set(&walk->seen, key, 1);
    VEC_PUSH(&walk->items, (struct walk_item){path, type, address, count});
}

/* --- what is private ---------------------------------------------------------------------- */

static bool is_text(const struct walk *walk, source_type_id type) {
    return type != NO_ID && type_at(walk, type)->kind == SOURCE_BASE &&
           type_at(walk, type)->size == 1;
}

/* Up to the end of a text, of what nobody knows the size. */
static uint64_t text_size(const struct walk *walk, uint64_t address) {
    enum { most = 4096 };
    uint8_t byte = 1;
    uint64_t size = 0;
    while (size < most && byte && capture_get(walk->state, address + size, &byte, 1))
        size++;
    return size;
}

/* What a private pointer leads to belongs to it. */
static void visit_behind(struct walk *walk, const struct walk_place *pointer) {
    const struct source_type *type = type_at(walk, pointer->type);
    uint64_t address;
    if (type->kind != SOURCE_POINTER || pointer->size != sizeof address)
        return;
    memcpy(&address, pointer->bytes, sizeof address);
    source_type_id target = plain(walk, type->target);
    struct walk_place place = {
        .path = pointer->path, .secret = pointer->secret, .type = target, .address = address};
    place.size = walk_extent(walk->program, walk->capture, address);
    if (!place.size && target != NO_ID && type_at(walk, target)->size > 1)
        place.size = type_at(walk, target)->size;
    if (!place.size)
        place.size = text_size(walk, address);
    uint8_t *bytes CLEANUP_FREE = mem_zalloc(place.size + 1, 1);
    if (!place.size || !capture_get(walk->state, address, bytes, place.size))
        return;
    place.bytes = bytes;
    walk->visit(&place, walk->data);
}

/* --- values ------------------------------------------------------------------------------- */

static void follow(struct walk *walk, const char *path, const struct source_type *type,
                   uint64_t address) {
    source_type_id target = plain(walk, type->target);
    uint64_t size = target == NO_ID ? 0 : type_at(walk, target)->size, count = 1;
    uint8_t byte;
    if (!size || type_at(walk, target)->kind == SOURCE_FUNCTION ||
        !capture_get(walk->state, address, &byte, 1))
        return;
    uint64_t extent = walk_extent(walk->program, walk->capture, address);
    if (is_text(walk, target))
        count = extent ? extent : text_size(walk, address);
    else if (extent >= size)
        count = extent / size;
    if (count)
        add(walk, mem_printf(count > 1 && !is_text(walk, target) ? "%s" : "*%s", path), target,
            address, count);
}

static void value(struct walk *walk, const struct walk_place *place);

static void fields(struct walk *walk, const struct walk_place *place) {
    const struct source_type *type = type_at(walk, place->type);
    const char *tag = secrets_type_name(walk->program, place->type);
    for (uint32_t i = type->fields.first; i < type->fields.first + type->fields.count; i++) {
        const struct field *field = &walk->program->fields.data[i];
        uint64_t at = field->bit_offset / 8;
        source_type_id own = plain(walk, field->type);
        uint64_t size = own == NO_ID ? 0 : type_at(walk, own)->size;
        if (field->is_bit_field)
            size = (field->bit_offset % 8 + field->bit_size + 7) / 8;
        /* A flexible array goes on as far as there is memory. */
        if (!size && own != NO_ID && type_at(walk, own)->kind == SOURCE_ARRAY && place->address) {
            size = walk_extent(walk->program, walk->capture, place->address + at);
            source_type_id element = plain(walk, type_at(walk, own)->target);
            if (size && element != NO_ID && type_at(walk, element)->size &&
                !(walk->secrets && walk->secrets->fields[i]))
                add(walk, mem_printf("%s.%s", place->path, field->name ? field->name : ""), element,
                    place->address + at, size / type_at(walk, element)->size);
            if (!(walk->secrets && walk->secrets->fields[i]))
                continue;
        }
        if (!size || own == NO_ID)
            continue;
        bool is_private = walk->secrets && walk->secrets->fields[i];
        char *path CLEANUP_FREE =
            field->name ? mem_printf("%s.%s", place->path, field->name) : mem_strdup(place->path);
        char *secret CLEANUP_FREE =
            mem_printf("%s.%s", tag ? tag : "?", field->name ? field->name : "?");
        uint8_t *bytes CLEANUP_FREE = mem_zalloc(size + 1, 1);
        if (at + size <= place->size)
            memcpy(bytes, place->bytes + at, size);
        else if (!place->address || !capture_get(walk->state, place->address + at, bytes, size))
            continue;
        value(walk, &(struct walk_place){path, is_private ? secret : place->secret, own,
                                         place->address ? place->address + at : 0, size, bytes});
    }
}

static void elements(struct walk *walk, const struct walk_place *place) {
    source_type_id element = plain(walk, type_at(walk, place->type)->target);
    uint64_t size = element == NO_ID ? 0 : type_at(walk, element)->size;
    for (uint64_t at = 0; size && at + size <= place->size; at += size) {
        char *path CLEANUP_FREE = mem_printf("%s[%" PRIu64 "]", place->path, at / size);
        value(walk, &(struct walk_place){path, place->secret, element,
                                         place->address ? place->address + at : 0, size,
                                         place->bytes + at});
    }
}

static void value(struct walk *walk, const struct walk_place *place) {
    const struct source_type *type = type_at(walk, place->type);
    if (place->secret) {
        walk->visit(place, walk->data);
        visit_behind(walk, place);
    } else if (type->kind == SOURCE_STRUCT || type->kind == SOURCE_UNION) {
        fields(walk, place);
    } else if (type->kind == SOURCE_ARRAY && type->target != NO_ID &&
               !is_text(walk, plain(walk, type->target))) {
        elements(walk, place);
    } else {
        walk->visit(place, walk->data);
        uint64_t address;
        if (type->kind == SOURCE_POINTER && place->size == sizeof address) {
            memcpy(&address, place->bytes, sizeof address);
            follow(walk, place->path, type, address);
        }
    }
}

static void value_in_memory(struct walk *walk, const char *path, const char *secret,
                            source_type_id type, uint64_t address, uint64_t size) {
    uint8_t *bytes CLEANUP_FREE = mem_zalloc(size + 1, 1);
    if (size && capture_get(walk->state, address, bytes, size))
        value(walk, &(struct walk_place){path, secret, type, address, size, bytes});
}

/* --- where it begins ---------------------------------------------------------------------- */

/* With the function that it is a variable of, if it is not known to more. */
static void root(struct walk *walk, variable_id variable, const char *function, uint64_t address,
                 uint64_t size) {
    const struct variable *known = &walk->program->variables.data[variable];
    bool is_private = walk->secrets && walk->secrets->variables[variable];
    source_type_id type = plain(walk, known->type);
    char *path CLEANUP_FREE = mem_printf("%s%s%s", function, *function ? "." : "", known->name);
    if (type != NO_ID)
        value_in_memory(walk, path, is_private ? known->name : NULL, type, address, size);
}

/* Each thread has a block of all thread-locals, whole pages, one behind the other. */
static uint64_t block_of_thread(const struct program *program) {
    uint64_t size = 0, unit = 4096;
    for (memory_id m = 0; m < program->memory.count; m++) {
        const struct memory *one = &program->memory.data[m];
        if (one->kind != MEMORY_THREAD_LOCAL)
            continue;
        uint64_t end = (uint64_t)one->offset + one->size;
        size = end > size ? end : size;
        unit = one->align > unit ? one->align : unit;
    }
    return (size + unit - 1) / unit * unit;
}

static void thread_locals(struct walk *walk, const struct memory *memory, uint64_t block) {
    for (size_t i = 0; i < walk->state->memory.count; i++) {
        const struct capture_memory *piece = &walk->state->memory.data[i];
        uint64_t first = piece->address - RECUT_TLS_BASE;
        if (piece->address < RECUT_TLS_BASE || piece->address >= RECUT_TLS_END)
            continue;
        for (uint64_t slot = first / block; slot <= (first + piece->size - 1) / block; slot++)
            root(walk, memory->variable, "",
                 RECUT_TLS_BASE + slot * block + (uint64_t)memory->offset, memory->size);
    }
}

void walk_variables(struct walk *walk) {
    uint64_t block = block_of_thread(walk->program);
    for (memory_id m = 0; m < walk->program->memory.count; m++) {
        const struct memory *memory = &walk->program->memory.data[m];
        if (memory->variable == NO_ID || memory->flags & MEMORY_CONSTANT)
            continue;
        if (memory->kind == MEMORY_GLOBAL && memory->address)
            root(walk, memory->variable, names_variable_function(walk->program, m), memory->address,
                 memory->size);
        else if (memory->kind == MEMORY_THREAD_LOCAL)
            thread_locals(walk, memory, block);
    }
}

void walk_local(struct walk *walk, variable_id variable, uint64_t address) {
    source_type_id type = plain(walk, walk->program->variables.data[variable].type);
    if (type != NO_ID)
        root(walk, variable, "", address, type_at(walk, type)->size);
}

static bool is_private_parameter(const struct walk *walk, uint32_t number) {
    scope_id scope = walk->program->functions.data[walk->state->frame.function].scope;
    for (size_t i = 0; walk->secrets && i < walk->program->variables.count; i++) {
        const struct variable *one = &walk->program->variables.data[i];
        if (one->argument == number && one->scope == scope)
            return walk->secrets->variables[i];
    }
    return false;
}

void walk_parameters(struct walk *walk) {
    const struct capture_state *state = walk->state;
    struct signature signature;
    if (state->frame.function >= walk->program->functions.count)
        return;
    signature_find(walk->program, (function_id)state->frame.function, &signature);
    for (uint32_t i = 0; !signature.wrong && i < signature.parameters.count; i++) {
        const struct parameter *one = &signature.parameters.data[i];
        source_type_id type = plain(walk, one->type);
        if (one->is_lost || type == NO_ID || one->word + one->words > state->word_count)
            continue;
        const char *name = one->name ? one->name : "parameter";
        value(walk, &(struct walk_place){
                        name, is_private_parameter(walk, i + 1) ? name : NULL, type, 0,
                        type_at(walk, type)->size < 8 * one->words ? type_at(walk, type)->size
                                                                   : 8 * one->words,
                        (const uint8_t *)(state->words + one->word)});
    }
    signature_deinit(&signature);
}

void walk_all(struct walk *walk) {
    uint64_t objects = 0; /* a damaged file may tell of a block without end */
    for (size_t i = 0; i < walk->items.count; i++) {
        struct walk_item item = walk->items.data[i];
        uint64_t size = type_at(walk, item.type)->size;
        if (is_text(walk, item.type)) {
            value_in_memory(walk, item.path, NULL, item.type, item.address, item.count);
        } else {
            for (uint64_t k = 0; k < item.count && objects++ < most_objects; k++) {
                char *path CLEANUP_FREE = item.count > 1
                                              ? mem_printf("%s[%" PRIu64 "]", item.path, k)
                                              : mem_strdup(item.path);
                value_in_memory(walk, path, NULL, item.type, item.address + k * size, size);
            }
        }
        free(item.path);
    }
    VEC_DEINIT(&walk->items);
    idmap_deinit(&walk->seen);
}
