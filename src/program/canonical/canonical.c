/*
 * From merged bitcode to the object files of a canonical program.
 *
 * The pipeline reads from top to bottom in rewrite(); what each pass does and
 * why stands in its own file.  The bitcode that the executable carries is
 * written after the last pass and before the address table is added.
 */
#include "program/canonical.h"

#include <llvm-c/BitWriter.h>
#include <stdio.h>
#include <string.h>

#include "base/io.h"
#include "program/canonical/rewrite.h"
#include "program/codegen.h"
#include "program/embedded.h"
#include "program/stackswitch.h"

/* Functions may be patched at their entry with a five-byte jump; alignment
 * keeps the jump from reaching into the next function, however small this. */
static void align_functions(struct rewrite *rw) {
    FOR_EACH_FUNCTION(function, rw->module)
        if (!LLVMIsDeclaration(function) && LLVMGetAlignment(function) < 16)
            LLVMSetAlignment(function, 16);
}

/* Direct addressing of everything the program defines: it is never preempted.
 * LLVM-C sets dso_local only by way of local linkage. */
static void bind_locally(LLVMValueRef global) {
    LLVMLinkage linkage = LLVMGetLinkage(global);
    if (LLVMIsDeclaration(global) || linkage != LLVMExternalLinkage)
        return;
    LLVMVisibility visibility = LLVMGetVisibility(global);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetLinkage(global, linkage);
    LLVMSetVisibility(global, visibility);
}

static struct error *rewrite(struct rewrite *rw) {
    canonical_survey(rw);
    canonical_redirect(rw);
    canonical_threadlocal(rw);
    canonical_undef(rw);
    canonical_frame(rw);
    canonical_attach(rw);
    align_functions(rw);
    FOR_EACH_FUNCTION(function, rw->module)
        bind_locally(function);
    FOR_EACH_GLOBAL(global, rw->module)
        bind_locally(global);
    return canonical_verify(rw);
}

static void add_build_id(struct rewrite *rw, const uint8_t id[BUILD_ID_SIZE]) {
    LLVMValueRef value =
        LLVMConstStringInContext2(rw->context, (const char *)id, BUILD_ID_SIZE, true);
    LLVMValueRef global = LLVMAddGlobal(rw->module, LLVMTypeOf(value), "__recut_build_id");
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
    LLVMSetAlignment(global, 16); /* the ABI lets C code rely on it */
}

/* An object whose only section is the packed program, not loaded at run time. */
static struct error *emit_embedded(LLVMContextRef context, const char *triple, const char *data,
                                   size_t size, const char *object_path) {
    char *packed_path CLEANUP_FREE = mem_printf("%s.packed", object_path);
    struct error *err = io_write_file(packed_path, data, size);
    if (err)
        return err;
    char *text CLEANUP_FREE = mem_printf(
        ".section " PROGRAM_SECTION ",\"\",@progbits\n.balign 16\n.incbin \"%s\"\n", packed_path);
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("recut-program", context);
    LLVMSetTarget(module, triple);
    LLVMSetModuleInlineAsm2(module, text, strlen(text));
    err = codegen_emit(module, 0, object_path);
    LLVMDisposeModule(module);
    return err;
}

static struct error *emit(struct rewrite *rw, const struct canonical_options *options) {
    LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(rw->module);
    char *packed CLEANUP_FREE = NULL;
    size_t packed_size;
    uint8_t id[BUILD_ID_SIZE];
    embedded_pack(LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode), &packed, &packed_size,
                  id);
    LLVMDisposeMemoryBuffer(bitcode);
    canonical_table(rw, options->import_data);
    canonical_state(rw, options->import_data);
    canonical_environment(rw);
    canonical_startup(rw);
    add_build_id(rw, id);
    struct error *err = emit_embedded(rw->context, LLVMGetTarget(rw->module), packed, packed_size,
                                      options->embedded_path);
    return err ? err : codegen_emit(rw->module, options->opt_level, options->object_path);
}

static void summarise(struct rewrite *rw, struct canonical_result *ret) {
    *ret = (struct canonical_result){.defines_malloc = rw->defines_malloc};
    snprintf(ret->whole_reason, sizeof ret->whole_reason, "%s",
             rw->whole_reason ? rw->whole_reason : "");
    FOR_EACH_FUNCTION(function, rw->module) {
        ret->functions += !LLVMIsDeclaration(function);
        ret->left_out += rewrite_left_out(function) != NULL;
    }
}

/* Native code that forbids a data stack, as a reason; NULL if none does. */
static const char *survey_native(const struct canonical_options *options, char *reason,
                                 size_t size) {
    for (size_t i = 0; i < options->native_count; i++)
        if (object_switches_stacks(options->native[i].object_path)) {
            snprintf(reason, size, "%s switches stacks", options->native[i].name);
            return reason;
        }
    return NULL;
}

struct error *canonical_build(const struct canonical_options *options,
                              struct canonical_result *ret) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = NULL;
    struct error *err = codegen_read(context, options->bitcode_path, &module);
    if (!err) {
        struct rewrite rw;
        rewrite_init(&rw, module);
        rw.wrapped = options->wrapped;
        rw.defines_malloc = options->defines_malloc;
        char reason[256];
        rw.whole_reason = survey_native(options, reason, sizeof reason);
        err = rewrite(&rw);
        if (!err) {
            summarise(&rw, ret);
            err = emit(&rw, options);
        }
        rewrite_deinit(&rw);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    return err;
}
