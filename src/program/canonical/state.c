/*
 * Two lists for the runtime: the program's variables, which is what of the
 * executable's data is replay space; and the variables of libraries that the
 * program uses (stdout, environ, optarg), which the linker placed in the
 * executable.  The rest of the data belongs to libc and to the runtime.
 *
 * Comes after the bitcode was written.
 */
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

void canonical_state(struct rewrite *rw, bool import_data) {
    add_list(rw, is_state, "__recut_state", "__recut_state_count");
    add_list(rw, import_data ? is_import : is_none, "__recut_imports", "__recut_import_count");
}
