/*
 * What the passes of the canonical rewriting share.
 *
 * Each pass is one file with one function; canonical.c runs them in order:
 *
 *   survey     which functions stay out, and why
 *   redirect   heap, mmap, thread and context calls go to the runtime
 *   threadlocal  thread-locals become offsets into a block at a fixed address
 *   undef      undefined operands become zero
 *   frame      locals move to the data stack
 *   attach     functions that a foreign thread may enter first check for a stack
 *   verify     the invariants hold
 *   table      one array holds the address of every function and global
 *   environment  calls out of the program go through stubs
 *   state      the runtime learns which variables are the program's
 *   startup    constructors and destructors go where libc looks for them
 *
 * No IR optimisation runs after the first of them.
 */
#ifndef RECUT_PROGRAM_CANONICAL_REWRITE_H
#define RECUT_PROGRAM_CANONICAL_REWRITE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"

struct rewrite {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef i8, i32, i64, ptr, void_type;
    LLVMValueRef self;        /* @__recut_self, thread-local */
    const char *whole_reason; /* from outside or set by survey: no frame may move */
    bool defines_malloc;
    const char *const *wrapped; /* the linker's --wrap; NULL-terminated, or NULL */
    size_t moved_functions, moved_locals;
};

/* Offsets in struct recut_self (src/runtime/self.h); the runtime asserts them. */
enum {
    SELF_DATA_STACK = 0,
    SELF_TLS_BLOCK = 8,
    SELF_COUNTERS = 16,
    SELF_TICKS = 232,
    SELF_INSIDE = 236,
    SELF_STACK_LIMIT = 24,
    SELF_CALLBACK = 32,
    CALLBACK_INTEGERS = 14, /* the first six come in registers */
    CALLBACK_FLOATS = 8,
};

void rewrite_init(struct rewrite *rw, LLVMModuleRef module);
void rewrite_deinit(struct rewrite *rw);

/* Address of a field of this thread's struct recut_self. */
LLVMValueRef rewrite_self_field(struct rewrite *rw, unsigned offset);
bool rewrite_is_self(LLVMValueRef address);

/* Calls of `function` call `other`; its address stays what it is. */
void rewrite_calls(LLVMValueRef function, LLVMValueRef other);
LLVMValueRef rewrite_const(struct rewrite *rw, uint64_t value);
/* The runtime's function, declared on first use. */
LLVMValueRef rewrite_runtime(struct rewrite *rw, const char *name, LLVMTypeRef type);

/* An array that the runtime finds by its name. */
void rewrite_array(struct rewrite *rw, const char *name, LLVMTypeRef type, LLVMValueRef *items,
                   size_t count, bool constant);

/* Name of a direct callee, "" for an indirect one. */
const char *rewrite_callee_name(LLVMValueRef call);
const char *rewrite_name(LLVMValueRef value);
/* Address of a load, a store or an update that other threads see as one; NULL for others. */
LLVMValueRef rewrite_atomic_address(LLVMValueRef instruction);
/* Does a load or store look into a FILE or a DIR, by its types? */
bool rewrite_looks_into_handle(LLVMValueRef instruction);
bool rewrite_is_intrinsic(LLVMValueRef call, const char *prefix);
bool rewrite_returns_twice(LLVMValueRef call);
bool rewrite_is_wrapped(const struct rewrite *rw, const char *name);
bool rewrite_has_attribute(LLVMValueRef function, const char *name);

/* The reason why a function stays as clang made it, NULL when it is canonical.
 * Kept as a function attribute, so it travels in the bitcode. */
#define LEFT_OUT_ATTRIBUTE "recut-left-out"
void rewrite_leave_out(struct rewrite *rw, LLVMValueRef function, const char *reason);
const char *rewrite_left_out(LLVMValueRef function);

/* Function attribute: where in its frame each moved local is and how large,
 * as "OFFSET:SIZE OFFSET:SIZE ...". */
#define FRAME_ATTRIBUTE "recut-frame"

/* Function attribute: the environment may enter here; how many integers and how
 * many floating point numbers it passes and what comes back, as "2 0 i". */
#define ENTERS_ATTRIBUTE "recut-enters"

/* The initial values of the moved thread-locals. Tuples attached to it, under
 * kinds of their own (recut.threadlocal.N), say what each was: its offset in the
 * block, its name, and its debug information if it had any. */
#define THREAD_LOCAL_IMAGE "__recut_tls_image"

void canonical_survey(struct rewrite *rw);
void canonical_redirect(struct rewrite *rw);
void canonical_threadlocal(struct rewrite *rw);
void canonical_undef(struct rewrite *rw);
void canonical_frame(struct rewrite *rw);
void canonical_attach(struct rewrite *rw);
struct error *canonical_verify(struct rewrite *rw);
void canonical_table(struct rewrite *rw, bool import_data);
void canonical_environment(struct rewrite *rw);
void canonical_state(struct rewrite *rw, bool import_data);
void canonical_startup(struct rewrite *rw);

#define FOR_EACH_FUNCTION(f, module)                                                               \
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
#define FOR_EACH_GLOBAL(g, module)                                                                 \
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
#define FOR_EACH_BLOCK(b, function)                                                                \
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
#define FOR_EACH_INSTRUCTION(i, block)                                                             \
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
/* The same, where the body may erase `i`. */
#define FOR_EACH_INSTRUCTION_SAFE(i, next, block)                                                  \
    for (LLVMValueRef i = LLVMGetFirstInstruction(block),                                          \
                      next = i ? LLVMGetNextInstruction(i) : NULL;                                 \
         i; i = next, next = i ? LLVMGetNextInstruction(i) : NULL)

#endif
