/*
 * Memory that is not a global: places in frames, thread-locals, heap objects;
 * and which instructions are recut's own bookkeeping.
 *
 * The rewriting leaves patterns that nothing else makes, because programs cannot
 * name @__recut_self (canonical/frame.c, threadlocal.c, attach.c):
 *
 *     %sp   = load @__recut_self                  or a phi of two, after attaching
 *     %base = gep i8 %sp, -SIZE  [ptrmask]        stored to @__recut_self first
 *     %x    = gep i8 %base, OFFSET                a slot
 *     %old  = gep i8 %base, SIZE                  stored to @__recut_self: the end
 *     %top  = gep i8 (load @__recut_self), -n     stored to @__recut_self: dynamic
 *     %t    = gep i8 (load @__recut_self+8), OFF  a thread-local
 *
 * The size of a slot is not recorded: it is taken as the room up to the next,
 * until its variable's type says better (model_resolve_places).  A thread-local
 * has lost its name.  LLVM is not used here, only the model.
 */
#include <stdlib.h>
#include <string.h>

#include "program/model.h"

enum { ALLOCATED_BY_RESULT = -1 };

/* Functions that make objects: by which argument the address comes back, and
 * the arguments whose product is the size; -1 is none. */
static const struct allocator {
    const char *name;
    enum memory_kind kind;
    int out_argument, size_argument, count_argument;
} allocators[] = {
    {"malloc", MEMORY_HEAP, ALLOCATED_BY_RESULT, 0, -1},
    {"calloc", MEMORY_HEAP, ALLOCATED_BY_RESULT, 0, 1},
    {"realloc", MEMORY_HEAP, ALLOCATED_BY_RESULT, 1, -1},
    {"reallocarray", MEMORY_HEAP, ALLOCATED_BY_RESULT, 1, 2},
    {"memalign", MEMORY_HEAP, ALLOCATED_BY_RESULT, 1, -1},
    {"aligned_alloc", MEMORY_HEAP, ALLOCATED_BY_RESULT, 1, -1},
    {"posix_memalign", MEMORY_HEAP, 0, 2, -1},
    {"valloc", MEMORY_HEAP, ALLOCATED_BY_RESULT, 0, -1},
    {"pvalloc", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"strdup", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"__strdup", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"strndup", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"__strndup", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"wcsdup", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"asprintf", MEMORY_HEAP, 0, -1, -1},
    {"vasprintf", MEMORY_HEAP, 0, -1, -1},
    {"__asprintf_chk", MEMORY_HEAP, 0, -1, -1},
    {"__vasprintf_chk", MEMORY_HEAP, 0, -1, -1},
    {"getline", MEMORY_HEAP, 0, -1, -1},
    {"getdelim", MEMORY_HEAP, 0, -1, -1},
    {"__getdelim", MEMORY_HEAP, 0, -1, -1},
    {"realpath", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"__realpath_chk", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"canonicalize_file_name", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"getcwd", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"__getcwd_chk", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"get_current_dir_name", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"tempnam", MEMORY_HEAP, ALLOCATED_BY_RESULT, -1, -1},
    {"mmap", MEMORY_MAPPING, ALLOCATED_BY_RESULT, 1, -1},
    {"mmap64", MEMORY_MAPPING, ALLOCATED_BY_RESULT, 1, -1},
    {"mremap", MEMORY_MAPPING, ALLOCATED_BY_RESULT, 2, -1},
    {"shmat", MEMORY_MAPPING, ALLOCATED_BY_RESULT, -1, -1},
    {"sbrk", MEMORY_MAPPING, ALLOCATED_BY_RESULT, -1, -1},
};

static const struct memory no_memory = {
    .type = NO_ID,
    .value = NO_ID,
    .initial = NO_ID,
    .function = NO_ID,
    .site = NO_ID,
    .out_argument = NO_ID,
    .variable = NO_ID,
};

/* What the pass knows of the program as a whole, and of the function at hand. */
struct pass {
    struct program *program;
    value_id self;        /* @__recut_self */
    memory_id tls_image;  /* NO_ID if nothing moved */
    struct range tls;     /* memory */
    int8_t *allocator_of; /* by function, -1 if it is none */
    function_id function;
};

