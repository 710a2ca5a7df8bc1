/*
 * The boundary between the program and its environment, while a run is
 * recorded or replayed.
 *
 * A program runs in one of three modes, decided before its first constructor:
 *
 *   off      stubs lead to the real functions; nothing of this is used
 *   record   calls are made and logged
 *   replay   calls are answered from the log
 *
 * Calls arrive in one of two ways.  Most come through __recut_env_enter with
 * all their registers in a frame and are handled by way of their model
 * (env_record.c, env_replay.c).  The others, whose effects a model cannot say
 * or which are too frequent for that, have functions of their own
 * (specials.def); those begin with SPECIAL_BEGIN.
 *
 * Rules for all code on this side: no libc function that the environment could
 * see (no malloc, no stdio), errno as the real function left it, and whatever
 * goes wrong in a recording, the program runs on without it.
 */
#ifndef RECUT_RUNTIME_ENV_H
#define RECUT_RUNTIME_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/environment.h"
#include "format/log.h"
#include "format/model.h"

enum env_mode { ENV_OFF, ENV_RECORD, ENV_REPLAY };
extern enum env_mode __recut_env_mode;

/* As env_enter.S fills it in. */
struct env_frame {
    uint64_t integers[6];
    uint64_t vector_count;
    uint64_t reserved;
    uint64_t vectors[8][2];
    uint64_t rax, rdx, xmm0[2], xmm1[2];
    uint64_t st0[2];
    uint64_t index; /* of the function */
    uint64_t return_address;
    const uint64_t *stack; /* arguments on the stack */
    uint64_t x87;          /* the result is in st0 */
} __attribute__((aligned(16)));
_Static_assert(sizeof(struct env_frame) == 288, "env_enter.S knows the layout");

void __recut_env_call(struct env_frame *frame);
void __recut_env_invoke(struct env_frame *frame, void *function, size_t stack_bytes);

/* From the executable (canonical/environment.c). */
extern void *__recut_env_slots[];
extern const struct env_entry __recut_env_entries[];
extern const uint64_t __recut_env_count;
extern char __recut_env_stubs[];

extern char _end[]; /* of the executable */

/* Does a call come from the program?  A library that got the address of a stub may
 * call it as well: that is none of our business. */
static inline bool env_is_from_program(uint64_t return_address) {
    return return_address < (uint64_t)_end;
}

/* Chooses the mode. */
void __recut_env_init(char **argv, char **envp);
/* Variables that the environment set: the same in both runs from here on. After
 * libc's beginning, before the first constructor of the program. */
void __recut_env_start(void);

/* The recording ends here, for a reason that is told: slots lead to the real
 * functions again and the program runs on. */
void __recut_env_stop(const char *function, const char *reason);
/* The same in a child process, which is not recorded: the log is the parent's. */
void __recut_env_leave(void);

/* The program is about to make its first thread: from now on calls are made in
 * sections (section.h). */
void __recut_env_threads(void);
/* The program has handlers for signals: from here on every call comes by (async.h). */
void __recut_env_catch(void);

/* The stream of a thread that was made; false if there is none. */
struct env_thread;
bool __recut_env_open_stream(struct env_thread *thread, uint32_t number);

/* From here on calls of a function lead elsewhere, if the program uses it. */
void __recut_env_replace(const char *name, void *function);
/* Where the slot of a function that the program uses leads if it is looked at by way
 * of its model. */
void *__recut_env_generic(const char *name);

/* The program's locale changed: functions of class `locale` are libc's own again
 * where they do what they do in "C", and logged where not. */
void __recut_env_locale(bool (*is_same)(const char *name));

/* The model of function `index` of the executable, NULL if it has none. */
const struct model_function *__recut_env_model(uint64_t index);
const struct model_table *__recut_env_models(void);
/* What is known of its calls when the program is linked. */
const struct env_entry *__recut_env_entry(uint64_t index);
/* Effects that its model cannot say (effect.h), or NULL; and the arguments that
 * they are found by. */
const struct effect *__recut_env_effect(uint64_t index);
static inline void __recut_env_effect_arguments(const struct env_frame *frame, uint64_t ret[7]) {
    for (unsigned i = 0; i < 6; i++)
        ret[i] = frame->integers[i];
    ret[6] = frame->stack[0];
}
/* Index of a function by its name, and back.  Functions with code of their own
 * in the runtime have indexes from SPECIAL_BASE on (special.h). ENV_NONE: the
 * program does not use it. */
#define ENV_NONE UINT64_MAX
uint64_t __recut_env_index(const char *name, size_t length);
const char *__recut_env_name(uint64_t index);
/* The function itself, whatever its slot says now. */
void *__recut_env_real(uint64_t index);
/* The same by its name; NULL if the program does not use it. */
void *__recut_env_find(const char *name);

/* Replay: what is answered is kept (answers.h). */
void __recut_env_keep(void);
/* Test: calls of this function come here. */
void __recut_env_intercept(const char *name);

#endif
