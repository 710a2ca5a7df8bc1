/*
 * Source variables, and where they live at each point.
 *
 * A debug intrinsic says: from here on, variable V (of this inlined copy) is
 * what expression E makes of value X.  Few expressions occur; these are
 * understood, the others only noted as PLACE_DERIVED:
 *
 *                      dbg.declare(X, E)         dbg.value(X, E)
 *     empty            lies at X                 is X
 *     +n               lies at X + n             derived
 *     deref            derived                   lies at X
 *     +n deref         derived                   lies at X + n
 *     deref +n         recut.frame: slot at n    derived
 *
 * LLVM-C shows the expression only as text, and the number of a parameter only
 * in the text of its variable.  Texts of nodes that an instruction uses cost a
 * walk over the whole module each, so variables are printed last, when the
 * debug intrinsics have been turned into records, which are not instructions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/model.h"

static void apply_operator(struct debug_expression *expression, const char *name,
                           const uint64_t *operand, int64_t *constant) {
    int64_t *sum = expression->loads ? &expression->after : &expression->before;
    if (strcmp(name, "deref") == 0)
        expression->loads++;
    else if (strcmp(name, "plus_uconst") == 0)
        *sum += (int64_t)operand[0];
    else if (strcmp(name, "constu") == 0 || strcmp(name, "consts") == 0)
        *constant = (int64_t)operand[0];
    else if (strcmp(name, "plus") == 0)
        *sum += *constant;
    else if (strcmp(name, "minus") == 0)
        *sum -= *constant;
    else if (strcmp(name, "LLVM_fragment") == 0) {
        expression->fragment_offset = (uint32_t)operand[0];
        expression->fragment_bits = (uint32_t)operand[1];
    } else if (strcmp(name, "stack_value") != 0)
        expression->is_other = true;
}

/* "!DIExpression(DW_OP_plus_uconst, 8, DW_OP_deref)" */
static struct debug_expression parse_expression(LLVMValueRef value) {
    struct debug_expression expression = {0};
    char *text = LLVMPrintValueToString(value);
    char *cursor = strstr(text, "DIExpression(");
    int64_t constant = 0;
    if (!cursor)
        expression.is_other = true;
    for (cursor = cursor ? strstr(cursor, "DW_OP_") : NULL; cursor;) {
        char name[32];
        uint64_t operands[2] = {0};
        cursor += strlen("DW_OP_");
        size_t length = strcspn(cursor, ",)");
        snprintf(name, sizeof name, "%.*s", (int)length, cursor);
        char *next = strstr(cursor, "DW_OP_");
        cursor += length;
        for (int i = 0; i < 2 && cursor[0] == ',' && cursor + 2 != next; i++) {
            operands[i] = strtoull(cursor + 2, &cursor, 10);
            cursor += strcspn(cursor, ",)");
        }
        apply_operator(&expression, name, operands, &constant);
        cursor = next;
    }
    LLVMDisposeMessage(text);
    return expression;
}

/* Few expressions differ, and text is slow. */
static struct debug_expression find_expression(struct model *model, LLVMValueRef value) {
    uint32_t id = idmap_find(&model->expression_ids, value);
    if (id == IDMAP_NONE) {
        id = (uint32_t)model->expressions.count;
        VEC_PUSH(&model->expressions, parse_expression(value));
        idmap_set(&model->expression_ids, value, id);
    }
    return model->expressions.data[id];
}

static variable_id add_variable(struct model *model, LLVMMetadataRef node, bool is_global) {
    variable_id id = idmap_find(&model->variables, node);
    if (id != IDMAP_NONE)
        return id;
    LLVMMetadataRef scope = metadata_operand(model, node, DI_VARIABLE_SCOPE);
    bool in_function = scope && (LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind ||
                                 LLVMGetMetadataKind(scope) == LLVMDILexicalBlockMetadataKind ||
                                 LLVMGetMetadataKind(scope) == LLVMDILexicalBlockFileMetadataKind);
    struct variable variable = {
        .copy_of = NO_ID,
        .name = metadata_string(model, node, DI_VARIABLE_NAME),
        .type = model_source_type(model, metadata_operand(model, node, DI_VARIABLE_TYPE)),
        .scope = in_function ? model_scope(model, scope) : NO_ID,
        .file = model_file(model, LLVMDIVariableGetFile(node)),
        .line = LLVMDIVariableGetLine(node),
        .is_global = is_global,
        .is_private = metadata_is_private(model, node,
                                          is_global ? DI_GLOBAL_ANNOTATIONS : DI_LOCAL_ANNOTATIONS),
        .memory = NO_ID,
    };
    if (!variable.name)
        variable.name = "";
    id = (variable_id)model->program->variables.count;
    VEC_PUSH(&model->program->variables, variable);
    VEC_PUSH(&model->variable_nodes, node);
    idmap_set(&model->variables, node, id);
    return id;
}

