/* Bitcode in and object files out; see codegen.h. */
#include "program/codegen.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/mem.h"

/* LLVM reports what it cannot read here; the parser's result says that it
 * failed, so only the text is kept. */
static void keep_message(LLVMDiagnosticInfoRef info, void *kept) {
    char **message = kept;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    free(*message);
    *message = mem_strdup(text);
    LLVMDisposeMessage(text);
}

struct error *codegen_parse(LLVMContextRef context, const char *data, size_t size, const char *name,
                            LLVMModuleRef *ret) {
    char *message CLEANUP_FREE = NULL;
    LLVMContextSetDiagnosticHandler(context, keep_message, &message);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(data, size, name);
    LLVMModuleRef module = NULL;
    LLVMBool failed = LLVMParseBitcodeInContext2(context, buffer, &module);
    LLVMDisposeMemoryBuffer(buffer);
    LLVMContextSetDiagnosticHandler(context, NULL, NULL);
    if (failed)
        return error_new(ERROR_INPUT, "%s: not readable as bitcode of LLVM 19: %s", name,
                         message ? message : "unknown reason");
    LLVMSetIsNewDbgInfoFormat(module, false);
    *ret = module;
    return NULL;
}

struct error *codegen_read(LLVMContextRef context, const char *path, LLVMModuleRef *ret) {
    char *data CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = io_read_file(path, &data, &size);
    return err ? err : codegen_parse(context, data, size, path, ret);
}

/* As -mcmodel said: the module carries it as LLVM's own numbering. */
static LLVMCodeModel code_model(LLVMModuleRef module) {
    static const char name[] = "Code Model";
    LLVMMetadataRef flag = LLVMGetModuleFlag(module, name, sizeof name - 1);
    if (!flag)
        return LLVMCodeModelDefault;
    LLVMValueRef value = LLVMMetadataAsValue(LLVMGetModuleContext(module), flag);
    LLVMValueRef number = LLVMGetNumOperands(value) > 0 ? LLVMGetOperand(value, 0) : value;
    static const LLVMCodeModel models[] = {LLVMCodeModelTiny, LLVMCodeModelSmall,
                                           LLVMCodeModelKernel, LLVMCodeModelMedium,
                                           LLVMCodeModelLarge};
    unsigned long long index = LLVMIsAConstantInt(number) ? LLVMConstIntGetZExtValue(number) : 1;
    return index < sizeof models / sizeof *models ? models[index] : LLVMCodeModelDefault;
}

static LLVMTargetMachineRef create_machine(const char *triple, unsigned opt_level,
                                           LLVMCodeModel model) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
                                                 LLVMCodeGenLevelDefault,
                                                 LLVMCodeGenLevelAggressive};
    LLVMTargetRef target;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        LLVMDisposeMessage(message);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, triple, "x86-64", "",
                                   levels[opt_level > 3 ? 3 : opt_level], LLVMRelocStatic, model);
}

struct error *codegen_emit(LLVMModuleRef module, unsigned opt_level, const char *object_path) {
    LLVMTargetMachineRef machine =
        create_machine(LLVMGetTarget(module), opt_level, code_model(module));
    if (!machine)
        return error_new(ERROR_FAILED, "no code generator for %s", LLVMGetTarget(module));
    char *message = NULL;
    struct error *err = NULL;
    if (LLVMTargetMachineEmitToFile(machine, module, object_path, LLVMObjectFile, &message)) {
        err = error_new(ERROR_FAILED, "cannot generate %s: %s", object_path, message);
        LLVMDisposeMessage(message);
    }
    LLVMDisposeTargetMachine(machine);
    return err;
}
