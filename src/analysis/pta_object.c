/*
 * The objects of points-to analysis: one for each object of the program that is
 * not of the heap, one for each function, and those that stand for what the
 * program has not made.
 *
 *   program --stores--> written(environment) = reach --> read(environment) = seen
 *                                                          ^            ^
 *                                                         held    "environment" itself
 *
 * What the environment may look into, `reach`, is watched: whatever comes there
 * has escaped (pta_external.c).  What it only hands back, `held`, has not.  Behind
 * handles lie handles, and what is held; programs do not store pointers of their
 * own there.
 *
 * Variables of libc that programs use are placed in the executable by the
 * linker; what they hold is told here.
 */
#include <stdio.h>
#include <string.h>

#include "analysis/pta_impl.h"

enum { HOLDS_NOTHING, HOLDS_HANDLE = 1, HOLDS_ARGUMENTS = 2 };

static const struct library_variable {
    const char *name;
    uint8_t holds;
    bool is_stable; /* no function of libc changes it */
} library_variables[] = {
    {"stdin", HOLDS_HANDLE, true},
    {"stdout", HOLDS_HANDLE, true},
    {"stderr", HOLDS_HANDLE, true},
    {"environ", HOLDS_HANDLE | HOLDS_ARGUMENTS, false},
    {"__environ", HOLDS_HANDLE | HOLDS_ARGUMENTS, false},
    {"optarg", HOLDS_ARGUMENTS, false},
    {"optind", HOLDS_NOTHING, false},
    {"opterr", HOLDS_NOTHING, true},
    {"optopt", HOLDS_NOTHING, false},
    {"timezone", HOLDS_NOTHING, false},
    {"__timezone", HOLDS_NOTHING, false},
    {"daylight", HOLDS_NOTHING, false},
    {"tzname", HOLDS_HANDLE, false},
    {"signgam", HOLDS_NOTHING, false},
    {"program_invocation_name", HOLDS_ARGUMENTS, true},
    {"program_invocation_short_name", HOLDS_ARGUMENTS, true},
    {"__progname", HOLDS_ARGUMENTS, true},
};

uint32_t pta_new_object(struct pta *pta, struct pta_object object, struct andersen_shape shape) {
    VEC_PUSH(&pta->objects, object);
    return andersen_object(pta->solver, shape);
}

/* Elements of long arrays are not told apart, nor is anything in what holds no
 * pointers at all. */
static struct andersen_shape shape_of(const struct program *program, const struct memory *memory) {
    enum { LONG_ARRAY = 8 };
    struct andersen_shape shape = {0};
    if (memory->flags & MEMORY_SIZE_EXACT && !(memory->flags & MEMORY_EXTERNAL))
        shape.size = memory->size;
    bool is_constant = memory->flags & MEMORY_CONSTANT && !(memory->flags & MEMORY_EXTERNAL);
    if (is_constant)
        shape.flags = OBJECT_CONSTANT;
    if (is_constant && !memory->pointers.count) {
        shape.flags |= OBJECT_ONE_CELL;
        return shape;
    }
    if (memory->type == NO_ID)
        return shape;
    const struct type *type = &program->types.data[memory->type];
    if (type->kind != TYPE_ARRAY || type->length <= LONG_ARRAY)
        return shape;
    uint64_t element = program->types.data[type->element].size;
    if (element % GRANULE)
        shape.flags |= OBJECT_ONE_CELL;
    else if (element && element < HIGHEST_OFFSET)
        shape.fold = (uint32_t)element;
    return shape;
}

