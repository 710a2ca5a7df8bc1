/*
 * What stands between the two sides of a cut, in the image: the pieces of code that calls go
 * through which cross it, and the tables that the runtime knows them by (format/variant.h).
 *
 *     recut.in.3:   cmpl $0, %fs:inside       from environment?
 *                   jne  swap.17              no: on to the function
 *                   pushq $3
 *                   jmp  __recut_cut_in
 *
 *     recut.out.7:  pushq $7                  recut.watch.7: the same with __recut_cut_watch
 *                   jmp  __recut_cut_out
 *
 * No register is touched, whatever the type of the function is.  A call by a pointer asks
 * __recut_cut_target() first, which finds the piece for what it is about to enter.  So what may be
 * entered by a pointer has a piece, too: each function of environment whose address is taken.
 *
 * External functions that do the same whenever they are called are called as they are, unless what
 * they read is not valid: then they are environment like the others.
 */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cut/weights.h"
#include "instrument/cut_impl.h"
#include "program/canonical/rewrite.h"
#include "program/table.h"

/* --- what a function is -------------------------------------------------------------------------
 */

static bool is_any(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}
#define IS_ANY(name, names) is_any(name, names, sizeof(names) / sizeof *(names))

static bool has_hidden_state(const char *name) {
    static const char *const names[] = {
#define HIDDEN(name) #name,
#include "format/hidden_state.def"
    };
    return IS_ANY(name, names);
}

/* The side that calls decides which heap it is, and that is all that they touch besides what they
 * are given; or they do something to the thread that calls. */
static bool is_of_either_side(const char *name) {
    static const char *const names[] = {
        "__recut_malloc",
        "__recut_calloc",
        "__recut_realloc",
        "__recut_reallocarray",
        "__recut_free",
        "__recut_cfree",
        "__recut_memalign",
        "__recut_aligned_alloc",
        "__recut_posix_memalign",
        "__recut_valloc",
        "__recut_pvalloc",
        "__recut_malloc_usable_size",
        "__recut_attach",
        "setjmp",
        "_setjmp",
        "__sigsetjmp",
        "longjmp",
        "_longjmp",
        "siglongjmp",
        "__longjmp_chk",
        "__errno_location",
        "__stack_chk_fail",
        "feclearexcept",
        "feraiseexcept",
        "fetestexcept",
        "fegetround",
        "fesetround",
        "_Unwind_Resume",
        "qsort",
        "qsort_r",
        "bsearch",
        "lfind",
        "lsearch",
        /* Whose hidden state, and blocks, the cut leaves to one side: HIDDEN_… in cut/graph_impl.h.
         */
        "getopt",
        "__posix_getopt",
        "getopt_long",
        "getopt_long_only",
        "tsearch",
        "__tsearch",
        "hcreate",
        "hdestroy",
        "hsearch",
        "hcreate_r",
        "hdestroy_r",
        "hsearch_r",
    };
    return IS_ANY(name, names);
}

/* Copies of strings in the heap of whoever calls. */
static bool is_text_copy(const char *name) {
    static const char *const names[] = {"__recut_strdup", "__recut___strdup", "__recut_strndup",
                                        "__recut___strndup", "__recut_wcsdup"};
    return IS_ANY(name, names);
}

static bool is_runtime(const char *name) { return strncmp(name, "__recut_", 8) == 0; }

static const struct model_function *model_of(const struct cut_building *building,
                                             const char *name) {
    return model_table_find(building->options->models, is_runtime(name) ? name + 8 : name);
}

/* Does the same in both runs, and what it reads is valid? */
static bool is_native(const struct cut_building *building, LLVMValueRef function, bool is_logged) {
    const char *name = rewrite_name(function);
    if (is_of_either_side(name))
        return true;
    if (strncmp(name, "__ctype_", 8) == 0 && strstr(name, "_loc"))
        return !building->has_locales;
    if (is_logged || has_hidden_state(name))
        return false;
    if (is_text_copy(name))
        return true;
    const struct model_function *model = is_runtime(name) ? NULL : model_of(building, name);
    return model && (model->class == MODEL_DETERMINISTIC ||
                     (model->class == MODEL_LOCALE && !building->has_locales));
}

