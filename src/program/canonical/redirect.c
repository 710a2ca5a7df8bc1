/*
 * Calls that decide addresses go to the runtime: heap, mappings, stacks.
 *
 * Every use of such a function is replaced, also as a function pointer, so a
 * program that keeps `free` in a table keeps ours.  A function that the program
 * defines itself is its own and stays.  With the linker's --wrap=free, `free`
 * is the program's __wrap_free and __real_free is what goes to the runtime.
 */
#include <stdio.h>
#include <string.h>

#include "program/canonical/rewrite.h"

enum redirect_kind { redirect_heap, redirect_memory, redirect_stack, redirect_signal };

static const struct {
    const char *name;
    enum redirect_kind kind;
} redirects[] = {
#define REDIRECT(name, kind) {#name, redirect_##kind},
#include "program/redirects.def"
#undef REDIRECT
};

void canonical_redirect(struct rewrite *rw) {
    for (size_t i = 0; i < sizeof redirects / sizeof *redirects; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s%s",
                 rewrite_is_wrapped(rw, redirects[i].name) ? "__real_" : "", redirects[i].name);
        LLVMValueRef function = LLVMGetNamedFunction(rw->module, name);
        if (!function || !LLVMIsDeclaration(function) || !LLVMGetFirstUse(function))
            continue;
        if (redirects[i].kind == redirect_heap && rw->defines_malloc)
            continue;
        snprintf(name, sizeof name, "__recut_%s", redirects[i].name);
        LLVMValueRef ours = rewrite_runtime(rw, name, LLVMGlobalGetValueType(function));
        LLVMReplaceAllUsesWith(function, ours);
        LLVMDeleteFunction(function);
    }
}
