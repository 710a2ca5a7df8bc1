/*
 * The profile variant; see profile.h.
 *
 * Counts are kept for runs of instructions, not for each: a counter at the
 * start of a block and after each call in it that is followed by accesses,
 * since a call may not return.  Every access of the run was then made exactly
 * as often as the run was entered.  Where the size of an access is only known
 * when it is made (memcpy), a second counter sums it.
 *
 *     entry:   c = load self.counters;  if (!c) __recut_profile_attach()
 *     run:     c[k] += 1
 *     memcpy:  c[m] += length
 *
 * Calls are counted with the run that they end.  Of an external function, what it wrote is summed
 * behind the call, as its model says (profile_output.c).
 *
 * Accesses to the thread's own state (data stack pointer) are recut's and are
 * not counted.
 */
#include "instrument/profile.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/profile_output.h"
#include "instrument/variant.h"
#include "program/canonical/rewrite.h"

struct counting {
    struct variant *variant;
    LLVMValueRef counters; /* of the function at hand */
    VEC(struct profile_function) functions;
    VEC(struct profile_access) accesses;
    VEC(struct profile_call) calls;
    const struct model_table *models;
    uint32_t counter_count;
    bool emit, each;
};

bool profile_reads(enum profile_kind kind) { return kind != PROFILE_STORE && kind != PROFILE_FILL; }
bool profile_writes(enum profile_kind kind) { return kind != PROFILE_LOAD; }

const char *profile_kind_name(enum profile_kind kind) {
    static const char *const names[] = {"load", "store", "copy", "fill", "update"};
    return names[kind];
}

static char *copy_string(const char *string, size_t length) {
    return string ? mem_strndup(string, length) : mem_strdup("");
}

static void describe_function(LLVMValueRef function, struct profile_function *ret) {
    ret->name = mem_strdup(rewrite_name(function));
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    if (!subprogram) {
        ret->source_name = mem_strdup(ret->name);
        ret->file = mem_strdup("");
        return;
    }
    unsigned length;
    LLVMMetadataRef file = LLVMDIScopeGetFile(subprogram);
    const char *path = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    ret->file = copy_string(path, path ? length : 0);
    ret->line = LLVMDISubprogramGetLine(subprogram);
    size_t name_length = 0;
    /* DISubprogram has the scope first, then its name. */
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMValueRef node = LLVMMetadataAsValue(context, subprogram);
    LLVMValueRef *operands CLEANUP_FREE =
        mem_zalloc(LLVMGetMDNodeNumOperands(node), sizeof *operands);
    LLVMGetMDNodeOperands(node, operands);
    unsigned string_length = 0;
    const char *name = LLVMGetMDNodeNumOperands(node) > 2 && operands[2]
                           ? LLVMGetMDString(operands[2], &string_length)
                           : NULL;
    name_length = string_length;
    ret->source_name = name ? copy_string(name, name_length) : mem_strdup(ret->name);
}

/* Fills kind, and size or *ret_length; false if it is not an access. */
static bool classify(struct counting *counting, LLVMValueRef instruction,
                     struct profile_access *ret, LLVMValueRef *ret_length) {
    LLVMTargetDataRef layout = counting->variant->layout;
    LLVMValueRef address = NULL;
    LLVMTypeRef type = NULL;
    *ret_length = NULL;
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        ret->kind = PROFILE_LOAD;
        address = LLVMGetOperand(instruction, 0);
        type = LLVMTypeOf(instruction);
        break;
    case LLVMStore:
        ret->kind = PROFILE_STORE;
        address = LLVMGetOperand(instruction, 1);
        type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        ret->kind = PROFILE_UPDATE;
        address = LLVMGetOperand(instruction, 0);
        type = LLVMTypeOf(LLVMGetOperand(instruction, 1));
        break;
    case LLVMCall: {
        bool copy = rewrite_is_intrinsic(instruction, "llvm.memcpy.") ||
                    rewrite_is_intrinsic(instruction, "llvm.memmove.");
        if (!copy && !rewrite_is_intrinsic(instruction, "llvm.memset."))
            return false;
        ret->kind = copy ? PROFILE_COPY : PROFILE_FILL;
        LLVMValueRef length = LLVMGetOperand(instruction, 2);
        if (LLVMIsAConstantInt(length))
            ret->size = LLVMConstIntGetZExtValue(length);
        else
            *ret_length = length;
        return true;
    }
    default:
        return false;
    }
    if (rewrite_is_self(address))
        return false;
    ret->size = LLVMStoreSizeOfType(layout, type);
    return true;
}

