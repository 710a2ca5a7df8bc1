/*
 * Lists for the runtime: the program's variables, which is what of the
 * executable's data is replay space; and the variables of libraries that the
 * program uses (stdout, environ, optarg), which the linker placed in the
 * executable (the rest of the data belongs to libc and to the runtime); and the
 * functions that the environment may enter.
 *
 * Comes after the bitcode was written.
 */
#include <stdio.h>
#include <string.h>

#include "program/canonical/rewrite.h"

static bool is_state(LLVMValueRef global) {
    return !LLVMIsDeclaration(global) && !LLVMIsThreadLocal(global) &&
           !LLVMIsGlobalConstant(global) && LLVMGetLinkage(global) != LLVMAppendingLinkage &&
           LLVMGetLinkage(global) != LLVMAvailableExternallyLinkage &&
           strncmp(rewrite_name(global), "llvm.", 5) != 0 &&
           strncmp(rewrite_name(global), "__recut_", 8) != 0;
}

static bool is_import(LLVMValueRef global) {
    return LLVMIsDeclaration(global) && !LLVMIsThreadLocal(global) && LLVMGetFirstUse(global) &&
           LLVMGetLinkage(global) == LLVMExternalLinkage &&
           LLVMTypeIsSized(LLVMGlobalGetValueType(global)) &&
           strncmp(rewrite_name(global), "__recut_", 8) != 0;
}

static bool is_none(LLVMValueRef global) { return (void)global, false; }

static void add_list(struct rewrite *rw, bool (*belongs)(LLVMValueRef), const char *name,
                     const char *count_name) {
    VEC(LLVMValueRef) entries = {0};
    FOR_EACH_GLOBAL(global, rw->module)
        if (belongs(global)) {
            uint64_t size = LLVMABISizeOfType(rw->layout, LLVMGlobalGetValueType(global));
            LLVMValueRef fields[] = {global, rewrite_const(rw, size)};
            VEC_PUSH(&entries, LLVMConstStructInContext(rw->context, fields, 2, false));
        }
    LLVMTypeRef type =
        LLVMStructTypeInContext(rw->context, (LLVMTypeRef[]){rw->ptr, rw->i64}, 2, false);
    rewrite_array(rw, name, type, entries.data, entries.count, true);
    rewrite_array(rw, count_name, rw->i64, (LLVMValueRef[]){rewrite_const(rw, entries.count)}, 1,
                  true);
    VEC_DEINIT(&entries);
}

/* Functions that the environment may enter, by their attribute. */
static void add_callbacks(struct rewrite *rw) {
    VEC(LLVMValueRef) entries = {0};
    FOR_EACH_FUNCTION(function, rw->module) {
        LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
            function, LLVMAttributeFunctionIndex, ENTERS_ATTRIBUTE, sizeof ENTERS_ATTRIBUTE - 1);
        if (!attribute)
            continue;
        unsigned length, integers, floats;
        char text[32] = {0}, result;
        const char *value = LLVMGetStringAttributeValue(attribute, &length);
        memcpy(text, value, length < sizeof text - 1 ? length : sizeof text - 1);
        if (sscanf(text, "%u %u %c", &integers, &floats, &result) != 3)
            continue;
        LLVMValueRef fields[] = {function, LLVMConstInt(rw->i8, integers, false),
                                 LLVMConstInt(rw->i8, floats, false),
                                 LLVMConstInt(rw->i8, (unsigned char)result, false)};
        VEC_PUSH(&entries, LLVMConstStructInContext(rw->context, fields, 4, false));
    }
    LLVMTypeRef type = LLVMStructTypeInContext(
        rw->context, (LLVMTypeRef[]){rw->ptr, rw->i8, rw->i8, rw->i8}, 4, false);
    rewrite_array(rw, "__recut_callbacks", type, entries.data, entries.count, true);
    rewrite_array(rw, "__recut_callback_count", rw->i64,
                  (LLVMValueRef[]){rewrite_const(rw, entries.count)}, 1, true);
    VEC_DEINIT(&entries);
}

void canonical_state(struct rewrite *rw, bool import_data) {
    add_list(rw, is_state, "__recut_state", "__recut_state_count");
    add_list(rw, import_data ? is_import : is_none, "__recut_imports", "__recut_import_count");
    add_callbacks(rw);
    rewrite_array(rw, "__recut_defines_malloc", rw->i64,
                  (LLVMValueRef[]){rewrite_const(rw, rw->defines_malloc)}, 1, true);
}
