/*
 * Calls out of the program go through stubs that the runtime can redirect; see
 * format/environment.h for what they look like.
 *
 *   call @read          ->  call @__recut_env.7     jmp *__recut_env_slots[7]
 *   @table = { @open }  ->  @table = { @__recut_env.8 }
 *
 * The address of a function of the environment is that of its stub, which is
 * the same in every run.  A weak function may be absent, and whether it is, is
 * told by its address: only calls of it go to the stub.
 *
 * Comes after the bitcode was written: analyses and variants see the functions
 * themselves.
 */
#include <stdio.h>
#include <string.h>

#include "format/environment.h"
#include "format/program_section.h"
#include "program/canonical/rewrite.h"
#include "program/table.h"

struct env_list {
    VEC(LLVMValueRef) slots, entries;
    char *text; /* of the stubs */
    size_t used, capacity;
};

/* What the code generator knows by name and turns into instructions, or calls
 * by itself. */
static bool is_known_to_codegen(const char *name) {
    static const char *const names[] = {"memcpy", "memmove",          "memset", "memcmp",
                                        "bcmp",   "__stack_chk_fail", "abort",  "_Unwind_Resume"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool is_environment(LLVMValueRef function) {
    const char *name = rewrite_name(function);
    return LLVMIsDeclaration(function) && LLVMGetFirstUse(function) &&
           strncmp(name, "llvm.", 5) != 0 && strncmp(name, "__recut_", 8) != 0 &&
           !is_known_to_codegen(name);
}

/* What the System V convention leaves for the stack; generous where a struct
 * is passed in pieces. */
static uint32_t stack_bytes(struct rewrite *rw, LLVMValueRef call) {
    unsigned integers = 6, vectors = 8, count = LLVMGetNumArgOperands(call);
    uint64_t bytes = 0;
    for (unsigned i = 0; i < count; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        uint64_t size = (LLVMABISizeOfType(rw->layout, type) + 7) / 8 * 8;
        LLVMAttributeRef byval =
            LLVMGetCallSiteEnumAttribute(call, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));
        if (byval)
            bytes += LLVMABISizeOfType(rw->layout, LLVMGetTypeAttributeValue(byval)) + 15;
        else if (kind == LLVMX86_FP80TypeKind)
            bytes += 32;
        else if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
                 kind == LLVMVectorTypeKind || kind == LLVMHalfTypeKind ||
                 kind == LLVMFP128TypeKind)
            vectors ? (void)vectors-- : (void)(bytes += size + 8);
        else if (size <= 8 * integers)
            integers -= (unsigned)(size / 8);
        else
            bytes += size + 8;
    }
    return (uint32_t)((bytes + 15) / 16 * 16);
}

static uint32_t most_stack_bytes(struct rewrite *rw, LLVMValueRef function) {
    enum { unknown_call = 64 }; /* by a pointer, through a cast */
    uint32_t most = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_call = (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) &&
                       LLVMGetCalledValue(user) == function;
        uint32_t bytes = is_call ? stack_bytes(rw, user) : unknown_call;
        most = bytes > most ? bytes : most;
    }
    return most;
}

static LLVMValueRef add_entry(struct rewrite *rw, LLVMValueRef function, const char *name) {
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    uint64_t flags = (LLVMGetTypeKind(result) == LLVMX86_FP80TypeKind ? ENV_RETURNS_X87 : 0) |
                     (LLVMGetLinkage(function) == LLVMExternalWeakLinkage ? ENV_WEAK : 0);
    LLVMValueRef text = LLVMConstStringInContext2(rw->context, name, strlen(name), false);
    LLVMValueRef global = LLVMAddGlobal(rw->module, LLVMTypeOf(text), "recut.env.name");
    LLVMSetInitializer(global, text);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetSection(global, NAMES_SECTION); /* one after the other, for tools */
    LLVMSetAlignment(global, 1);
    LLVMValueRef fields[] = {global, LLVMConstInt(rw->i32, most_stack_bytes(rw, function), false),
                             LLVMConstInt(rw->i32, flags, false)};
    return LLVMConstStructInContext(rw->context, fields, 3, false);
}

