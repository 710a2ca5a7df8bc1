/* Building a variant; see variant.h. */
#include "instrument/variant.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/shadow.h"
#include "instrument/logging_facts.h"
#include "instrument/variant_link.h"
#include "program/canonical/rewrite.h"
#include "program/codegen.h"
#include "program/table.h"

/* Calls of weak functions go to their stubs, as those of others do by themselves. */
static void redirect_weak(struct variant *variant) {
    for (size_t i = 0; i < variant->extra_count; i++) {
        size_t prefix = strlen(TABLE_WEAK_PREFIX);
        if (strncmp(variant->extras[i], TABLE_WEAK_PREFIX, prefix) != 0)
            continue;
        LLVMValueRef function = LLVMGetNamedFunction(variant->module, variant->extras[i] + prefix);
        LLVMValueRef stub =
            LLVMAddFunction(variant->module, variant->extras[i], LLVMGlobalGetValueType(function));
        rewrite_calls(function, stub);
    }
}

struct error *variant_begin(const struct embedded *embedded, struct variant *ret) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module;
    struct error *err = codegen_parse(context, embedded->bitcode, embedded->bitcode_size,
                                      "the embedded program", &module);
    if (err) {
        LLVMContextDispose(context);
        return err;
    }
    struct variant variant = {
        .embedded = embedded,
        .context = context,
        .module = module,
        .layout = LLVMGetModuleDataLayout(module),
        .builder = LLVMCreateBuilderInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
        .ptr = LLVMPointerTypeInContext(context, 0),
    };
    for (LLVMValueRef value = table_first(module); value; value = table_next(module, value)) {
        size_t index = variant.values.count;
        uint64_t address = index < embedded->table_count ? embedded->table[index] : 0;
        VEC_PUSH(&variant.values, (struct variant_value){.value = value,
                                                         .address = address,
                                                         .is_function = LLVMIsAFunction(value)});
    }
    variant.extras = table_extras(module, &variant.extra_count);
    redirect_weak(&variant);
    *ret = variant;
    return NULL;
}

void variant_deinit(struct variant *variant) {
    table_free_extras(variant->extras, variant->extra_count);
    LLVMDisposeBuilder(variant->builder);
    LLVMDisposeModule(variant->module);
    LLVMContextDispose(variant->context);
    VEC_DEINIT(&variant->values);
}

static struct variant_value *find_value(struct variant *variant, LLVMValueRef value) {
    for (size_t i = 0; i < variant->values.count; i++)
        if (variant->values.data[i].value == value)
            return &variant->values.data[i];
    return NULL;
}

/* Does a constant mention the global, directly or inside an expression? */
static bool mentions(LLVMValueRef constant, LLVMValueRef global) {
    if (constant == global)
        return true;
    if (!LLVMIsAConstant(constant) || LLVMIsAGlobalValue(constant) || LLVMIsABlockAddress(constant))
        return false;
    int count = LLVMGetNumOperands(constant);
    for (int i = 0; i < count; i++)
        if (mentions(LLVMGetOperand(constant, (unsigned)i), global))
            return true;
    return false;
}

/* Functions that name `global` in their code cannot be swapped; is there one more? */
static bool refuse_users(struct variant *variant, LLVMValueRef global, const char *reason) {
    bool is_new = false;
    for (size_t i = 0; i < variant->values.count; i++) {
        struct variant_value *entry = &variant->values.data[i];
        if (!LLVMIsAFunction(entry->value))
            continue;
        FOR_EACH_BLOCK(block, entry->value)
            FOR_EACH_INSTRUCTION(instruction, block) {
                int count = LLVMGetNumOperands(instruction);
                for (int k = 0; k < count && !entry->refusal; k++)
                    if (mentions(LLVMGetOperand(instruction, (unsigned)k), global)) {
                        entry->refusal = reason;
                        is_new = true;
                    }
            }
    }
    return is_new;
}

/* A body that a header gives away, like atoi() in stdlib.h. The program's own code has it inlined,
 * or calls the library's. */
static bool is_private(const struct variant_value *entry) {
    return !entry->address && LLVMIsAFunction(entry->value) && !LLVMIsDeclaration(entry->value) &&
           LLVMGetLinkage(entry->value) == LLVMAvailableExternallyLinkage;
}

