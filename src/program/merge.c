/* Several bitcode modules in one object file become one; see merge.h. */
#include "program/merge.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>
#include <string.h>

#include "base/io.h"
#include "base/mem.h"
#include "program/codegen.h"
#include "program/objects.h"

static struct error *merge(LLVMContextRef context, const char *path, const char *bitcode,
                           size_t size, LLVMModuleRef *ret) {
    LLVMModuleRef whole = NULL;
    while (size >= 8) {
        if (*bitcode == '\0') { /* padding between sections that ld put together */
            bitcode++;
            size--;
            continue;
        }
        size_t length = bitcode_module_length(bitcode, size);
        if (!length)
            return error_new(ERROR_INPUT, "%s: the bitcode section is damaged", path);
        LLVMModuleRef part = NULL;
        struct error *err = codegen_parse(context, bitcode, length, path, &part);
        if (err)
            return err;
        if (whole && LLVMLinkModules2(whole, part))
            return error_new(ERROR_INPUT, "%s: the modules inside cannot be merged", path);
        whole = whole ? whole : part;
        bitcode += length;
        size -= length;
    }
    if (!whole)
        return error_new(ERROR_INPUT, "%s: the bitcode section is empty", path);
    *ret = whole;
    return NULL;
}

struct error *merge_modules(const char *object_path, const char *bitcode_path) {
    char *data CLEANUP_FREE = NULL;
    size_t size, length;
    const char *bitcode;
    struct error *err = io_read_file(object_path, &data, &size);
    if (err)
        return err;
    if (!object_find_bitcode(data, size, &bitcode, &length))
        return error_new(ERROR_INPUT, "%s: no bitcode inside", object_path);
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef whole = NULL;
    err = merge(context, object_path, bitcode, length, &whole);
    if (!err && LLVMWriteBitcodeToFile(whole, bitcode_path) != 0)
        err = error_new(ERROR_FAILED, "cannot write %s", bitcode_path);
    if (whole)
        LLVMDisposeModule(whole);
    LLVMContextDispose(context);
    return err;
}