static value_id operand(const struct program *program, const struct instruction *instruction,
                        uint32_t index) {
    return index < instruction->operands.count
               ? program->operands.data[instruction->operands.first + index]
               : NO_ID;
}

static struct instruction *definition(struct program *program, value_id value) {
    if (value == NO_ID || program->values.data[value].kind != VALUE_INSTRUCTION)
        return NULL;
    return &program->instructions.data[program->values.data[value].definition];
}

/* Is it the address of a field of @__recut_self? */
static bool is_self(struct pass *pass, value_id value, int64_t *ret_offset) {
    if (value == NO_ID || pass->self == NO_ID)
        return false;
    int64_t offset;
    if (program_strip_offsets(pass->program, value, &offset) != pass->self)
        return false;
    if (ret_offset)
        *ret_offset = offset;
    return true;
}

static bool loads_self(struct pass *pass, const struct instruction *instruction, int64_t field) {
    int64_t offset;
    return instruction && instruction->opcode == OP_LOAD &&
           is_self(pass, instruction->read_at, &offset) && offset == field;
}

/* The data stack's pointer, as loaded before or after the thread was attached? */
static bool is_stack_pointer(struct pass *pass, value_id value) {
    const struct instruction *made = definition(pass->program, value);
    if (!made || made->opcode != OP_PHI)
        return loads_self(pass, made, SELF_DATA_STACK);
    for (uint32_t i = 0; i < made->operands.count; i++)
        if (!loads_self(pass, definition(pass->program, operand(pass->program, made, i)),
                        SELF_DATA_STACK))
            return false;
    return true;
}

static bool stores_stack(struct pass *pass, const struct instruction *instruction) {
    int64_t offset;
    return instruction->opcode == OP_STORE && is_self(pass, instruction->written_at, &offset) &&
           offset == SELF_DATA_STACK;
}

/* The gep behind an address, through the mask that aligns it. */
static struct instruction *pushed_gep(struct pass *pass, value_id value) {
    struct instruction *made = definition(pass->program, value);
    if (made && made->intrinsic == INTRINSIC_POINTER_MASK)
        made = definition(pass->program, operand(pass->program, made, 0));
    return made && made->opcode == OP_GEP ? made : NULL;
}

static memory_id add_memory(struct program *program, struct memory memory) {
    VEC_PUSH(&program->memory, memory);
    return (memory_id)program->memory.count - 1;
}

/* The frame that is made at the beginning of the body. */
static void find_frame(struct pass *pass, struct function *function) {
    struct program *program = pass->program;
    uint32_t body = function->blocks.first;
    if (program->blocks.data[body].synthetic)
        body = program->edges.data[program->blocks.data[body].successors.first + 1];
    const struct block *block = &program->blocks.data[body];
    for (uint32_t n = 0; n < block->instructions.count; n++) {
        const struct instruction *store =
            &program->instructions.data[block->instructions.first + n];
        if (!stores_stack(pass, store))
            continue;
        value_id base = operand(program, store, 0);
        struct instruction *gep = pushed_gep(pass, base);
        if (!gep || !(gep->flags & INSTRUCTION_CONSTANT_OFFSET) || gep->offset >= 0 ||
            !is_stack_pointer(pass, operand(program, gep, 0)))
            return;
        function->flags |= FUNCTION_FRAME;
        function->frame_size = (uint64_t)-gep->offset;
        function->frame_base = base;
        gep->flags |= INSTRUCTION_SYNTHETIC;
        definition(program, base)->flags |= INSTRUCTION_SYNTHETIC;
        return;
    }
}

/* Where the frame ends, its size is added to its base again. */
static void mark_pops(struct pass *pass, const struct function *function) {
    struct program *program = pass->program;
    for (uint32_t n = 0; n < function->instructions.count; n++) {
        const struct instruction *store =
            &program->instructions.data[function->instructions.first + n];
        if (!stores_stack(pass, store))
            continue;
        struct instruction *gep = definition(program, operand(program, store, 0));
        if (gep && gep->opcode == OP_GEP && operand(program, gep, 0) == function->frame_base)
            gep->flags |= INSTRUCTION_SYNTHETIC;
    }
}

static int compare_slots(const void *a, const void *b) {
    const struct memory *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->site < y->site ? -1 : x->site > y->site;
}

