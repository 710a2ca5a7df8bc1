/*
 * Code that keeps the shadow stack (format/shadow.h), at the beginning of a function:
 *
 *     %record = alloca [N x i8]
 *     store arguments and copies to %record
 *     note where that is, for whoever looks: no code
 */
#ifndef RECUT_INSTRUMENT_SHADOW_H
#define RECUT_INSTRUMENT_SHADOW_H

#include "instrument/variant.h"

/* Memory behind a pointer that is copied: `size` is a multiple of 8. */
struct shadow_range {
    LLVMValueRef base; /* an argument, or a variable of the program */
    int32_t field;     /* SHADOW_NO_FIELD; else the pointer lies so far behind the base */
    int32_t offset;
    uint32_t size;
    int32_t limit; /* what is farther behind is not the object's, and is not put back */
    bool is_open;  /* nobody knows how much there is: a part of it will do */
    /* Of the options' places, where it is copied; none: when the function begins. */
    size_t first_place, place_count;
};

/* Where a copy is made later: before anything changes what it is of. */
struct shadow_place {
    LLVMBasicBlockRef block; /* where that begins */
    bool is_repeated;        /* it may be there already */
};
#define SHADOW_NO_FIELD INT32_MIN

/* Where the runtime is to begin when it copies what a function can reach (runtime/copies.h). */
struct shadow_root {
    LLVMValueRef base;
    int32_t field;
    uint32_t size;  /* bytes there, as far as types tell */
    uint32_t depth; /* pointers that are followed, that to the first object among them */
};

struct shadow_options {
    uint32_t number; /* of the function in the program */
    const struct shadow_range *copies;
    size_t copy_count;
    const struct shadow_place *places;
    const struct shadow_root *roots;
    size_t root_count;
    bool tells; /* the runtime is told of each record, when it is whole */
};

/* False if what the function gets is too large. */
bool shadow_add(struct variant *variant, LLVMValueRef function,
                const struct shadow_options *options);

#endif