static void add_to_counter(struct counting *counting, uint32_t counter, LLVMValueRef amount) {
    if (!counting->emit)
        return;
    struct variant *variant = counting->variant;
    LLVMBuilderRef b = variant->builder;
    LLVMValueRef index = LLVMConstInt(variant->i64, counter, false);
    LLVMValueRef slot = LLVMBuildGEP2(b, variant->i64, counting->counters, &index, 1, "");
    LLVMValueRef old = LLVMBuildLoad2(b, variant->i64, slot, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, old, amount, ""), slot);
}

static void count_run(struct counting *counting, LLVMValueRef before, uint32_t counter) {
    if (!counting->emit)
        return;
    LLVMPositionBuilderBefore(counting->variant->builder, before);
    add_to_counter(counting, counter, LLVMConstInt(counting->variant->i64, 1, false));
}

static void set_place(LLVMValueRef instruction, struct profile_access *access) {
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    if (!location)
        return;
    access->line = LLVMDILocationGetLine(location);
    access->column = LLVMDILocationGetColumn(location);
}

static LLVMValueRef first_countable(LLVMBasicBlockRef block) {
    LLVMValueRef instruction = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(instruction))
        instruction = LLVMGetNextInstruction(instruction);
    return instruction;
}

/* The run that an access or a call at this place belongs to. */
static uint32_t run_of(struct counting *counting, LLVMValueRef instruction, uint32_t run,
                       bool *after_call) {
    if (!*after_call && !counting->each)
        return run;
    *after_call = false;
    run = counting->counter_count++;
    count_run(counting, instruction, run);
    return run;
}

static void count_call(struct counting *counting, LLVMValueRef call, uint32_t number,
                       uint32_t run) {
    struct profile_call entry = {
        .instruction = number, .counter = run, .bytes_counter = PROFILE_NO_COUNTER};
    struct profile_access place = {0};
    set_place(call, &place);
    entry.line = place.line;
    entry.column = place.column;
    struct profile_output output;
    if (profile_output_find(call, counting->models, &output)) {
        entry.bytes_counter = counting->counter_count++;
        if (counting->emit) {
            LLVMPositionBuilderBefore(counting->variant->builder, LLVMGetNextInstruction(call));
            add_to_counter(counting, entry.bytes_counter,
                           profile_output_size(&output, counting->variant->builder));
        }
    }
    VEC_PUSH(&counting->calls, entry);
}

/* Counts one block; `number` runs over the function's instructions. */
static void count_block(struct counting *counting, LLVMBasicBlockRef block, uint32_t *number) {
    uint32_t run = counting->counter_count++;
    bool after_call = false;
    LLVMValueRef body = first_countable(block);
    bool in_body = false;
    FOR_EACH_INSTRUCTION_SAFE(instruction, next, block) {
        if (instruction == body) {
            in_body = true;
            count_run(counting, instruction, run);
        }
        if (rewrite_is_intrinsic(instruction, "llvm.dbg.") || instruction == counting->counters)
            continue;
        struct profile_access access = {
            .function = (uint32_t)counting->functions.count - 1,
            .instruction = (*number)++,
            .bytes_counter = PROFILE_NO_COUNTER,
        };
        LLVMValueRef length;
        bool is_call = LLVMIsACallInst(instruction) &&
                       !rewrite_is_intrinsic(instruction, "llvm.") &&
                       !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction));
        if (in_body && classify(counting, instruction, &access, &length)) {
            access.counter = run = run_of(counting, instruction, run, &after_call);
            set_place(instruction, &access);
            if (length) {
                access.bytes_counter = counting->counter_count++;
                if (counting->emit) {
                    LLVMBuilderRef b = counting->variant->builder;
                    LLVMPositionBuilderBefore(b, instruction);
                    add_to_counter(counting, access.bytes_counter,
                                   LLVMBuildZExtOrBitCast(b, length, counting->variant->i64, ""));
                }
            }
            VEC_PUSH(&counting->accesses, access);
        }
        if (in_body && is_call) {
            run = run_of(counting, instruction, run, &after_call);
            count_call(counting, instruction, access.instruction, run);
        }
        after_call |= is_call;
    }
}

/* A new entry block that finds this thread's counters. */
static void find_counters(struct counting *counting, LLVMValueRef function) {
    struct variant *variant = counting->variant;
    LLVMBuilderRef b = variant->builder;
    LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(function);
    LLVMBasicBlockRef entry =
        LLVMInsertBasicBlockInContext(variant->context, body, "profile.entry");
    LLVMBasicBlockRef attach =
        LLVMAppendBasicBlockInContext(variant->context, function, "profile.attach");
    LLVMValueRef slot = variant_self_field(variant, SELF_COUNTERS);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(variant->context), NULL, 0, false);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMValueRef found = LLVMBuildLoad2(b, variant->ptr, slot, "counters");
    LLVMBuildCondBr(b, LLVMBuildIsNull(b, found, ""), attach, body);
    LLVMPositionBuilderAtEnd(b, attach);
    LLVMValueRef call = LLVMBuildCall2(
        b, type, variant_runtime(variant, "__recut_profile_attach", type), NULL, 0, "");
    LLVMSetInstructionCallConv(call, LLVMPreserveAllCallConv);
    LLVMValueRef given = LLVMBuildLoad2(b, variant->ptr, slot, "");
    LLVMBuildBr(b, body);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(body));
    LLVMValueRef counters = LLVMBuildPhi(b, variant->ptr, "");
    LLVMAddIncoming(counters, (LLVMValueRef[]){found, given}, (LLVMBasicBlockRef[]){entry, attach},
                    2);
    counting->counters = counters;
}

