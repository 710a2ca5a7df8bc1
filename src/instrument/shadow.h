/*
 * Code that keeps the shadow stack (format/shadow.h), at the beginning of a function:
 *
 *     %slot = llvm.addressofreturnaddress
 *     %end = load self.shadow + 4 * (%slot % window)
 *     store arguments, %slot, number and size, below %end
 */
#ifndef RECUT_INSTRUMENT_SHADOW_H
#define RECUT_INSTRUMENT_SHADOW_H

#include "instrument/variant.h"

/* Memory behind an argument that is copied: `size` is a multiple of 8. */
struct shadow_range {
    uint32_t argument;
    int32_t offset;
    uint32_t size;
};

struct shadow_options {
    uint32_t number; /* of the function in the program */
    const struct shadow_range *copies;
    size_t copy_count;
    bool tells; /* the runtime is told of each record, when it is whole */
};

/* False if what the function gets is too large. */
bool shadow_add(struct variant *variant, LLVMValueRef function,
                const struct shadow_options *options);

#endif
