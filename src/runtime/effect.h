/*
 * Effects that a model cannot say, because they follow from a value of the
 * call: which memory ioctl() writes depends on the request, recvmsg() fills
 * buffers that its header points to.
 *
 * Such a call goes the way of its model (env_record.c) for all else.  A plan is
 * made before it: the memory that it may write, piece by piece.  Afterwards the
 * plan is cut down to what it did write, and each piece goes into the log with
 * its address, which is the same in the replay.  So a replay needs no plan.
 *
 * A call that nobody can make a plan for ends the recording, by name and number, unless
 * it fails: asking a descriptor for what it is not is common.
 */
#ifndef RECUT_RUNTIME_EFFECT_H
#define RECUT_RUNTIME_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/model.h"
#include "runtime/process_invite.h"

enum { effect_most = 256 };

struct effect_plan {
    const uint64_t *argument; /* seven, as they came */
    uint64_t shifted[7];      /* of a system call: those behind its number */
    const char *refused;      /* why the call cannot be recorded, or NULL ... */
    bool is_tried;            /* ... unless it fails, and writes nothing */
    unsigned count;
    struct effect_area {
        void *at;
        size_t size;
    } areas[effect_most];
};

/* Memory at `at` that the call may write; NULL and nothing are left out. */
void __recut_effect_add(struct effect_plan *plan, uint64_t at, size_t size);
/* Refuses `what` number `number`, if the call does not fail. */
void __recut_effect_refuse(struct effect_plan *plan, const char *what, uint64_t number);

/* Might a number be a pointer to memory of the program? */
static inline bool effect_is_pointer(uint64_t value) {
    return value >= 0x10000 && value < 0x800000000000ULL;
}

struct effect {
    const char *name;
    void (*plan)(struct effect_plan *plan); /* NULL: nothing is written */
    /* After a call that succeeded; NULL: it is as planned. */
    void (*cut)(struct effect_plan *plan, int64_t result);
    /* NULL, or what the call does to descriptors. */
    enum model_descriptor (*descriptor)(const uint64_t *argument, int *ret_first);
    /* NULL, or shows what the call printed (replay). */
    void (*echo)(const uint64_t *argument, int64_t result);
    /* 0, or the argument, from 1 on, that has the signals which are blocked during the call. */
    unsigned mask;
    /* NULL, or the function whose model says what this call does, if one does: its arguments are
     * those behind the first. */
    const struct model_function *(*model)(const uint64_t *argument);
    /* NULL, or changes what the call gets, not what the log says of it (record). */
    struct invitation (*invite)(struct env_frame *frame);
};

const struct effect *__recut_effect_find(const char *name);

/* effect_request.c */
void __recut_plan_ioctl(struct effect_plan *plan);
void __recut_cut_ioctl(struct effect_plan *plan, int64_t result);
void __recut_plan_fcntl(struct effect_plan *plan);
enum model_descriptor __recut_descriptor_fcntl(const uint64_t *argument, int *ret_first);
void __recut_plan_prctl(struct effect_plan *plan);
void __recut_plan_semctl(struct effect_plan *plan);
void __recut_plan_shmctl(struct effect_plan *plan);
void __recut_plan_msgctl(struct effect_plan *plan);
void __recut_plan_mincore(struct effect_plan *plan);
void __recut_plan_select(struct effect_plan *plan);
/* effect_syscall.c */
void __recut_plan_syscall(struct effect_plan *plan);
void __recut_cut_syscall(struct effect_plan *plan, int64_t result);
enum model_descriptor __recut_descriptor_syscall(const uint64_t *argument, int *ret_first);
void __recut_echo_syscall(const uint64_t *argument, int64_t result);
const struct model_function *__recut_model_syscall(const uint64_t *argument);
/* effect_message.c */
void __recut_plan_recvmsg(struct effect_plan *plan);
void __recut_cut_recvmsg(struct effect_plan *plan, int64_t result);
void __recut_plan_recvmmsg(struct effect_plan *plan);
void __recut_cut_recvmmsg(struct effect_plan *plan, int64_t result);

#endif