void model_global_variables(struct model *model) {
    struct program *program = model->program;
    for (uint32_t i = 0; i < model->globals.count; i++) {
        size_t count;
        LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(model->globals.data[i], &count);
        for (unsigned n = 0; n < count; n++) {
            LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, n);
            if (LLVMGetMetadataKind(node) != LLVMDIGlobalVariableExpressionMetadataKind)
                continue;
            LLVMMetadataRef named = LLVMDIGlobalVariableExpressionGetVariable(node);
            if (!metadata_operand(model, named, DI_VARIABLE_NAME))
                continue; /* a string literal */
            variable_id variable = add_variable(model, named, true);
            program->variables.data[variable].memory = i;
            program->memory.data[i].variable = variable;
        }
        LLVMDisposeValueMetadataEntries(entries);
    }
}

static memory_id find_thread_local(const struct program *program, int64_t offset) {
    for (memory_id i = 0; i < program->memory.count; i++)
        if (program->memory.data[i].kind == MEMORY_THREAD_LOCAL &&
            program->memory.data[i].offset == offset)
            return i;
    return NO_ID;
}

/* One of the tuples that canonical/threadlocal.c attached to the image. */
static void name_thread_local(struct model *model, LLVMValueRef tuple) {
    struct program *program = model->program;
    LLVMValueRef parts[3] = {0};
    if (LLVMGetMDNodeNumOperands(tuple) < 2 || LLVMGetMDNodeNumOperands(tuple) > 3)
        return;
    LLVMGetMDNodeOperands(tuple, parts);
    memory_id id = LLVMIsAConstantInt(parts[0])
                       ? find_thread_local(program, LLVMConstIntGetSExtValue(parts[0]))
                       : NO_ID;
    if (id == NO_ID)
        return;
    unsigned length;
    const char *name = LLVMGetMDString(parts[1], &length);
    program->memory.data[id].name = model_string(model, name, length);
    if (!parts[2])
        return;
    LLVMMetadataRef named =
        LLVMDIGlobalVariableExpressionGetVariable(LLVMValueAsMetadata(parts[2]));
    variable_id variable = add_variable(model, named, true);
    program->variables.data[variable].memory = id;
    program->memory.data[id].variable = variable;
}

void model_thread_local_names(struct model *model) {
    LLVMValueRef image = LLVMGetNamedGlobal(model->module, THREAD_LOCAL_IMAGE);
    if (!image)
        return;
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(image, &count);
    for (unsigned i = 0; i < count; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
        if (LLVMGetMetadataKind(node) == LLVMMDTupleMetadataKind)
            name_thread_local(model, LLVMMetadataAsValue(model->context, node));
    }
    LLVMDisposeValueMetadataEntries(entries);
}

/* The value that a debug intrinsic is about, NO_ID if it has none or several. */
static value_id wrapped_value(struct model *model, LLVMValueRef operand) {
    LLVMMetadataKind kind = LLVMGetMetadataKind(LLVMValueAsMetadata(operand));
    if (kind != LLVMLocalAsMetadataMetadataKind && kind != LLVMConstantAsMetadataMetadataKind)
        return NO_ID;
    LLVMValueRef value;
    LLVMGetMDNodeOperands(operand, &value);
    return LLVMIsPoison(value) || LLVMIsUndef(value) ? NO_ID : model_value(model, value);
}

static enum place_kind classify(const struct debug_expression *expression, bool is_declaration,
                                int64_t *ret_offset) {
    *ret_offset = expression->before;
    if (expression->is_other)
        return PLACE_DERIVED;
    if (is_declaration) {
        if (expression->loads == 1 && expression->before == 0) {
            *ret_offset = expression->after;
            return PLACE_OBJECT; /* if the value is a debugger's slot */
        }
        return expression->loads ? PLACE_DERIVED : PLACE_MEMORY;
    }
    if (expression->loads == 1 && expression->after == 0)
        return PLACE_MEMORY;
    return expression->loads == 0 && expression->before == 0 ? PLACE_VALUE : PLACE_DERIVED;
}

static void add_place(struct model *model, const struct debug_call *call) {
    const char *name = rewrite_callee_name(call->call);
    bool is_declaration = strcmp(name, "llvm.dbg.declare") == 0;
    if (!is_declaration && strcmp(name, "llvm.dbg.value") != 0)
        return;
    LLVMMetadataRef node = LLVMValueAsMetadata(LLVMGetOperand(call->call, 1));
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(call->call);
    struct debug_expression expression = find_expression(model, LLVMGetOperand(call->call, 2));
    struct place place = {
        .is_declaration = is_declaration,
        .variable = add_variable(model, node, false),
        .instruction = call->instruction,
        .inlined_at =
            location ? model_location(model, LLVMDILocationGetInlinedAt(location)) : NO_ID,
        .value = wrapped_value(model, LLVMGetOperand(call->call, 0)),
        .memory = NO_ID,
        .fragment_offset = expression.fragment_offset,
        .fragment_bits = expression.fragment_bits,
    };
    place.kind = (uint8_t)classify(&expression, is_declaration, &place.offset);
    if (place.value == NO_ID)
        place.kind = LLVMGetMetadataKind(LLVMValueAsMetadata(LLVMGetOperand(call->call, 0))) ==
                             LLVMDIArgListMetadataKind
                         ? PLACE_DERIVED
                         : PLACE_GONE;
    VEC_PUSH(&model->program->places, place);
}

