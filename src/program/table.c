/* The numbering of functions and globals; see table.h. */
#include "program/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const char *name_of(LLVMValueRef value) {
    size_t length;
    return LLVMGetValueName2(value, &length);
}

static bool is_numbered(LLVMValueRef value) { return strncmp(name_of(value), "llvm.", 5) != 0; }

/* The first value of this kind or of a later one. */
static LLVMValueRef first_from(LLVMModuleRef module, unsigned kind) {
    LLVMValueRef value = NULL;
    for (; !value && kind < 4; kind++)
        value = kind == 0   ? LLVMGetFirstFunction(module)
                : kind == 1 ? LLVMGetFirstGlobal(module)
                : kind == 2 ? LLVMGetFirstGlobalAlias(module)
                            : LLVMGetFirstGlobalIFunc(module);
    return value;
}

static LLVMValueRef step(LLVMModuleRef module, LLVMValueRef value) {
    unsigned kind = LLVMIsAFunction(value)         ? 0
                    : LLVMIsAGlobalVariable(value) ? 1
                    : LLVMIsAGlobalAlias(value)    ? 2
                                                   : 3;
    LLVMValueRef next = kind == 0   ? LLVMGetNextFunction(value)
                        : kind == 1 ? LLVMGetNextGlobal(value)
                        : kind == 2 ? LLVMGetNextGlobalAlias(value)
                                    : LLVMGetNextGlobalIFunc(value);
    return next ? next : first_from(module, kind + 1);
}

LLVMValueRef table_first(LLVMModuleRef module) {
    LLVMValueRef value = first_from(module, 0);
    while (value && !is_numbered(value))
        value = step(module, value);
    return value;
}

LLVMValueRef table_next(LLVMModuleRef module, LLVMValueRef value) {
    do
        value = step(module, value);
    while (value && !is_numbered(value));
    return value;
}

static const char *const always[TABLE_REQUIRED_EXTRAS] = {
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "__stack_chk_fail",
    "__recut_profile_attach",
    "__recut_loaded",
    "__recut_stored",
    "__recut_given",
    "__recut_given_string",
    "__recut_given_format",
    "__recut_given_list",
    "__recut_atomic_enter",
    "__recut_atomic_leave",
    "__recut_atomic_load",
    "__recut_target",
    "__recut_logged",
    "__recut_logged_at",
    "__recut_tick",
    "__recut_tick_loop",
    "__recut_race_read",
    "__recut_race_write",
    "__recut_race_atomic",
    "__recut_race_fence",
    "__recut_race_local",
    "__recut_shadow_entered",
    "__recut_copies_begin",
    "__recut_copies_add",
    "__recut_copies_end",
    "__recut_cut_in",
    "__recut_cut_out",
    "__recut_cut_watch",
    "__recut_cut_target",
    "__recut_cut_loaded",
    "__recut_cut_loaded_1",
    "__recut_cut_loaded_2",
    "__recut_cut_loaded_4",
    "__recut_cut_loaded_8",
    "__recut_cut_checked",
    "__recut_cut_is_elsewhere",
    "__recut_cut_logged",
    "__recut_cut_stored",
    "__recut_cut_hash",
    "__recut_cut_filled",
    "__recut_cut_atomic_enter",
    "__recut_cut_atomic_leave",
    "__recut_cut_has_order",
    "__recut_cut_ready",
    "__recut_cut_refilled",
};

/* Intrinsics that become calls of libm, by the type in their name. */
static const struct {
    const char *intrinsic, *f32, *f64, *f80;
} math[] = {
#define MATH(intrinsic, name) {"llvm." intrinsic ".", name "f", name, name "l"}
    MATH("sin", "sin"),       MATH("cos", "cos"),
    MATH("sin", "sincos"),    MATH("cos", "sincos"),
    MATH("tan", "tan"),       MATH("pow", "pow"),
    MATH("exp", "exp"),       MATH("exp2", "exp2"),
    MATH("exp10", "exp10"),   MATH("log", "log"),
    MATH("log2", "log2"),     MATH("log10", "log10"),
    MATH("fma", "fma"),       MATH("floor", "floor"),
    MATH("ceil", "ceil"),     MATH("trunc", "trunc"),
    MATH("rint", "rint"),     MATH("nearbyint", "nearbyint"),
    MATH("round", "round"),   MATH("roundeven", "roundeven"),
    MATH("lround", "lround"), MATH("llround", "llround"),
    MATH("lrint", "lrint"),   MATH("llrint", "llrint"),
    MATH("ldexp", "ldexp"),   MATH("frexp", "frexp"),
    MATH("minnum", "fmin"),   MATH("maxnum", "fmax"),
    MATH("fmuladd", "fma"),   MATH("sqrt", "sqrt"),
#undef MATH
};

struct names {
    char **data;
    size_t count, capacity;
};

static void add_once(struct names *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->data[i], name) == 0)
            return;
    VEC_PUSH(names, mem_strdup(name));
}

static void add_weak(struct names *names, LLVMValueRef function) {
    if (LLVMGetLinkage(function) == LLVMExternalWeakLinkage)
        VEC_PUSH(names, mem_printf(TABLE_WEAK_PREFIX "%s", name_of(function)));
}

static void add_math(struct names *names, const char *intrinsic) {
    for (size_t i = 0; i < sizeof math / sizeof *math; i++) {
        if (strncmp(intrinsic, math[i].intrinsic, strlen(math[i].intrinsic)) != 0)
            continue;
        if (strstr(intrinsic, "f32"))
            add_once(names, math[i].f32);
        if (strstr(intrinsic, "f64"))
            add_once(names, math[i].f64);
        if (strstr(intrinsic, "f80"))
            add_once(names, math[i].f80);
    }
}

static void add_remainder(struct names *names, LLVMValueRef instruction) {
    LLVMTypeRef type = LLVMTypeOf(instruction);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    add_once(names, kind == LLVMFloatTypeKind      ? "fmodf"
                    : kind == LLVMX86_FP80TypeKind ? "fmodl"
                                                   : "fmod");
}

char **table_extras(LLVMModuleRef module, size_t *ret_count) {
    struct names names = {0};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        add_once(&names, always[i]);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f)) {
            add_math(&names, name_of(f));
            add_weak(&names, f);
        }
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMGetInstructionOpcode(i) == LLVMFRem)
                    add_remainder(&names, i);
    }
    *ret_count = names.count;
    return names.data;
}

void table_free_extras(char **extras, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(extras[i]);
    free(extras);
}