static int compare_places(const void *a, const void *b) {
    const struct cut_place *left = a, *right = b;
    return left->value < right->value ? -1 : left->value > right->value;
}

/* Number of a value of the program; as many as there are if it is none. */
static size_t number_of(const struct cut_building *building, LLVMValueRef value) {
    size_t count = building->variant->values.count;
    struct cut_place wanted = {value, 0};
    const struct cut_place *place =
        bsearch(&wanted, building->places, count, sizeof *building->places, compare_places);
    return place ? place->number : count;
}

function_id cut_function_id(const struct cut_building *building, LLVMValueRef function) {
    size_t number = number_of(building, function);
    return number < building->variant->values.count ? building->ids[number] : NO_ID;
}

bool cut_is_replay(const struct cut_building *building, LLVMValueRef function) {
    function_id f = cut_function_id(building, function);
    return f != NO_ID && bitset_has(&building->options->cut->replay, f);
}

/* A body that a header gave away, and that is the variant's own (variant.c). */
static bool is_copied(const struct cut_building *building, LLVMValueRef function) {
    size_t number = number_of(building, function);
    return number < building->variant->values.count &&
           building->variant->values.data[number].is_private;
}

/* --- pieces of code --------------------------------------------------------------------------- */

static LLVMValueRef declare(struct variant *variant, const char *kind, size_t number,
                            LLVMTypeRef type) {
    char name[48];
    snprintf(name, sizeof name, "recut.%s.%zu", kind, number);
    LLVMValueRef stub = LLVMGetNamedFunction(variant->module, name);
    return stub ? stub : LLVMAddFunction(variant->module, name, type);
}

static uint8_t kind_flags(LLVMValueRef function) {
    if (!LLVMIsDeclaration(function))
        return 0;
    return is_runtime(rewrite_name(function)) ? CUT_OUT_RUNTIME : CUT_OUT_EXTERNAL;
}

/* One piece for all calls that are alike. */
static LLVMValueRef out_stub(struct cut_building *building, LLVMValueRef function,
                             struct cut_signature signature, uint8_t flags) {
    struct variant *variant = building->variant;
    if (function) {
        flags |= kind_flags(function);
        if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
            signature.stack_bytes = building->variadic_bytes;
    }
    for (size_t i = 0; i < building->outs.count; i++) {
        struct cut_out *out = &building->outs.data[i];
        if (out->function != function || out->flags != flags ||
            out->signature.result != signature.result || out->signature.bits != signature.bits)
            continue;
        if (out->signature.stack_bytes < signature.stack_bytes)
            out->signature.stack_bytes = signature.stack_bytes;
        return out->stub;
    }
    LLVMTypeRef type =
        function ? LLVMGlobalGetValueType(function)
                 : LLVMFunctionType(LLVMVoidTypeInContext(variant->context), NULL, 0, true);
    struct cut_out out = {
        .function = function,
        .stub =
            declare(variant, flags & CUT_OUT_WATCH ? "watch" : "out", building->outs.count, type),
        .signature = signature,
        .flags = flags,
    };
    VEC_PUSH(&building->outs, out);
    return out.stub;
}

LLVMValueRef cut_in_stub(struct cut_building *building, LLVMValueRef function) {
    for (size_t i = 0; i < building->ins.count; i++)
        if (building->ins.data[i] == function)
            return building->in_stubs.data[i];
    VEC_PUSH(&building->ins, function);
    LLVMValueRef stub =
        declare(building->variant, "in", building->ins.count - 1, LLVMGlobalGetValueType(function));
    VEC_PUSH(&building->in_stubs, stub);
    return stub;
}

/* --- calls ------------------------------------------------------------------------------------ */

static void set_callee(LLVMValueRef call, LLVMValueRef callee) {
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, callee);
}