/* Variables of which optimisation left nothing but their names. */
static void add_retained(struct model *model) {
    FOR_EACH_FUNCTION(function, model->module) {
        LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
        if (!subprogram || LLVMIsDeclaration(function))
            continue;
        unsigned count;
        LLVMMetadataRef *nodes CLEANUP_FREE = metadata_operands(
            model, metadata_operand(model, subprogram, DI_SUBPROGRAM_RETAINED), &count);
        for (unsigned i = 0; i < count; i++)
            if (nodes[i] && LLVMGetMetadataKind(nodes[i]) == LLVMDILocalVariableMetadataKind)
                add_variable(model, nodes[i], false);
    }
}

static int compare_places(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    if (x->instruction != y->instruction)
        return x->instruction < y->instruction ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void model_local_variables(struct model *model) {
    struct program *program = model->program;
    for (size_t i = 0; i < model->debug_calls.count; i++)
        add_place(model, &model->debug_calls.data[i]);
    add_retained(model);
    for (size_t i = 0; i < program->places.count; i++)
        program->places.data[i].order = (uint32_t)i;
    if (program->places.count)
        qsort(program->places.data, program->places.count, sizeof *program->places.data,
              compare_places);
    for (size_t i = 0; i < program->places.count; i++) {
        struct range *places = &program->variables.data[program->places.data[i].variable].places;
        if (!places->count)
            places->first = (uint32_t)i;
        places->count++;
    }
}

void model_finish_variables(struct model *model) {
    LLVMSetIsNewDbgInfoFormat(model->module, true);
    for (size_t i = 0; i < model->variable_nodes.count; i++) {
        struct variable *variable = &model->program->variables.data[i];
        if (variable->is_global)
            continue;
        char *text = metadata_text(model, model->variable_nodes.data[i]);
        const char *number = strstr(text, ", arg: ");
        variable->argument = number ? (uint32_t)strtoul(number + 7, NULL, 10) : 0;
        LLVMDisposeMessage(text);
    }
}

static memory_id find_slot(const struct program *program, const struct function *function,
                           int64_t offset) {
    for (uint32_t i = 0; i < function->slots.count; i++)
        if (program->memory.data[function->slots.first + i].offset == offset)
            return function->slots.first + i;
    return NO_ID;
}

/* The object that an address value is the beginning of. */
static memory_id object_of(const struct program *program, value_id id) {
    const struct value *value = &program->values.data[id];
    if (value->kind == VALUE_GLOBAL)
        return value->definition;
    if (value->kind == VALUE_INSTRUCTION)
        return program->instructions.data[value->definition].object;
    return NO_ID;
}

static void resolve_place(const struct program *program, struct place *place) {
    if (place->kind == PLACE_OBJECT) {
        const struct function *function =
            &program->functions.data[program_function_of(program, place->instruction)];
        place->memory = find_slot(program, function, place->offset);
        place->kind = place->memory == NO_ID ? PLACE_DERIVED : PLACE_OBJECT;
        place->offset = 0;
    } else if (place->kind == PLACE_MEMORY) {
        memory_id object = object_of(program, place->value);
        if (object != NO_ID) {
            place->kind = PLACE_OBJECT;
            place->memory = object;
        }
    }
}

void model_resolve_places(struct model *model) {
    struct program *program = model->program;
    for (size_t i = 0; i < program->places.count; i++) {
        struct place *place = &program->places.data[i];
        resolve_place(program, place);
        struct value *value = place->value == NO_ID ? NULL : &program->values.data[place->value];
        if (place->kind == PLACE_VALUE && !place->fragment_bits && value->variable == NO_ID &&
            (value->kind == VALUE_INSTRUCTION || value->kind == VALUE_ARGUMENT))
            value->variable = place->variable;
    }
    for (uint32_t i = 0; i < program->variables.count; i++) {
        struct variable *variable = &program->variables.data[i];
        for (uint32_t n = 0; n < variable->places.count; n++) {
            const struct place *place = &program->places.data[variable->places.first + n];
            bool here = place->kind == PLACE_OBJECT && place->offset == 0 && !place->fragment_bits;
            if (here)
                program->memory.data[place->memory].variable = i;
            if (!here || (n && place->memory != variable->memory)) {
                variable->memory = NO_ID;
                break;
            }
            variable->memory = place->memory;
        }
    }
    for (size_t i = 0; i < program->memory.count; i++) {
        struct memory *memory = &program->memory.data[i];
        if (memory->variable == NO_ID)
            continue;
        const struct variable *variable = &program->variables.data[memory->variable];
        if (!memory->name)
            memory->name = variable->name;
        uint64_t size =
            variable->type == NO_ID ? 0 : program->source_types.data[variable->type].size;
        if (memory->kind == MEMORY_SLOT && size && size <= memory->size) {
            memory->size = size;
            memory->flags |= MEMORY_SIZE_EXACT;
        }
    }
}