static const char no_address[] = "it uses a symbol whose address is not known";

/* Who uses a private function that cannot be copied cannot be either. */
static void spread_refusals(struct variant *variant) {
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (size_t i = 0; i < variant->values.count; i++) {
            const struct variant_value *entry = &variant->values.data[i];
            if (entry->is_private && entry->refusal)
                is_new |= refuse_users(variant, entry->value, no_address);
        }
    }
}

static void find_refusals(struct variant *variant) {
    for (size_t i = 0; i < variant->values.count; i++) {
        struct variant_value *entry = &variant->values.data[i];
        LLVMValueRef value = entry->value;
        if (LLVMIsAFunction(value) && !LLVMIsDeclaration(value)) {
            entry->is_private = is_private(entry);
            if (rewrite_has_attribute(value, "naked"))
                entry->refusal = "naked";
            else if (!entry->address && !entry->is_private)
                entry->refusal = "it is not in the executable";
        }
        if (strcmp(rewrite_name(value), "__recut_self") == 0 || !LLVMGetFirstUse(value))
            continue;
        if (LLVMIsAGlobalVariable(value) && LLVMIsThreadLocal(value))
            refuse_users(variant, value, "it uses a thread-local that is not canonical");
        else if (!entry->address && !entry->is_private &&
                 LLVMGetLinkage(value) != LLVMExternalWeakLinkage)
            refuse_users(variant, value, no_address);
    }
    spread_refusals(variant);
}

void variant_choose(struct variant *variant, bool (*wanted)(LLVMValueRef function, void *data),
                    void *data) {
    find_refusals(variant);
    for (size_t i = 0; i < variant->values.count; i++) {
        struct variant_value *entry = &variant->values.data[i];
        if (!LLVMIsAFunction(entry->value) || LLVMIsDeclaration(entry->value) || entry->refusal)
            continue;
        entry->swapped = wanted(entry->value, data);
        variant->swapped_count += entry->swapped && !entry->is_private;
    }
}

uint64_t variant_extra_address(const struct variant *variant, const char *name) {
    for (size_t i = 0; i < variant->extra_count; i++) {
        size_t index = variant->values.count + i;
        if (strcmp(variant->extras[i], name) == 0 && index < variant->embedded->table_count)
            return variant->embedded->table[index];
    }
    return 0;
}

LLVMValueRef variant_self_field(struct variant *variant, unsigned offset) {
    enum { fs_space = 257 }; /* x86: addresses relative to %fs */
    LLVMTypeRef type = LLVMPointerTypeInContext(variant->context, fs_space);
    int64_t at = variant->embedded->self_offset + offset;
    return LLVMConstIntToPtr(LLVMConstInt(variant->i64, (uint64_t)at, true), type);
}

LLVMValueRef variant_runtime(struct variant *variant, const char *name, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetNamedFunction(variant->module, name);
    return function ? function : LLVMAddFunction(variant->module, name, type);
}

/* Offset of an address inside @__recut_self, -1 if it is another address. */
static int64_t self_offset(LLVMValueRef self, LLVMValueRef address) {
    if (address == self)
        return 0;
    if (!LLVMIsAConstantExpr(address) || LLVMGetConstOpcode(address) != LLVMGetElementPtr ||
        LLVMGetOperand(address, 0) != self)
        return -1;
    return LLVMConstIntGetSExtValue(LLVMGetOperand(address, 1));
}

/* The thread's state is reached by its offset from %fs, since the linker of an
 * image does not know the program's thread-locals. */
static void rebase_self(struct variant *variant, LLVMValueRef function, LLVMValueRef self) {
    FOR_EACH_BLOCK(block, function)
        FOR_EACH_INSTRUCTION_SAFE(instruction, next, block) {
            bool load = LLVMIsALoadInst(instruction), store = LLVMIsAStoreInst(instruction);
            if (!load && !store)
                continue;
            int64_t offset = self_offset(self, LLVMGetOperand(instruction, load ? 0 : 1));
            if (offset < 0)
                continue;
            LLVMValueRef address = variant_self_field(variant, (unsigned)offset);
            LLVMPositionBuilderBefore(variant->builder, instruction);
            LLVMSetCurrentDebugLocation2(variant->builder, NULL);
            LLVMValueRef moved =
                load ? LLVMBuildLoad2(variant->builder, LLVMTypeOf(instruction), address, "")
                     : LLVMBuildStore(variant->builder, LLVMGetOperand(instruction, 0), address);
            LLVMSetAlignment(moved, 8);
            if (load)
                LLVMReplaceAllUsesWith(instruction, moved);
            LLVMInstructionEraseFromParent(instruction);
        }
}