LLVMValueRef cut_runtime_call(struct cut_building *building, const char *name, LLVMTypeRef result,
                              LLVMValueRef *arguments, unsigned count) {
    LLVMTypeRef types[4];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    return LLVMBuildCall2(building->variant->builder, type,
                          variant_runtime(building->variant, name, type), arguments, count, "");
}

static LLVMValueRef target_of(struct cut_building *building, LLVMValueRef pointer, uint32_t how) {
    LLVMValueRef arguments[] = {pointer, LLVMConstInt(building->i32, how, false)};
    return cut_runtime_call(building, "__recut_cut_target", building->variant->ptr, arguments, 2);
}

/* Functions that a native call may call back: of environment, they go by the border. */
static void wrap_callbacks(struct cut_building *building, LLVMValueRef call, const char *name) {
    const struct model_function *model = model_of(building, name);
    for (uint32_t i = 0; model && i < model->param_count && i < LLVMGetNumArgOperands(call); i++)
        if (model_table_param(building->options->models, model, i)->kind == MODEL_PARAM_FUNCTION)
            LLVMSetOperand(call, i, target_of(building, LLVMGetOperand(call, i), 0));
}

/* qsort() moves what comparators in replay space look at: it is executed also where the array is
 * not valid, which is made so. */
static void fill_array(struct cut_building *building, LLVMValueRef call, const char *name) {
    LLVMBuilderRef b = building->variant->builder;
    if (strncmp(name, "qsort", 5) != 0 || LLVMGetNumArgOperands(call) < 4)
        return;
    LLVMTypeRef i64 = building->variant->i64;
    LLVMValueRef size =
        LLVMBuildMul(b, LLVMBuildZExtOrBitCast(b, LLVMGetOperand(call, 1), i64, ""),
                     LLVMBuildZExtOrBitCast(b, LLVMGetOperand(call, 2), i64, ""), "");
    LLVMValueRef arguments[] = {LLVMGetOperand(call, 0), size};
    cut_runtime_call(building, "__recut_cut_filled",
                     LLVMVoidTypeInContext(building->variant->context), arguments, 2);
}

/* Where the result of an indirect call is, no table says. */
static uint8_t call_flags(const struct cut_building *building, instruction_id id) {
    const struct cut *cut = building->options->cut;
    return (bitset_has(&cut->unread, id) ? CUT_OUT_UNREAD : 0) |
           (bitset_has(&cut->blind, id) ? CUT_OUT_BLIND : 0);
}

/* As it is, or as a function of environment if it is given memory of the environment's. */
static void check_pointers(struct cut_building *building, LLVMValueRef call, LLVMValueRef callee,
                           instruction_id id) {
    struct variant *variant = building->variant;
    LLVMValueRef elsewhere = NULL;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind ||
            LLVMIsConstant(argument))
            continue;
        LLVMValueRef is =
            cut_runtime_call(building, "__recut_cut_is_elsewhere", variant->i64, &argument, 1);
        LLVMSetInstructionCallConv(is, LLVMPreserveMostCallConv);
        elsewhere = elsewhere ? LLVMBuildOr(variant->builder, elsewhere, is, "") : is;
    }
    if (!elsewhere)
        return;
    LLVMValueRef stub =
        out_stub(building, callee, cut_signature_of_call(variant, call), call_flags(building, id));
    LLVMValueRef zero = LLVMConstInt(variant->i64, 0, false);
    LLVMValueRef is_there = LLVMBuildICmp(variant->builder, LLVMIntEQ, elsewhere, zero, "");
    set_callee(call, LLVMBuildSelect(variant->builder, is_there, callee, stub, ""));
}

/* In place of getc(), whose characters need no event each (runtime/cut_stream.c):
 *
 *     define internal i32 @recut.getc.N(%f) alwaysinline
 *         %c = call @__recut_cut_ready(%f)
 *         %c < 0:  %c = call stub(%f), call @__recut_cut_refilled(%f, %c)
 */
