/*
 * The arguments of a call by the kinds that its model gives them.
 */
#ifndef RECUT_RUNTIME_ENV_ARGS_H
#define RECUT_RUNTIME_ENV_ARGS_H

#include "format/model_table.h"
#include "runtime/env.h"

struct env_args {
    const struct model_function *model;
    const struct model_param *params;
    const struct model_table *table;
    unsigned count;
    uint64_t value[MODEL_MAX_PARAMS];       /* registers, or the first half of an x87 number */
    uint64_t second[MODEL_MAX_PARAMS];      /* the rest of an x87 number */
    uint64_t before[MODEL_MAX_PARAMS];      /* the number it points to, before the call */
    uint64_t before_hash[MODEL_MAX_PARAMS]; /* INOUT: of what it points to, before the call */
    char text[4096]; /* INOUT_STRING: what it was before the call, of the one that a call has */
    uint64_t text_size;
};

void __recut_env_args(struct env_args *args, const struct env_frame *frame,
                      const struct model_table *table, const struct model_function *model);

/* Numbers that parameters point to, as they are before the call. */
void __recut_env_args_before(struct env_args *args);
/* The same for arguments that may point nowhere: what cannot be read is left out. */
void __recut_env_args_before_carefully(struct env_args *args);

/* How many bytes (or elements) parameter `i` has. `result` counts only for
 * what was written. */
uint64_t __recut_env_length(const struct env_args *args, unsigned i, int64_t result);

/* Size of the string that parameter `i` points to, without its end; `at` is that
 * pointer, which is not NULL. */
uint64_t __recut_env_string(const struct env_args *args, unsigned i);

/* Takes what is not there for NULL. */
void __recut_env_args_readable(struct env_args *args);

/* Did the call fail, so that nothing was written? */
bool __recut_env_failed(const struct env_args *args, int64_t result);

/* What a parameter that is read is worth in the log: 32 bits of a hash; 0 if it is not there. */
uint32_t __recut_env_input_hash(const struct env_args *args, unsigned i);
/* The same of one that is there. */
uint32_t __recut_env_hash(const struct env_args *args, unsigned i);

#endif
