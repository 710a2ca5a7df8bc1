/*
 * How much an external function puts into the program's memory in one call.
 *
 * LLVM's types are in here: for src/instrument alone.
 */
#ifndef RECUT_INSTRUMENT_PROFILE_OUTPUT_H
#define RECUT_INSTRUMENT_PROFILE_OUTPUT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "format/model_table.h"

struct profile_output {
    LLVMValueRef call;
    const struct model_table *models;
    const struct model_function *model;
    bool maps; /* mmap() */
};

/* False if nothing is known to be written: it is no call of one external function with a model, or
 * that writes through none of its arguments. */
bool profile_output_find(LLVMValueRef call, const struct model_table *models,
                         struct profile_output *ret);
/* Code for the number of bytes, as an i64; the call was made. */
LLVMValueRef profile_output_size(const struct profile_output *output, LLVMBuilderRef builder);

#endif