static LLVMValueRef character_reader(struct cut_building *building, LLVMValueRef stub) {
    struct variant *variant = building->variant;
    char name[96];
    snprintf(name, sizeof name, "%s.ready", LLVMGetValueName(stub));
    LLVMValueRef function = LLVMGetNamedFunction(variant->module, name);
    if (function)
        return function;
    LLVMTypeRef refilled_types[] = {variant->ptr, building->i32};
    LLVMTypeRef type = LLVMFunctionType(building->i32, &variant->ptr, 1, false),
                refilled = LLVMFunctionType(LLVMVoidTypeInContext(variant->context), refilled_types,
                                            2, false);
    function = cut_inlined_function(building, name, type);
    LLVMValueRef file = LLVMGetParam(function, 0);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(variant->context, function, ""),
                      is_ready = LLVMAppendBasicBlockInContext(variant->context, function, ""),
                      is_not = LLVMAppendBasicBlockInContext(variant->context, function, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(variant->context);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef ready =
        LLVMBuildCall2(b, type, variant_runtime(variant, "__recut_cut_ready", type), &file, 1, "");
    LLVMValueRef zero = LLVMConstInt(building->i32, 0, false);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntSGE, ready, zero, ""), is_ready, is_not);
    LLVMPositionBuilderAtEnd(b, is_ready);
    LLVMBuildRet(b, ready);
    LLVMPositionBuilderAtEnd(b, is_not);
    LLVMValueRef arguments[] = {file, LLVMBuildCall2(b, type, stub, &file, 1, "")};
    LLVMBuildCall2(b, refilled, variant_runtime(variant, "__recut_cut_refilled", refilled),
                   arguments, 2, "");
    LLVMBuildRet(b, arguments[1]);
    LLVMDisposeBuilder(b);
    return function;
}

void cut_border_call(struct cut_building *building, LLVMValueRef call, instruction_id id) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    bool is_logged = bitset_has(&building->options->cut->logged, id);
    if (LLVMIsAInlineAsm(callee))
        return;
    LLVMPositionBuilderBefore(building->variant->builder, call);
    LLVMSetCurrentDebugLocation2(building->variant->builder, LLVMInstructionGetDebugLoc(call));
    if (!LLVMIsAFunction(callee)) {
        set_callee(call, target_of(building, callee, is_logged));
        return;
    }
    const char *name = rewrite_name(callee);
    if (strncmp(name, "llvm.", 5) == 0 || cut_is_replay(building, callee) ||
        is_copied(building, callee))
        return;
    if (!LLVMIsDeclaration(callee) || !is_native(building, callee, is_logged)) {
        LLVMValueRef stub =
            out_stub(building, callee, cut_signature_of_call(building->variant, call),
                     call_flags(building, id));
        bool is_character = LLVMIsDeclaration(callee) && weights_is_character(name);
        set_callee(call, is_character ? character_reader(building, stub) : stub);
        return;
    }
    if (is_logged || call_flags(building, id) & CUT_OUT_BLIND)
        fill_array(building, call, name);
    wrap_callbacks(building, call, name);
    if (bitset_has(&building->options->cut->checked, id) && !is_of_either_side(name))
        check_pointers(building, call, callee, id);
}

/* In environment, of a call that writes what is valid. */
void cut_border_watch(struct cut_building *building, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee))
        return;
    LLVMPositionBuilderBefore(building->variant->builder, call);
    if (!LLVMIsAFunction(callee)) {
        set_callee(call, target_of(building, callee, CUT_TARGET_WATCHED));
        return;
    }
    if (LLVMIsDeclaration(callee) && strncmp(rewrite_name(callee), "llvm.", 5) != 0)
        set_callee(call, out_stub(building, callee, cut_signature_of_call(building->variant, call),
                                  CUT_OUT_WATCH));
}

/* --- begin and finish ------------------------------------------------------------------------- */

static bool is_called(LLVMValueRef call) {
    return LLVMIsACallInst(call) || LLVMIsAInvokeInst(call);
}

