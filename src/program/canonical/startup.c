/*
 * Constructors and destructors, where the C library looks for them.
 *
 *   llvm.global_ctors = [{101, @f}, {65535, @g}]
 *     ->  section .init_array.101: &f;  section .init_array: &g
 *
 * The code generator would do the same, but LLVM-C cannot tell it to: without
 * that option it writes the older .ctors, which nothing runs any more.  Comes
 * after the bitcode was written, so that analyses still see the lists.
 */
#include <stdio.h>
#include <stdlib.h>

#include "program/canonical/rewrite.h"

struct entry {
    unsigned long long priority;
    size_t order; /* in the list, which is that of the link */
    LLVMValueRef function;
};

static int compare(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static void place(struct rewrite *rw, const char *list_name, const char *section) {
    enum { no_priority = 65535 };
    LLVMValueRef list = LLVMGetNamedGlobal(rw->module, list_name);
    LLVMValueRef initializer = list ? LLVMGetInitializer(list) : NULL;
    if (!initializer)
        return;
    VEC(struct entry) entries = {0};
    int count = LLVMIsAConstantArray(initializer) ? LLVMGetNumOperands(initializer) : 0;
    for (int i = 0; i < count; i++) {
        LLVMValueRef item = LLVMGetOperand(initializer, (unsigned)i);
        LLVMValueRef function = LLVMGetOperand(item, 1);
        if (!LLVMIsNull(function))
            VEC_PUSH(&entries, (struct entry){LLVMConstIntGetZExtValue(LLVMGetOperand(item, 0)),
                                              (size_t)i, function});
    }
    LLVMDeleteGlobal(list);
    if (entries.count)
        qsort(entries.data, entries.count, sizeof *entries.data, compare);
    for (size_t i = 0; i < entries.count; i++) {
        char name[64];
        snprintf(name, sizeof name, entries.data[i].priority == no_priority ? "%s" : "%s.%llu",
                 section, entries.data[i].priority);
        LLVMValueRef slot = LLVMAddGlobal(rw->module, rw->ptr, "recut.startup");
        LLVMSetInitializer(slot, entries.data[i].function);
        LLVMSetLinkage(slot, LLVMInternalLinkage);
        LLVMSetSection(slot, name);
    }
    VEC_DEINIT(&entries);
}

void canonical_startup(struct rewrite *rw) {
    place(rw, "llvm.global_ctors", ".init_array");
    place(rw, "llvm.global_dtors", ".fini_array");
}
