/*
 * Arguments behind `...`, for the record of a call (format/shadow.h).
 *
 * A function that looks at them begins with the registers that any of them may be in saved, and
 * knows where the stack has the others: va_start().  What there is on the stack is as much as the
 * program passes anywhere, to this function or, if its address is taken, to one whose name is not
 * known.
 */
#ifndef RECUT_INSTRUMENT_VARIADIC_H
#define RECUT_INSTRUMENT_VARIADIC_H

#include "instrument/variant.h"

/* Bytes that they take in the record: 0 for a function that has or wants none. */
uint64_t variadic_size(const struct variant *variant, LLVMValueRef function);

/* Where the function's own code begins; `room` is memory for a va_list, in its frame. */
void variadic_put(struct variant *variant, LLVMValueRef to, LLVMValueRef room, uint64_t size);

/* Room for a va_list; the builder stands where the function makes its frame. */
LLVMValueRef variadic_room(struct variant *variant);

#endif