static void make_library_variable(struct pta *pta, const struct memory *memory, uint32_t object) {
    const struct library_variable *known = NULL;
    for (size_t i = 0; i < sizeof library_variables / sizeof *library_variables; i++)
        if (strcmp(library_variables[i].name, memory->name) == 0)
            known = &library_variables[i];
    if (!known || !known->is_stable)
        pta->objects.data[object].flags |= PTA_ESCAPED;
    uint32_t written = andersen_written(pta->solver, object);
    if (!known) {
        andersen_copy(pta->solver, written, pta->seen);
        andersen_copy(pta->solver, pta->reach, andersen_read(pta->solver, object));
        return;
    }
    if (known->holds & HOLDS_HANDLE)
        andersen_address(pta->solver, written, pta->handles, 0);
    if (known->holds & HOLDS_ARGUMENTS)
        andersen_address(pta->solver, written, pta->arguments, 0);
    if (known->holds & HOLDS_HANDLE && known->holds & HOLDS_ARGUMENTS)
        andersen_copy(pta->solver, pta->held, andersen_read(pta->solver, object));
}

static void make_memory(struct pta *pta, memory_id id) {
    const struct memory *memory = &pta->program->memory.data[id];
    pta->memory_objects[id] = NO_ID;
    if (memory->kind == MEMORY_HEAP || memory->kind == MEMORY_MAPPING)
        return;
    uint32_t object =
        pta_new_object(pta, (struct pta_object){.kind = PTA_MEMORY, .id = id, .memory = id},
                       shape_of(pta->program, memory));
    pta->memory_objects[id] = object;
    if (memory->flags & MEMORY_EXTERNAL && !(memory->flags & MEMORY_RUNTIME))
        make_library_variable(pta, memory, object);
}

static void make_special(struct pta *pta) {
    struct andersen *solver = pta->solver;
    pta->environment = pta_new_object(
        pta, (struct pta_object){.kind = PTA_ENVIRONMENT, .id = NO_ID, .memory = NO_ID},
        (struct andersen_shape){.flags = OBJECT_ANYWHERE});
    pta->handles =
        pta_new_object(pta, (struct pta_object){.kind = PTA_HANDLES, .id = NO_ID, .memory = NO_ID},
                       (struct andersen_shape){.flags = OBJECT_ANYWHERE | OBJECT_OPAQUE});
    pta->arguments = pta_new_object(
        pta, (struct pta_object){.kind = PTA_ARGUMENTS, .id = NO_ID, .memory = NO_ID},
        (struct andersen_shape){.flags = OBJECT_ONE_CELL});
    pta->reach = andersen_written(solver, pta->environment);
    pta->seen = andersen_read(solver, pta->environment);
    pta->held = andersen_node(solver);
    pta->data = andersen_node(solver);
    pta->handlers = andersen_node(solver);
    pta->halves = andersen_node(solver);
    andersen_address(solver, pta->seen, pta->environment, 0);
    andersen_address(solver, pta->seen, pta->handles, 0);
    andersen_copy(solver, pta->seen, pta->held);
    andersen_address(solver, andersen_read(solver, pta->handles), pta->handles, 0);
    andersen_copy(solver, andersen_read(solver, pta->handles), pta->held);
    andersen_address(solver, andersen_written(solver, pta->arguments), pta->arguments, 0);
    andersen_watch(solver, pta->reach, pta_datum(WATCH_REACH, 0));
}

void pta_make_objects(struct pta *pta) {
    const struct program *program = pta->program;
    make_special(pta);
    for (function_id i = 0; i < program->functions.count; i++) {
        struct function_info *info = &pta->functions[i];
        info->object =
            pta_new_object(pta, (struct pta_object){.kind = PTA_FUNCTION, .id = i, .memory = NO_ID},
                           (struct andersen_shape){.flags = OBJECT_ONE_CELL});
        info->variadic = info->described = info->remembered = NO_ID;
        info->returned = andersen_node(pta->solver);
    }
    for (memory_id i = 0; i < program->memory.count; i++)
        make_memory(pta, i);
}

void pta_show_names(struct pta *pta) {
    const struct program *program = pta->program;
    if (pta->shows_names)
        return;
    pta->shows_names = true;
    for (function_id f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        if (function->flags & FUNCTION_VISIBLE && function->flags & FUNCTION_DEFINED &&
            strcmp(function->name, "main") != 0)
            andersen_address(pta->solver, pta->reach, pta->functions[f].object, 0);
    }
    for (memory_id m = 0; m < program->memory.count; m++) {
        uint32_t flags = program->memory.data[m].flags;
        if (flags & MEMORY_VISIBLE && !(flags & (MEMORY_EXTERNAL | MEMORY_RUNTIME)) &&
            pta->memory_objects[m] != NO_ID)
            andersen_address(pta->solver, pta->reach, pta->memory_objects[m], 0);
    }
}