/* So that a debugger finds variables of the program in what is left of its files here. */
static void copy_debug_info(LLVMValueRef from, LLVMValueRef to) {
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &count);
    for (unsigned i = 0; i < count; i++)
        LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, i),
                              LLVMValueMetadataEntriesGetMetadata(entries, i));
    LLVMDisposeValueMetadataEntries(entries);
}

/* Hidden, for the address is known when the image is linked: no table of addresses is needed. */
static LLVMValueRef declare_like(struct variant *variant, size_t index) {
    LLVMValueRef value = variant->values.data[index].value, declared;
    char name[32];
    snprintf(name, sizeof name, VARIANT_SYMBOL, index);
    LLVMTypeRef type = LLVMGlobalGetValueType(value);
    if (LLVMGetTypeKind(type) == LLVMFunctionTypeKind) {
        declared = LLVMAddFunction(variant->module, name, type);
        if (LLVMIsAFunction(value))
            LLVMSetFunctionCallConv(declared, LLVMGetFunctionCallConv(value));
    } else {
        declared = LLVMAddGlobal(variant->module, type, name);
        if (LLVMIsAGlobalVariable(value))
            copy_debug_info(value, declared);
    }
    LLVMSetVisibility(declared, LLVMHiddenVisibility);
    return declared;
}

static bool has_labels(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (LLVMIsABlockAddress(LLVMGetUser(use)))
            return true;
    return false;
}

static void set_callee(LLVMValueRef call, LLVMValueRef callee) {
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, callee);
}

/* Replaces every use but those as a label's function, which must stay. */
static void replace_address(LLVMValueRef function, LLVMValueRef original) {
    if (!has_labels(function)) {
        LLVMReplaceAllUsesWith(function, original);
        return;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            continue;
        unsigned count = (unsigned)LLVMGetNumOperands(user);
        for (unsigned k = 0; k < count; k++)
            if (LLVMGetOperand(user, k) == function)
                LLVMSetOperand(user, k, original);
        next = LLVMGetFirstUse(function); /* the list was rewritten under us */
    }
}

static void keep_function(LLVMValueRef function, size_t index) {
    char name[32];
    snprintf(name, sizeof name, "swap.%zu", index);
    LLVMSetValueName2(function, name, strlen(name));
    LLVMSetLinkage(function, LLVMInternalLinkage);
}

/* Calls stay with the swapped copy; every other use is of the program's own. */
static void split_function(struct variant *variant, size_t index) {
    LLVMValueRef function = variant->values.data[index].value;
    LLVMValueRef original = declare_like(variant, index);
    VEC(LLVMValueRef) calls = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function)
            VEC_PUSH(&calls, user);
    }
    replace_address(function, original);
    for (size_t i = 0; i < calls.count; i++)
        set_callee(calls.data[i], function);
    VEC_DEINIT(&calls);
    keep_function(function, index);
}

static bool holds_swapped_label(struct variant *variant, LLVMValueRef constant) {
    if (LLVMIsABlockAddress(constant)) {
        struct variant_value *entry = find_value(variant, LLVMGetBlockAddressFunction(constant));
        return entry && entry->swapped;
    }
    if (LLVMIsAGlobalValue(constant) || !LLVMIsAConstant(constant))
        return false;
    int count = LLVMGetNumOperands(constant);
    for (int i = 0; i < count; i++)
        if (holds_swapped_label(variant, LLVMGetOperand(constant, (unsigned)i)))
            return true;
    return false;
}

struct pokes {
    LLVMValueRef *data;
    size_t count, capacity;
};

/* One struct variant_poke for every scalar of an initial value that holds a
 * label of a swapped function. */