static void find_slots(struct pass *pass, struct function *function) {
    struct program *program = pass->program;
    function->slots.first = (uint32_t)program->memory.count;
    if (function->frame_base == NO_ID)
        return;
    for (uint32_t n = 0; n < function->instructions.count; n++) {
        instruction_id id = function->instructions.first + n;
        struct instruction *gep = &program->instructions.data[id];
        if (gep->opcode != OP_GEP || operand(program, gep, 0) != function->frame_base ||
            gep->flags & INSTRUCTION_SYNTHETIC)
            continue;
        struct memory slot = no_memory;
        slot.kind = MEMORY_SLOT;
        slot.value = gep->result;
        slot.function = pass->function;
        slot.site = id;
        slot.offset = gep->offset;
        add_memory(program, slot);
    }
    function->slots.count = (uint32_t)program->memory.count - function->slots.first;
    if (!function->slots.count)
        return;
    struct memory *slots = &program->memory.data[function->slots.first];
    qsort(slots, function->slots.count, sizeof *slots, compare_slots);
    for (uint32_t i = 0; i < function->slots.count; i++) {
        uint64_t end =
            i + 1 < function->slots.count ? (uint64_t)slots[i + 1].offset : function->frame_size;
        slots[i].size = end - (uint64_t)slots[i].offset;
        program->instructions.data[slots[i].site].object = function->slots.first + i;
    }
}

/* The sizes that canonical/frame.c noted in the function's attribute. */
static void set_slot_sizes(struct program *program, const struct function *function,
                           LLVMValueRef llvm) {
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(llvm, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                      FRAME_ATTRIBUTE, sizeof FRAME_ATTRIBUTE - 1);
    unsigned length;
    const char *text = attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
    while (*text) {
        char *end;
        int64_t offset = strtoll(text, &end, 10);
        uint64_t size = *end == ':' ? strtoull(end + 1, &end, 10) : 0;
        for (uint32_t i = 0; i < function->slots.count; i++) {
            struct memory *slot = &program->memory.data[function->slots.first + i];
            if (slot->offset == offset && !(slot->flags & MEMORY_SIZE_EXACT)) {
                slot->size = size;
                slot->flags |= MEMORY_SIZE_EXACT;
                break; /* an empty local has the offset of the next */
            }
        }
        if (end == text)
            break;
        text = end + (*end == ' ');
    }
}

static uint64_t constant_size(const struct program *program, const struct instruction *call,
                              const struct allocator *allocator) {
    uint64_t size = 1;
    int arguments[] = {allocator->size_argument, allocator->count_argument};
    if (arguments[0] < 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        if (arguments[i] < 0)
            continue;
        value_id argument = operand(program, call, (uint32_t)arguments[i]);
        if (argument == NO_ID || program->values.data[argument].kind != VALUE_INT ||
            __builtin_mul_overflow(size, program->values.data[argument].number, &size))
            return 0;
    }
    return size;
}

static void find_allocation(struct pass *pass, instruction_id id) {
    struct program *program = pass->program;
    const struct instruction *call = &program->instructions.data[id];
    if (!(call->flags & INSTRUCTION_CALL) || call->callee == NO_ID ||
        pass->allocator_of[call->callee] < 0)
        return;
    const struct allocator *allocator = &allocators[pass->allocator_of[call->callee]];
    struct memory memory = no_memory;
    memory.kind = allocator->kind;
    memory.function = pass->function;
    memory.site = id;
    memory.size = constant_size(program, call, allocator);
    if (memory.size)
        memory.flags |= MEMORY_SIZE_EXACT;
    if (allocator->out_argument == ALLOCATED_BY_RESULT)
        memory.value = call->result;
    else
        memory.out_argument = (uint32_t)allocator->out_argument;
    memory_id object = add_memory(program, memory);
    if (memory.value != NO_ID)
        program->instructions.data[id].object = object;
}

/* alloca and VLA: a computed address becomes the top of the data stack. */
static void find_dynamic(struct pass *pass, const struct function *function, instruction_id id) {
    struct program *program = pass->program;
    const struct instruction *store = &program->instructions.data[id];
    if (!stores_stack(pass, store))
        return;
    value_id top = operand(program, store, 0);
    struct instruction *gep = pushed_gep(pass, top);
    if (!gep || top == function->frame_base || !is_stack_pointer(pass, operand(program, gep, 0)))
        return;
    struct memory memory = no_memory;
    memory.kind = MEMORY_DYNAMIC;
    memory.function = pass->function;
    memory.site = program->values.data[top].definition;
    memory.value = top;
    memory_id object = add_memory(program, memory);
    program->instructions.data[memory.site].object = object;
}