uint32_t pta_variadic(struct pta *pta, function_id function) {
    struct function_info *info = &pta->functions[function];
    if (info->variadic == NO_ID)
        info->variadic = pta_new_object(
            pta, (struct pta_object){.kind = PTA_VARIADIC, .id = function, .memory = NO_ID},
            (struct andersen_shape){.flags = OBJECT_ONE_CELL});
    return info->variadic;
}

/* Its contents, as far as they are pointers, point to the same again. */
uint32_t pta_described(struct pta *pta, function_id function) {
    struct function_info *info = &pta->functions[function];
    if (info->described == NO_ID) {
        info->described = pta_new_object(
            pta, (struct pta_object){.kind = PTA_DESCRIBED, .id = function, .memory = NO_ID},
            (struct andersen_shape){.flags = OBJECT_ONE_CELL});
        andersen_address(pta->solver, andersen_written(pta->solver, info->described),
                         info->described, 0);
    }
    return info->described;
}

bool pta_is_errno(const struct pta *pta, uint32_t id) {
    struct pta_object object = pta_object(pta, id);
    return object.kind == PTA_DESCRIBED &&
           strcmp(pta->program->functions.data[object.id].name, "__errno_location") == 0;
}

const char *pta_object_kind_name(enum pta_object_kind kind) {
    static const char *const names[PTA_KIND_COUNT] = {
        [PTA_MEMORY] = "memory",       [PTA_HEAP] = "heap",
        [PTA_FUNCTION] = "function",   [PTA_ENVIRONMENT] = "environment",
        [PTA_HANDLES] = "handles",     [PTA_DESCRIBED] = "described",
        [PTA_ARGUMENTS] = "arguments", [PTA_VARIADIC] = "variadic",
    };
    return kind < PTA_KIND_COUNT ? names[kind] : "?";
}

static void print_memory(const struct program *program, FILE *out, memory_id id) {
    const struct memory *memory = &program->memory.data[id];
    const char *name = memory->name;
    if (memory->variable != NO_ID)
        name = program->variables.data[memory->variable].name;
    if (name)
        fputs(name, out);
    else
        fprintf(out, "m%u", id);
    if (memory->function != NO_ID)
        fprintf(out, " in %s", program->functions.data[memory->function].name);
}

static void print_call(const struct program *program, FILE *out, instruction_id id) {
    const struct instruction *call = &program->instructions.data[id];
    fprintf(out, "heap at i%u in %s", id,
            program->functions.data[program_function_of(program, id)].name);
    if (call->location == NO_ID)
        return;
    const struct call_place {
        const char *file;
        uint32_t line;
    } place = {
        program->locations.data[call->location].file == NO_ID
            ? "?"
            : program->files.data[program->locations.data[call->location].file].name,
        program->locations.data[call->location].line,
    };
    fprintf(out, " (%s:%u)", place.file, place.line);
}

char *pta_object_text(const struct pta *pta, uint32_t object) {
    struct pta_object of = pta->objects.data[object];
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    switch (of.kind) {
    case PTA_MEMORY:
        print_memory(pta->program, out, of.id);
        break;
    case PTA_HEAP:
        print_call(pta->program, out, of.id);
        break;
    case PTA_FUNCTION:
        fprintf(out, "%s()", pta->program->functions.data[of.id].name);
        break;
    case PTA_DESCRIBED:
    case PTA_VARIADIC:
        fprintf(out, "%s of %s", pta_object_kind_name(of.kind),
                pta->program->functions.data[of.id].name);
        break;
    default:
        fputs(pta_object_kind_name(of.kind), out);
    }
    fclose(out);
    return text;
}
