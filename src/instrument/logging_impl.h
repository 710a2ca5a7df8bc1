/* What the files of the logging variant share; see logging.h. */
#ifndef RECUT_INSTRUMENT_LOGGING_IMPL_H
#define RECUT_INSTRUMENT_LOGGING_IMPL_H

#include "analysis/environment.h"
#include "format/variant.h"
#include "instrument/logging.h"
#include "instrument/logging_facts.h"
#include "instrument/variant.h"

struct logging {
    struct variant *variant;
    const struct program *program;
    const struct model_table *models;
    struct logging_facts facts; /* none unless loads are logged */
    const struct logging_options *options;
    bool is_static; /* memory of libraries is in the executable: addresses tell nothing */
    bool *wanted;   /* by function */
    struct logging_result *result;
};

/* Enum access_how of an access with these bits (analysis/environment.h). */
uint32_t logging_always(const struct logging *logging, uint8_t bits);

LLVMTypeRef logging_i32(const struct logging *logging);
LLVMValueRef logging_widen(const struct logging *logging, LLVMValueRef value);
/* A call of a function of runtime/access.h. */
LLVMValueRef logging_call(const struct logging *logging, const char *name, LLVMValueRef *arguments,
                          unsigned count);

/* What the functions that the call may enter look at is logged. `next` comes after it. */
void logging_arguments(struct logging *logging, LLVMValueRef call, LLVMValueRef next,
                       instruction_id id);

#endif