/* The most that a call with variable arguments passes on the stack. */
static uint32_t most_variadic_bytes(struct variant *variant) {
    uint32_t most = 0;
    FOR_EACH_FUNCTION(function, variant->module)
        FOR_EACH_BLOCK(block, function)
            FOR_EACH_INSTRUCTION(instruction, block) {
                if (!is_called(instruction) ||
                    !LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(instruction)))
                    continue;
                uint32_t bytes = cut_signature_of_call(variant, instruction).stack_bytes;
                most = bytes > most ? bytes : most;
            }
    return most;
}

/* Function ids follow the order of the module, and so do the numbers of values. */
static void find_ids(struct cut_building *building) {
    const struct program *program = building->options->program;
    const struct variant *variant = building->variant;
    building->places = mem_zalloc(variant->values.count + 1, sizeof *building->places);
    for (size_t i = 0; i < variant->values.count; i++)
        building->places[i] = (struct cut_place){variant->values.data[i].value, i};
    qsort(building->places, variant->values.count, sizeof *building->places, compare_places);
    building->ids = mem_zalloc(variant->values.count + 1, sizeof *building->ids);
    function_id next = 0;
    for (size_t i = 0; i < variant->values.count; i++) {
        building->ids[i] = NO_ID;
        if (!LLVMIsAFunction(variant->values.data[i].value))
            continue;
        const char *name = rewrite_name(variant->values.data[i].value);
        for (size_t tries = 0; tries < program->functions.count; tries++) {
            function_id f = (function_id)((next + tries) % program->functions.count);
            if (strcmp(program->functions.data[f].name, name) != 0)
                continue;
            building->ids[i] = f;
            next = f + 1;
            break;
        }
    }
}

/* What a call by a pointer may enter. */
static void add_pointed(struct cut_building *building) {
    const struct program *program = building->options->program;
    struct cut_signature any = {.stack_bytes = 256,
                                .result = CUT_RAX | CUT_RDX | CUT_XMM0 | CUT_XMM1 | CUT_WIDE};
    out_stub(building, NULL, any, 0);
    for (size_t i = 0; i < building->variant->values.count; i++) {
        const struct variant_value *value = &building->variant->values.data[i];
        function_id f = building->ids[i];
        if (f == NO_ID || !value->address || value->is_private ||
            cut_is_replay(building, value->value) ||
            !(program->functions.data[f].flags & (FUNCTION_ADDRESS_TAKEN | FUNCTION_VISIBLE)))
            continue;
        bool is_external = LLVMIsDeclaration(value->value);
        if (is_external && !(program->functions.data[f].flags & FUNCTION_ADDRESS_TAKEN))
            continue;
        bool is_free = is_external && is_of_either_side(rewrite_name(value->value));
        struct cut_signature signature = cut_signature_of_function(building->variant, value->value);
        if (!is_free)
            out_stub(building, value->value, signature,
                     is_external && is_native(building, value->value, false) ? CUT_OUT_IF_LOGGED
                                                                             : 0);
        if (is_external)
            out_stub(building, value->value, signature, CUT_OUT_WATCH);
    }
}

void cut_border_begin(struct cut_building *building) {
    building->variadic_bytes = most_variadic_bytes(building->variant);
    static const char *const locales[] = {"setlocale", "uselocale", "__uselocale"};
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(building->variant->module, locales[i]);
        building->has_locales |= function && LLVMGetFirstUse(function);
    }
    find_ids(building);
    add_pointed(building);
}

/* What a call of the function calls: the stub of one of libraries, also if that is weak. */
static uint64_t address_of(struct cut_building *building, LLVMValueRef function) {
    size_t at = number_of(building, function);
    return at < building->variant->values.count
               ? building->variant->values.data[at].address
               : variant_extra_address(building->variant, rewrite_name(function));
}

