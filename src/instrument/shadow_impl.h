/* What shadow.c and shadow_copies.c share: the record of one function while its code is written. */
#ifndef RECUT_INSTRUMENT_SHADOW_IMPL_H
#define RECUT_INSTRUMENT_SHADOW_IMPL_H

#include "instrument/shadow.h"

struct shadow {
    struct variant *variant;
    LLVMValueRef function;
    LLVMValueRef record; /* in the frame */
    uint64_t size;
    uint64_t rest_size; /* of what is behind `...` */
    LLVMValueRef rest;  /* a va_list for it */
};

/* The byte of the record at this offset. */
LLVMValueRef shadow_at(struct shadow *shadow, uint64_t offset);
void shadow_put(struct shadow *shadow, uint64_t offset, LLVMValueRef value);

/* shadow_copies.c */
uint64_t shadow_copied_size(const struct shadow_options *options);
/* What is copied when the function begins, and of the others that they are not made so far. */
void shadow_put_copies(struct shadow *shadow, const struct shadow_options *options);
/* Those others, where they have their places. */
void shadow_put_later(struct shadow *shadow, const struct shadow_options *options);

#endif
