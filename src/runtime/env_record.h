/*
 * Calls that arrive in a frame: recorded (env_record.c) and replayed
 * (env_replay.c), by way of their model or without one.
 */
#ifndef RECUT_RUNTIME_ENV_RECORD_H
#define RECUT_RUNTIME_ENV_RECORD_H

#include "runtime/env_args.h"
#include "runtime/log_read.h"

void __recut_record_modelled(struct env_frame *frame, const struct model_table *table,
                             const struct model_function *model);
void __recut_record_unmodelled(struct env_frame *frame);
void __recut_replay_modelled(struct env_frame *frame, const struct model_table *table,
                             const struct model_function *model);
void __recut_replay_unmodelled(struct env_frame *frame);

/* How many bytes a call wrote to what parameter `i` points to. */
uint64_t __recut_env_output_size(const struct env_args *args, unsigned i, int64_t result);
/* The result as a number, by its type. */
int64_t __recut_env_result(const struct model_function *model, const struct env_frame *frame);
/* The program's copy of an object that was returned, from its packed form. */
void *__recut_env_object(const struct env_args *args, struct log_reader *from, uint64_t index);

#endif