static void write_ins(struct cut_building *building, FILE *out) {
    fprintf(out, "\t.data\n\t.balign 8\n\t.globl recut.ins\nrecut.ins:\n");
    for (size_t i = 0; i < building->ins.count; i++) {
        LLVMValueRef function = building->ins.data[i];
        struct cut_signature signature = cut_signature_of_function(building->variant, function);
        fprintf(out, "\t.quad %#llx, \"swap.%zu\"\n\t.long %u\n\t.byte %u, %u, %u, %u\n",
                (unsigned long long)address_of(building, function), number_of(building, function),
                signature.stack_bytes, signature.integers, signature.vectors, signature.result,
                signature.bits);
    }
}

static const char *plain_name(const struct cut_out *out) {
    const char *name = out->function ? rewrite_name(out->function) : "(unknown)";
    if (out->flags & CUT_OUT_RUNTIME)
        return name + strlen("__recut_");
    size_t weak = strlen(TABLE_WEAK_PREFIX);
    return strncmp(name, TABLE_WEAK_PREFIX, weak) == 0 ? name + weak : name;
}

static void write_text(FILE *out, const char *text) {
    fputs("\t.asciz \"", out);
    for (; *text; text++)
        fprintf(out, "\\%03o", (unsigned char)*text);
    fputs("\"\n", out);
}

static void write_outs(struct cut_building *building, FILE *out) {
    fprintf(out, "\t.balign 8\n\t.globl recut.outs\nrecut.outs:\n");
    for (size_t i = 0; i < building->outs.count; i++) {
        const struct cut_out *one = &building->outs.data[i];
        fprintf(
            out,
            "\t.quad %#llx, \"recut.%s.%zu\", recut.name.%zu\n\t.long %u\n\t.byte %u, %u, %u, 0\n",
            (unsigned long long)(one->function ? address_of(building, one->function) : 0),
            one->flags & CUT_OUT_WATCH ? "watch" : "out", i, i, one->signature.stack_bytes,
            one->signature.result, one->signature.bits, one->flags);
    }
    for (size_t i = 0; i < building->outs.count; i++) {
        fprintf(out, "recut.name.%zu:\n", i);
        write_text(out, plain_name(&building->outs.data[i]));
    }
}

static char *assembly_of(struct cut_building *building) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int64_t inside = building->variant->embedded->self_offset + SELF_INSIDE;
    fputs("\t.text\n", out);
    for (size_t i = 0; i < building->ins.count; i++)
        fprintf(out,
                "\t.balign 16\n\"recut.in.%zu\":\n\tcmpl $0, %%fs:%lld\n\tjne \"swap.%zu\"\n"
                "\tpushq $%zu\n\tjmp __recut_cut_in\n",
                i, (long long)inside, number_of(building, building->ins.data[i]), i);
    for (size_t i = 0; i < building->outs.count; i++) {
        const char *kind = building->outs.data[i].flags & CUT_OUT_WATCH ? "watch" : "out";
        fprintf(out, "\t.balign 16\n\"recut.%s.%zu\":\n\tpushq $%zu\n\tjmp __recut_cut_%s\n", kind,
                i, i, kind);
    }
    write_ins(building, out);
    write_outs(building, out);
    fclose(out);
    return text;
}

static struct error *check(const struct cut_building *building) {
    for (size_t i = 0; i < building->outs.count; i++)
        if (building->outs.data[i].signature.is_odd && building->outs.data[i].function)
            return error_new(ERROR_FAILED,
                             "%s returns a complex long double, which cannot cross a cut",
                             rewrite_name(building->outs.data[i].function));
    return NULL;
}

struct error *cut_border_finish(struct cut_building *building, struct variant_output *output) {
    struct error *err = check(building);
    if (err)
        return err;
    output->in_count = building->ins.count;
    output->out_count = building->outs.count;
    output->assembly = assembly_of(building);
    for (size_t i = 0; i < building->ins.count; i++)
        building->variant->values.data[number_of(building, building->ins.data[i])].entry =
            building->in_stubs.data[i];
    return NULL;
}

void cut_border_end(struct cut_building *building) {
    VEC_DEINIT(&building->outs);
    VEC_DEINIT(&building->ins);
    VEC_DEINIT(&building->in_stubs);
    free(building->places);
    free(building->ids);
}
