/* What the files of the variant of a cut share; see cut.h. */
#ifndef RECUT_INSTRUMENT_CUT_IMPL_H
#define RECUT_INSTRUMENT_CUT_IMPL_H

#include "instrument/cut.h"
#include "instrument/variant.h"

/* Where arguments and results are, by the System V convention. */
struct cut_signature {
    uint32_t stack_bytes;
    uint8_t integers, vectors; /* registers with arguments */
    uint8_t result;            /* enum cut_register */
    uint8_t bits;              /* of an integer in rax; else 0 */
    bool is_odd;               /* a complex long double: not followed */
};

struct cut_out {
    LLVMValueRef function; /* NULL: whatever the thread says */
    LLVMValueRef stub;
    struct cut_signature signature;
    uint8_t flags; /* enum cut_out_flag */
};

/* Where a value of the program is in struct variant. */
struct cut_place {
    LLVMValueRef value;
    size_t number;
};

struct cut_found;

struct cut_building {
    const struct cut_variant_options *options;
    struct variant *variant;
    LLVMTypeRef i32;
    VEC(struct cut_out) outs;
    VEC(LLVMValueRef) ins;      /* functions in replay space ... */
    VEC(LLVMValueRef) in_stubs; /* ... and what their entries lead to */
    struct cut_place *places;   /* by value */
    function_id *ids;        /* by number of a value; NO_ID if it is no function of the program */
    uint32_t variadic_bytes; /* on the stack, of any call of a function with variable arguments */
    VEC(struct cut_found) found; /* cut_checked.c: loads that were looked at ... */
    LLVMBasicBlockRef found_in;  /* ... of this block */
    bool has_inlined;            /* there are functions to be put in place of their calls */
    bool has_locales;            /* the program may choose another than "C" */
};

/* cut_signature.c */
struct cut_signature cut_signature_of_function(struct variant *variant, LLVMValueRef function);
struct cut_signature cut_signature_of_call(struct variant *variant, LLVMValueRef call);

/* cut_hash.c: the bits of a value that are looked at, before anything is done to its users; a
 * value that is no integer is looked at as a whole, or not at all. */
uint64_t cut_looked_at(LLVMValueRef value);

/* cut_checked.c: of a function, all instructions as they were, and the id of the first. */
struct cut_loads {
    LLVMValueRef *instructions;
    size_t count;
    instruction_id first;
};
/* The load with that number may meet memory of a library's. */
void cut_check_load(struct cut_building *building, const struct cut_loads *loads, size_t at);
/* Of a branch, which way it hardly ever goes: 0 or 1. */
void cut_set_unlikely(struct variant *variant, LLVMValueRef branch, unsigned which);
/* Where to read so many bytes that may be a library's. */
LLVMValueRef cut_checked_address(struct cut_building *building, LLVMValueRef address,
                                 LLVMValueRef size);

/* cut_border.c: what stands between the sides, and calls that go by it. */
void cut_border_begin(struct cut_building *building);
void cut_border_call(struct cut_building *building, LLVMValueRef call, instruction_id id);
void cut_border_watch(struct cut_building *building, LLVMValueRef call);
/* The output's code is the caller's to free. */
struct error *cut_border_finish(struct cut_building *building, struct variant_output *output);
void cut_border_end(struct cut_building *building);
function_id cut_function_id(const struct cut_building *building, LLVMValueRef function);

LLVMValueRef cut_inlined_function(struct cut_building *building, const char *name,
                                  LLVMTypeRef type);
bool cut_is_replay(const struct cut_building *building, LLVMValueRef function);
LLVMValueRef cut_in_stub(struct cut_building *building, LLVMValueRef function);
/* A call of a function of the runtime's. */
LLVMValueRef cut_runtime_call(struct cut_building *building, const char *name, LLVMTypeRef result,
                              LLVMValueRef *arguments, unsigned count);

#endif
