/*
 * Building a variant: a second build of some of the program's functions, which
 * the runtime swaps in at start (format/variant.h, runtime/variant.c).
 *
 * Life cycle:
 *
 *     variant_begin    parses the bitcode, numbers its functions and globals
 *     variant_choose   which functions to swap
 *     ...              the caller adds its code to the chosen functions
 *     variant_finish   cuts the module loose from the program and links the image
 *
 * After variant_finish the code uses the program's own globals, calls swapped
 * functions directly and all others in the program, and every address of a
 * function that it takes is the program's.
 */
#ifndef RECUT_INSTRUMENT_VARIANT_H
#define RECUT_INSTRUMENT_VARIANT_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/mem.h"
#include "format/variant.h"
#include "program/embedded.h"

struct variant_value {
    LLVMValueRef value;
    uint64_t address; /* in the program; 0 if it has none */
    bool is_function; /* also when `value` is gone */
    bool is_private;  /* a function that the program has no code of: its copy is the variant's */
    bool swapped;
    LLVMValueRef entry;  /* what the program's entry of it leads to; NULL: the function itself */
    const char *refusal; /* why a function cannot be swapped; NULL if it can */
};

struct variant {
    const struct embedded *embedded;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef i64, ptr;
    VEC(struct variant_value) values; /* by number, as in program/table.h */
    char **extras;                    /* what the code generator may call (program/table.h) */
    size_t extra_count;
    size_t swapped_count;
};

struct error *variant_begin(const struct embedded *embedded, struct variant *ret);
void variant_deinit(struct variant *variant);

/* `wanted` is asked for every function that can be swapped. */
void variant_choose(struct variant *variant, bool (*wanted)(LLVMValueRef function, void *data),
                    void *data);

/* A field of this thread's struct recut_self, as an address for loads and
 * stores of the variant's own code. */
LLVMValueRef variant_self_field(struct variant *variant, unsigned offset);

/* A function of the runtime, by name, for the variant's own code. */
LLVMValueRef variant_runtime(struct variant *variant, const char *name, LLVMTypeRef type);

/* Where a function of the runtime is, or what a call of a weak function calls; 0 if there is none.
 */
uint64_t variant_extra_address(const struct variant *variant, const char *name);

struct variant_output {
    enum variant_kind kind;
    uint64_t counter_count;
    uint64_t features; /* enum variant_feature */
    const char *image_path;
    const char *over; /* an image behind which this one lies; NULL: alone */
    char *facts;      /* VARIANT_LOGGING: what the image is to bring along (logging_facts.h) */
    size_t facts_size;
    uint64_t in_count, out_count; /* VARIANT_CUT: of the tables recut.ins and recut.outs ... */
    char *assembly;               /* ... which the image's own code has; else NULL */
};
struct error *variant_finish(struct variant *variant, const struct variant_output *output);

#endif
