/*
 * Code that keeps the shadow stack (format/shadow.h).
 *
 *     begin:    %top = load self.shadow
 *               store number, sizes, arguments, %top
 *               store %top + size, self.shadow
 *     return:   self.shadow -= size                 ; where calls return twice: = %top
 *     behind a call that returns twice:
 *               store %top + size, self.shadow       ; longjmp() left what was above
 *
 * A function that returns in the place of another (musttail) takes its frame away before.
 */
#ifndef RECUT_INSTRUMENT_SHADOW_H
#define RECUT_INSTRUMENT_SHADOW_H

#include "instrument/variant.h"

struct shadow_options {
    uint32_t number; /* of the function in the program */
    bool tells;      /* the runtime is told of each frame, when it is whole */
};
void shadow_add(struct variant *variant, LLVMValueRef function,
                const struct shadow_options *options);

#endif