static void collect_pokes(struct variant *variant, LLVMValueRef constant, uint64_t address,
                          struct pokes *pokes) {
    if (!holds_swapped_label(variant, constant))
        return;
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) {
        unsigned count = (unsigned)LLVMGetNumOperands(constant);
        for (unsigned i = 0; i < count; i++) {
            uint64_t offset =
                kind == LLVMStructTypeKind
                    ? LLVMOffsetOfElement(variant->layout, type, i)
                    : i * LLVMABISizeOfType(variant->layout, LLVMGetElementType(type));
            collect_pokes(variant, LLVMGetOperand(constant, i), address + offset, pokes);
        }
        return;
    }
    uint64_t size = LLVMStoreSizeOfType(variant->layout, type);
    LLVMTypeRef i8 = LLVMInt8TypeInContext(variant->context);
    LLVMValueRef fields[] = {
        LLVMConstInt(variant->i64, address, false),
        LLVMConstInt(variant->i64, size, false),
        constant,
        LLVMConstNull(LLVMArrayType2(i8, sizeof(uint64_t) - size)),
    };
    VEC_PUSH(pokes, LLVMConstStructInContext(variant->context, fields, 4, true));
}

static LLVMValueRef add_array(struct variant *variant, const char *name, LLVMValueRef *elements,
                              size_t count) {
    LLVMValueRef all = LLVMConstStructInContext(variant->context, elements, (unsigned)count, false);
    LLVMValueRef global = LLVMAddGlobal(variant->module, LLVMTypeOf(all), name);
    LLVMSetInitializer(global, all);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetAlignment(global, 8);
    return global;
}

static LLVMValueRef add_swaps(struct variant *variant) {
    VEC(LLVMValueRef) swaps = {0};
    for (size_t i = 0; i < variant->values.count; i++) {
        struct variant_value *entry = &variant->values.data[i];
        if (!entry->swapped || entry->is_private)
            continue;
        LLVMValueRef pair[] = {LLVMConstInt(variant->i64, entry->address, false),
                               entry->entry ? entry->entry : entry->value};
        VEC_PUSH(&swaps, LLVMConstStructInContext(variant->context, pair, 2, false));
    }
    LLVMValueRef array = add_array(variant, "swaps", swaps.data, swaps.count);
    VEC_DEINIT(&swaps);
    return array;
}

/* A name that the linker gives to an end of a section, if there is such a section. */
static LLVMValueRef section_end(struct variant *variant, const char *name) {
    LLVMValueRef end =
        LLVMAddGlobal(variant->module, LLVMInt8TypeInContext(variant->context), name);
    LLVMSetLinkage(end, LLVMExternalWeakLinkage);
    LLVMSetVisibility(end, LLVMHiddenVisibility);
    return end;
}

/* A table that the image's own code brings along. */
static LLVMValueRef own_table(struct variant *variant, const struct variant_output *output,
                              const char *name) {
    if (!output->assembly)
        return LLVMConstInt(variant->i64, 0, false);
    LLVMValueRef table =
        LLVMAddGlobal(variant->module, LLVMInt8TypeInContext(variant->context), name);
    LLVMSetVisibility(table, LLVMHiddenVisibility);
    return table;
}

/* struct variant_header; the field order is that of format/variant.h. */
static void add_header(struct variant *variant, const struct variant_output *output,
                       LLVMValueRef pokes, size_t poke_count) {
    LLVMValueRef id = LLVMConstStringInContext2(
        variant->context, (const char *)variant->embedded->build_id, BUILD_ID_SIZE, true);
    LLVMValueRef fields[] = {
        LLVMConstInt(variant->i64, VARIANT_MAGIC, false),
        id,
        LLVMConstInt(variant->i64, output->kind, false),
        LLVMConstInt(variant->i64, variant->swapped_count, false),
        add_swaps(variant),
        LLVMConstInt(variant->i64, poke_count, false),
        pokes,
        LLVMConstInt(variant->i64, output->counter_count, false),
        LLVMConstInt(variant->i64, output->features, false),
        section_end(variant, "__start_" VARIANT_FIXUPS),
        section_end(variant, "__stop_" VARIANT_FIXUPS),
        section_end(variant, "__start_" SHADOW_NOTES),
        section_end(variant, "__stop_" SHADOW_NOTES),
        LLVMConstInt(variant->i64, output->in_count, false),
        own_table(variant, output, "recut.ins"),
        LLVMConstInt(variant->i64, output->out_count, false),
        own_table(variant, output, "recut.outs"),
    };
    LLVMValueRef header =
        LLVMConstStructInContext(variant->context, fields, sizeof fields / sizeof *fields, false);
    LLVMValueRef global = LLVMAddGlobal(variant->module, LLVMTypeOf(header), VARIANT_ENTRY);
    LLVMSetInitializer(global, header);
    LLVMSetGlobalConstant(global, true);
    LLVMSetAlignment(global, 16);
}