static void add_stub(struct env_list *list, size_t index) {
    char stub[256];
    int n = snprintf(stub, sizeof stub,
                     ".balign 16\n\"__recut_env.%zu\":\n"
                     "\t.byte 0xff, 0x25\n\t.long __recut_env_slots + %zu - . - 4\n"
                     "\t.byte 0x68\n\t.long %zu\n"
                     "\t.byte 0xe9\n\t.long __recut_env_enter - . - 4\n"
                     "\t.type \"__recut_env.%zu\", @function\n\t.size \"__recut_env.%zu\", 16\n",
                     index, index * 8, index, index, index);
    if (list->used + (size_t)n + 1 > list->capacity) {
        list->capacity = 2 * (list->used + (size_t)n + 1);
        list->text = mem_realloc(list->text, list->capacity, 1);
    }
    memcpy(list->text + list->used, stub, (size_t)n + 1);
    list->used += (size_t)n;
}

/* What the table (canonical/table.c) says a call of a weak function calls. */
static void tell_table(struct rewrite *rw, LLVMValueRef function, LLVMValueRef called) {
    char *name CLEANUP_FREE = mem_printf(TABLE_WEAK_PREFIX "%s", rewrite_name(function));
    LLVMValueRef told = LLVMGetNamedFunction(rw->module, name);
    if (told)
        LLVMReplaceAllUsesWith(told, called);
}

static void add_function(struct rewrite *rw, struct env_list *list, LLVMValueRef function) {
    char *name CLEANUP_FREE = mem_strdup(rewrite_name(function));
    const char *plain = name[0] == '\1' ? name + 1 : name;
    char stub_name[64];
    size_t index = list->slots.count;
    snprintf(stub_name, sizeof stub_name, "__recut_env.%zu", index);
    VEC_PUSH(&list->entries, add_entry(rw, function, plain));
    add_stub(list, index);
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    if (LLVMGetLinkage(function) == LLVMExternalWeakLinkage) {
        LLVMValueRef stub = LLVMAddFunction(rw->module, stub_name, type);
        VEC_PUSH(&list->slots, function);
        rewrite_calls(function, stub);
        tell_table(rw, function, stub);
        return;
    }
    /* Attributes stay with the one that is called. */
    LLVMSetValueName2(function, stub_name, strlen(stub_name));
    VEC_PUSH(&list->slots, LLVMAddFunction(rw->module, name, type));
}

static bool any_instruction(struct rewrite *rw, bool (*is_it)(LLVMValueRef instruction)) {
    FOR_EACH_FUNCTION(function, rw->module)
        FOR_EACH_BLOCK(block, function)
            FOR_EACH_INSTRUCTION(instruction, block)
                if (is_it(instruction))
                    return true;
    return false;
}

/* Does it map memory for others to write, and say so?  Flags that are computed, and
 * calls through pointers, are mostly those of a layer that could and does not: `recut
 * record --shared` is for them. */
static bool shares_memory(LLVMValueRef instruction) {
    enum { FLAGS_ARGUMENT = 3, SHARED = 1 };
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    if (!callee || !LLVMIsAFunction(callee))
        return false;
    const char *name = rewrite_name(callee);
    if (strcmp(name, "__recut_shmat") == 0)
        return true;
    if (strcmp(name, "__recut_mmap") != 0 || LLVMGetNumArgOperands(instruction) <= FLAGS_ARGUMENT)
        return false;
    LLVMValueRef flags = LLVMGetOperand(instruction, FLAGS_ARGUMENT);
    return LLVMIsAConstantInt(flags) && LLVMConstIntGetZExtValue(flags) & SHARED;
}