static void find_stack(struct pass *pass, instruction_id id) {
    struct program *program = pass->program;
    const struct instruction *alloca = &program->instructions.data[id];
    if (alloca->opcode != OP_ALLOCA || alloca->flags & INSTRUCTION_SYNTHETIC)
        return;
    struct memory memory = no_memory;
    memory.kind = MEMORY_STACK;
    memory.function = pass->function;
    memory.site = id;
    memory.value = alloca->result;
    memory.type = alloca->allocated;
    memory.align = alloca->align;
    const struct value *count = &program->values.data[operand(program, alloca, 0)];
    if (count->kind == VALUE_INT) {
        memory.size = count->number * program->types.data[alloca->allocated].size;
        memory.flags |= MEMORY_SIZE_EXACT;
    }
    memory_id object = add_memory(program, memory);
    program->instructions.data[id].object = object;
}

static void find_thread_local(struct pass *pass, instruction_id id) {
    struct program *program = pass->program;
    struct instruction *gep = &program->instructions.data[id];
    if (gep->opcode != OP_GEP ||
        !loads_self(pass, definition(program, operand(program, gep, 0)), SELF_TLS_BLOCK))
        return;
    for (uint32_t i = 0; i < pass->tls.count; i++)
        if (program->memory.data[pass->tls.first + i].offset == gep->offset)
            gep->object = pass->tls.first + i;
}

/* Uses of the stack's limit: the probe of large and dynamic frames. */
static bool is_probe(struct pass *pass, const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_PTRTOINT:
    case OP_SUB:
    case OP_OR:
    case OP_ICMP:
    case OP_GEP:
    case OP_SELECT:
    case OP_LOAD:
        break;
    default:
        return false;
    }
    for (uint32_t i = 0; i < instruction->operands.count; i++) {
        struct instruction *from =
            definition(pass->program, operand(pass->program, instruction, i));
        if (!from)
            continue;
        if (loads_self(pass, from, SELF_STACK_LIMIT) ||
            (from->opcode != OP_LOAD && from->flags & INSTRUCTION_SYNTHETIC &&
             is_probe(pass, from)))
            return true;
    }
    return instruction->opcode == OP_PTRTOINT &&
           is_stack_pointer(pass, operand(pass->program, instruction, 0));
}

static void mark_synthetic(struct pass *pass, const struct function *function) {
    struct program *program = pass->program;
    for (uint32_t n = 0; n < function->instructions.count; n++) {
        struct instruction *instruction =
            &program->instructions.data[function->instructions.first + n];
        struct instruction *slot =
            instruction->opcode == OP_STORE ? definition(program, instruction->written_at) : NULL;
        if (program->blocks.data[instruction->block].synthetic ||
            is_self(pass, instruction->read_at, NULL) ||
            is_self(pass, instruction->written_at, NULL) ||
            (slot && slot->opcode == OP_ALLOCA && slot->flags & INSTRUCTION_SYNTHETIC) ||
            (instruction->opcode == OP_PHI && is_stack_pointer(pass, instruction->result)) ||
            is_probe(pass, instruction))
            instruction->flags |= INSTRUCTION_SYNTHETIC;
        /* The new top, as a number, right in front of the probe's subtraction. */
        struct instruction *before = n ? instruction - 1 : NULL;
        if (instruction->opcode == OP_SUB && instruction->flags & INSTRUCTION_SYNTHETIC &&
            before->opcode == OP_PTRTOINT && operand(program, instruction, 1) == before->result)
            before->flags |= INSTRUCTION_SYNTHETIC;
    }
}

static bool is_referenced(struct pass *pass, int64_t offset) {
    struct program *program = pass->program;
    for (size_t i = 0; i < program->instructions.count; i++) {
        struct instruction *gep = &program->instructions.data[i];
        if (gep->opcode == OP_GEP && gep->offset == offset &&
            loads_self(pass, definition(program, operand(program, gep, 0)), SELF_TLS_BLOCK))
            return true;
    }
    return false;
}

