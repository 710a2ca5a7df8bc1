/*
 * One array with the address of every function and every global, in the order
 * of the module: what a tool needs to build a variant that uses the program's
 * own, also when the executable was stripped.
 *
 * The executable is not position independent, so the entries are constants of
 * the link.  Naming an imported function here gives it one address for the
 * whole process (its entry in the executable's PLT); naming an imported
 * variable makes the linker place it in the executable (a copy relocation),
 * which is how stdout, environ and optarg get fixed addresses.
 *
 * It is added after the bitcode was written: src/instrument numbers the
 * functions and globals of the bitcode in the same way (table.h).
 */
#include <stdlib.h>

#include "program/canonical/rewrite.h"
#include "program/table.h"

static bool is_listed(LLVMValueRef value, bool import_data) {
    if (LLVMIsAGlobalAlias(value) || LLVMIsAGlobalIFunc(value))
        return true;
    if (LLVMIsDeclaration(value) && !LLVMGetFirstUse(value))
        return false;
    if (LLVMIsAGlobalVariable(value)) {
        if (LLVMIsThreadLocal(value))
            return false;
        if (LLVMIsDeclaration(value) && !import_data)
            return false;
    }
    return LLVMGetLinkage(value) != LLVMAvailableExternallyLinkage;
}

/* libm may not be linked at all, when an instruction does the work; the rest is
 * in every program. */
static LLVMValueRef declare_extra(struct rewrite *rw, const char *name, bool required) {
    LLVMValueRef function = LLVMGetNamedFunction(rw->module, name);
    if (function)
        return function;
    LLVMTypeRef type = LLVMFunctionType(rw->void_type, NULL, 0, false);
    function = LLVMAddFunction(rw->module, name, type);
    if (!required)
        LLVMSetLinkage(function, LLVMExternalWeakLinkage);
    return function;
}

void canonical_table(struct rewrite *rw, bool import_data) {
    VEC(LLVMValueRef) entries = {0};
    size_t extra_count;
    char **extras = table_extras(rw->module, &extra_count);
    for (LLVMValueRef value = table_first(rw->module); value; value = table_next(rw->module, value))
        VEC_PUSH(&entries, is_listed(value, import_data) ? value : LLVMConstNull(rw->ptr));
    for (size_t i = 0; i < extra_count; i++)
        VEC_PUSH(&entries, declare_extra(rw, extras[i], i < TABLE_REQUIRED_EXTRAS));
    table_free_extras(extras, extra_count);
    LLVMTypeRef type = LLVMArrayType2(rw->ptr, entries.count);
    LLVMValueRef table = LLVMAddGlobal(rw->module, type, "__recut_table");
    LLVMSetInitializer(table, LLVMConstArray2(rw->ptr, entries.data, entries.count));
    LLVMSetGlobalConstant(table, true);
    LLVMSetSection(table, TABLE_SECTION);
    LLVMSetVisibility(table, LLVMHiddenVisibility);
    VEC_DEINIT(&entries);
}