static bool makes_threads(struct rewrite *rw) {
    static const char *const names[] = {"__recut_pthread_create", "__recut_thrd_create"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(rw->module, names[i]);
        if (function && LLVMGetFirstUse(function))
            return true;
    }
    return false;
}

static bool is_atomic(LLVMValueRef instruction) {
    return rewrite_atomic_address(instruction) != NULL;
}

/* Does it get something from outside that is no call? */
static bool is_unseen(LLVMValueRef instruction) {
    static const char *const intrinsics[] = {"llvm.x86.rdtsc", "llvm.x86.rdrand", "llvm.x86.rdseed",
                                             "llvm.x86.rdpmc", "llvm.readcyclecounter"};
    static const char *const words[] = {"syscall", "sysenter", "int $$0x80", "rdtsc",
                                        "rdrand",  "rdseed",   "rdpmc"};
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    for (size_t i = 0; callee && i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (rewrite_is_intrinsic(instruction, intrinsics[i]))
            return true;
    if (!callee || !LLVMIsAInlineAsm(callee))
        return false;
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(callee, &length);
    char *copy CLEANUP_FREE = mem_strndup(text, length);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(copy, words[i]))
            return true;
    return false;
}

/* A name that no model has: `recut record` analyses the program then. */
static void note(struct rewrite *rw, const char *name, const char *array) {
    LLVMValueRef text = LLVMConstStringInContext2(rw->context, name, strlen(name), false);
    LLVMValueRef global = LLVMAddGlobal(rw->module, LLVMTypeOf(text), "recut.env.note");
    LLVMSetInitializer(global, text);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetSection(global, NAMES_SECTION);
    LLVMSetAlignment(global, 1);
    rewrite_array(rw, array, rw->ptr, &global, 1, true);
}

void canonical_environment(struct rewrite *rw) {
    if (any_instruction(rw, rewrite_looks_into_handle))
        note(rw, NAMES_HANDLES, "__recut_env_handles");
    if (any_instruction(rw, shares_memory))
        note(rw, NAMES_SHARED, "__recut_env_shared_memory");
    if (makes_threads(rw) && any_instruction(rw, is_atomic))
        note(rw, NAMES_ATOMICS, "__recut_env_atomics");
    if (any_instruction(rw, is_unseen))
        note(rw, NAMES_UNSEEN, "__recut_env_unseen");
    struct env_list list = {0};
    static const char head[] = ".pushsection .text.recut.env,\"ax\",@progbits\n"
                               ".hidden __recut_env_enter\n"
                               ".hidden __recut_env_stubs\n.globl __recut_env_stubs\n"
                               ".balign 16\n__recut_env_stubs:\n";
    list.text = mem_strdup(head);
    list.used = list.capacity = sizeof head - 1;
    LLVMValueRef last = LLVMGetLastFunction(rw->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(rw->module); f; f = LLVMGetNextFunction(f)) {
        if (is_environment(f))
            add_function(rw, &list, f);
        if (f == last)
            break;
    }
    FOR_EACH_FUNCTION(function, rw->module)
        tell_table(rw, function, function);
    static const char tail[] = ".popsection\n";
    list.text = mem_realloc(list.text, list.used + sizeof tail, 1);
    memcpy(list.text + list.used, tail, sizeof tail);
    LLVMAppendModuleInlineAsm(rw->module, list.text, list.used + sizeof tail - 1);
    LLVMTypeRef entry =
        LLVMStructTypeInContext(rw->context, (LLVMTypeRef[]){rw->ptr, rw->i32, rw->i32}, 3, false);
    rewrite_array(rw, "__recut_env_slots", rw->ptr, list.slots.data, list.slots.count, false);
    rewrite_array(rw, "__recut_env_entries", entry, list.entries.data, list.entries.count, true);
    rewrite_array(rw, "__recut_env_count", rw->i64,
                  (LLVMValueRef[]){rewrite_const(rw, list.slots.count)}, 1, true);
    free(list.text);
    VEC_DEINIT(&list.slots);
    VEC_DEINIT(&list.entries);
}