static void count_function(struct counting *counting, LLVMValueRef function) {
    struct profile_function entry = {
        .entry_counter = counting->counter_count,
        .first_access = (uint32_t)counting->accesses.count,
        .first_call = (uint32_t)counting->calls.count,
    };
    describe_function(function, &entry);
    VEC_PUSH(&counting->functions, entry);
    uint32_t number = 0;
    VEC(LLVMBasicBlockRef) blocks = {0};
    FOR_EACH_BLOCK(block, function)
        VEC_PUSH(&blocks, block);
    if (counting->emit)
        find_counters(counting, function);
    for (size_t i = 0; i < blocks.count; i++)
        count_block(counting, blocks.data[i], &number);
    VEC_DEINIT(&blocks);
    struct profile_function *done = &counting->functions.data[counting->functions.count - 1];
    done->access_count = (uint32_t)counting->accesses.count - done->first_access;
    done->call_count = (uint32_t)counting->calls.count - done->first_call;
}

/* Names a function, its file, or the end of its file's path? */
static bool is_wanted(LLVMValueRef function, void *data) {
    const char *const *only = data;
    if (!only)
        return true;
    struct profile_function described = {0};
    describe_function(function, &described);
    bool wanted = false;
    for (; *only && !wanted; only++) {
        size_t file = strlen(described.file), name = strlen(*only);
        wanted = strcmp(described.name, *only) == 0 || strcmp(described.source_name, *only) == 0 ||
                 strcmp(described.file, *only) == 0 ||
                 (file > name && described.file[file - name - 1] == '/' &&
                  strcmp(described.file + file - name, *only) == 0);
    }
    free(described.name);
    free(described.source_name);
    free(described.file);
    return wanted;
}

static void take_map(struct counting *counting, struct profile_map *ret) {
    VEC(struct profile_skipped) skipped = {0};
    for (size_t i = 0; i < counting->variant->values.count; i++) {
        struct variant_value *value = &counting->variant->values.data[i];
        if (LLVMIsAFunction(value->value) && !LLVMIsDeclaration(value->value) && value->refusal)
            VEC_PUSH(&skipped, (struct profile_skipped){mem_strdup(rewrite_name(value->value)),
                                                        value->refusal});
    }
    *ret = (struct profile_map){
        .functions = counting->functions.data,
        .accesses = counting->accesses.data,
        .calls = counting->calls.data,
        .skipped = skipped.data,
        .function_count = counting->functions.count,
        .access_count = counting->accesses.count,
        .call_count = counting->calls.count,
        .skipped_count = skipped.count,
        .counter_count = counting->counter_count,
    };
}

struct error *profile_build(const struct embedded *embedded, const struct profile_options *options,
                            struct profile_map *ret) {
    struct variant variant;
    struct error *err = variant_begin(embedded, &variant);
    if (err)
        return err;
    variant_choose(&variant, is_wanted, (void *)options->only);
    struct counting counting = {
        .variant = &variant,
        .models = options->models,
        .emit = options->image_path != NULL,
        .each = options->each,
    };
    for (size_t i = 0; i < variant.values.count; i++)
        if (variant.values.data[i].swapped)
            count_function(&counting, variant.values.data[i].value);
    take_map(&counting, ret);
    if (options->image_path)
        err = variant_finish(&variant, &(struct variant_output){
                                           .kind = VARIANT_PROFILE,
                                           .counter_count = counting.counter_count,
                                           .image_path = options->image_path,
                                       });
    variant_deinit(&variant);
    if (err)
        profile_map_deinit(ret);
    return err;
}

void profile_map_deinit(struct profile_map *map) {
    for (size_t i = 0; i < map->function_count; i++) {
        free(map->functions[i].name);
        free(map->functions[i].source_name);
        free(map->functions[i].file);
    }
    for (size_t i = 0; i < map->skipped_count; i++)
        free(map->skipped[i].name);
    free(map->functions);
    free(map->accesses);
    free(map->calls);
    free(map->skipped);
    *map = (struct profile_map){0};
}
