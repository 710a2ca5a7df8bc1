/*
 * Calls that arrive in a frame: recorded (env_record.c) and replayed
 * (env_replay.c), by way of their model or without one.
 */
#ifndef RECUT_RUNTIME_ENV_RECORD_H
#define RECUT_RUNTIME_ENV_RECORD_H

#include "runtime/effect.h"
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
/* What a call writes that its model cannot say (effect.h): before it, false if it cannot be
 * recorded, and after it; and of a call that does what another function does, NULL if it does not.
 */
bool __recut_env_make_plan(const struct effect *effect, const uint64_t *argument,
                           struct effect_plan *plan);
void __recut_env_cut_plan(const struct effect *effect, struct effect_plan *plan, int64_t result);
struct env_args *__recut_env_other_args(const struct effect *effect, const uint64_t *argument,
                                        const struct model_table *table);
void __recut_env_add_other(struct effect_plan *plan, struct env_args *args, int64_t result);
/* The result as a number, by its type. */
int64_t __recut_env_result(const struct model_function *model, const struct env_frame *frame);
/* The program's copy of an object that was returned, from its packed form. */
void *__recut_env_object(const struct env_args *args, struct log_reader *from, uint64_t index);

#endif