/* The fields of the block that thread-locals moved to; what lies between them
 * to align them is an array of bytes that nothing refers to. */
static void find_tls(struct pass *pass) {
    struct program *program = pass->program;
    pass->tls.first = (uint32_t)program->memory.count;
    if (pass->tls_image == NO_ID)
        return;
    type_id type = program->memory.data[pass->tls_image].type;
    struct range members = program->types.data[type].members;
    for (uint32_t i = 0; i < members.count; i++) {
        const struct type *member =
            &program->types.data[program->type_members.data[members.first + i]];
        struct memory memory = no_memory;
        memory.kind = MEMORY_THREAD_LOCAL;
        memory.flags = MEMORY_SIZE_EXACT;
        memory.type = program->type_members.data[members.first + i];
        memory.offset = (int64_t)program->type_offsets.data[members.first + i];
        memory.size = member->size;
        bool may_be_padding = member->kind == TYPE_ARRAY &&
                              program->types.data[member->element].bits == 8 && member->size < 64;
        if (may_be_padding && !is_referenced(pass, memory.offset))
            continue;
        const struct memory *image = &program->memory.data[pass->tls_image];
        memory.pointers.first = (uint32_t)program->initial_pointers.count;
        for (uint32_t n = 0; n < image->pointers.count; n++) {
            struct initial_pointer pointer =
                program->initial_pointers.data[image->pointers.first + n];
            if (pointer.offset - (uint64_t)memory.offset >= memory.size)
                continue;
            pointer.offset -= (uint64_t)memory.offset;
            VEC_PUSH(&program->initial_pointers, pointer);
            memory.pointers.count++;
        }
        memory.initial_kind = memory.pointers.count ? INITIAL_POINTERS : image->initial_kind;
        add_memory(program, memory);
    }
    pass->tls.count = (uint32_t)program->memory.count - pass->tls.first;
}

static void find_allocators(struct pass *pass) {
    struct program *program = pass->program;
    pass->allocator_of = mem_alloc(program->functions.count + 1);
    for (size_t i = 0; i < program->functions.count; i++) {
        const char *name = program->functions.data[i].name;
        pass->allocator_of[i] = -1;
        if (program->functions.data[i].flags & FUNCTION_DEFINED)
            continue;
        if (program->functions.data[i].flags & FUNCTION_RUNTIME)
            name += strlen("__recut_");
        for (size_t n = 0; n < sizeof allocators / sizeof *allocators; n++)
            if (strcmp(name, allocators[n].name) == 0)
                pass->allocator_of[i] = (int8_t)n;
    }
}

void model_memory(struct model *model) {
    struct program *program = model->program;
    struct pass pass = {.program = program, .self = NO_ID, .tls_image = NO_ID};
    for (uint32_t i = 0; i < program->memory.count; i++) {
        if (strcmp(program->memory.data[i].name, "__recut_self") == 0)
            pass.self = program->memory.data[i].value;
        if (strcmp(program->memory.data[i].name, "__recut_tls_image") == 0)
            pass.tls_image = i;
    }
    program->is_canonical = pass.self != NO_ID;
    find_allocators(&pass);
    find_tls(&pass);
    for (size_t i = 0; i < model->debugger_slots.count; i++)
        program->instructions.data[model->debugger_slots.data[i]].flags |= INSTRUCTION_SYNTHETIC;
    LLVMValueRef llvm = LLVMGetFirstFunction(model->module); /* in the order of the ids */
    for (uint32_t f = 0; f < program->functions.count; f++, llvm = LLVMGetNextFunction(llvm)) {
        struct function *function = &program->functions.data[f];
        if (!(function->flags & FUNCTION_DEFINED))
            continue;
        pass.function = f;
        if (pass.self != NO_ID) {
            mark_synthetic(&pass, function);
            find_frame(&pass, function);
            mark_pops(&pass, function);
        }
        find_slots(&pass, function);
        set_slot_sizes(program, function, llvm);
        for (uint32_t n = 0; n < function->instructions.count; n++) {
            instruction_id id = function->instructions.first + n;
            find_allocation(&pass, id);
            find_dynamic(&pass, function, id);
            find_stack(&pass, id);
            find_thread_local(&pass, id);
        }
    }
    free(pass.allocator_of);
}