/* Nobody who runs the image reads it. */
static void add_facts(struct variant *variant, const struct variant_output *output) {
    LLVMValueRef bytes =
        LLVMConstStringInContext2(variant->context, output->facts, output->facts_size, true);
    LLVMValueRef global = LLVMAddGlobal(variant->module, LLVMTypeOf(bytes), "recut.facts");
    LLVMSetInitializer(global, bytes);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetSection(global, LOGGING_FACTS_SECTION);
}

/* LLVM's own arrays name functions for the linker of the program, not ours. */
static void drop_llvm_arrays(struct variant *variant) {
    for (LLVMValueRef global = LLVMGetFirstGlobal(variant->module), next; global; global = next) {
        next = LLVMGetNextGlobal(global);
        if (strncmp(rewrite_name(global), "llvm.", 5) == 0)
            LLVMDeleteGlobal(global);
    }
}

/* Private functions are there for whoever calls them, with the caller's code or without. */
static bool is_kept(const struct variant_value *entry) {
    return entry->swapped || (entry->is_private && !entry->refusal);
}

/* Everything that is not kept becomes a name with an address. LLVM-C cannot
 * erase an alias, so an unused one is left behind, pointing to nothing much. */
static void detach(struct variant *variant, struct pokes *pokes) {
    LLVMValueRef self = LLVMGetNamedGlobal(variant->module, "__recut_self");
    for (size_t i = 0; i < variant->values.count; i++)
        if (is_kept(&variant->values.data[i]) && self)
            rebase_self(variant, variant->values.data[i].value, self);
    for (size_t i = 0; i < variant->values.count; i++) {
        struct variant_value *entry = &variant->values.data[i];
        LLVMValueRef initial =
            LLVMIsAGlobalVariable(entry->value) ? LLVMGetInitializer(entry->value) : NULL;
        if (initial && entry->address)
            collect_pokes(variant, initial, entry->address, pokes);
    }
    LLVMValueRef anchor = add_array(variant, "anchor", NULL, 0);
    for (size_t i = variant->values.count; i-- > 0;) {
        LLVMValueRef value = variant->values.data[i].value;
        if (LLVMIsAFunction(value))
            continue;
        LLVMReplaceAllUsesWith(value, declare_like(variant, i));
        if (LLVMIsAGlobalVariable(value))
            LLVMDeleteGlobal(value);
        else if (LLVMIsAGlobalIFunc(value))
            LLVMEraseGlobalIFunc(value);
        else {
            LLVMAliasSetAliasee(value, anchor);
            LLVMSetLinkage(value, LLVMInternalLinkage);
        }
    }
    for (size_t i = 0; i < variant->values.count; i++) {
        LLVMValueRef value = variant->values.data[i].value;
        if (!variant->values.data[i].is_function)
            continue;
        if (variant->values.data[i].is_private && is_kept(&variant->values.data[i])) {
            keep_function(value, i);
        } else if (variant->values.data[i].swapped) {
            split_function(variant, i);
        } else {
            LLVMReplaceAllUsesWith(value, declare_like(variant, i));
            LLVMDeleteFunction(value);
        }
    }
}

struct error *variant_finish(struct variant *variant, const struct variant_output *output) {
    const char *assembly = output->assembly ? output->assembly : "";
    LLVMSetModuleInlineAsm2(variant->module, assembly, strlen(assembly));
    if (output->kind == VARIANT_PROFILE) /* others stand in traces and crash files, by address */
        LLVMStripModuleDebugInfo(variant->module);
    drop_llvm_arrays(variant);
    struct pokes pokes = {0};
    detach(variant, &pokes);
    LLVMValueRef array = add_array(variant, "pokes", pokes.data, pokes.count);
    add_header(variant, output, array, pokes.count);
    VEC_DEINIT(&pokes);
    if (output->facts)
        add_facts(variant, output);
    return variant_link(variant, output->image_path, output->over);
}
