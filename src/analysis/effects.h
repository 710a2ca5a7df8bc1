/*
 * What each instruction reads and writes in memory, and in the environment.
 *
 *     struct effects *effects = effects_build(pta);
 *     struct effect_list list = effects_of(effects, instruction);
 *     for (uint32_t i = 0; i < list.count; i++)
 *         use(cells_of(effects_cells(effects), list.effects[i].region));
 *
 * Calls of functions outside the program have the effects that their models say.
 * One without a model reads and writes all that it can reach.  What a called
 * function of the program does is not in the list of its call.
 *
 * An access through a parameter, `p->next` or `p[i]`, has the parameter as its root:
 * what it goes to in one call is what that call passes, not what all calls do.
 */
#ifndef RECUT_ANALYSIS_EFFECTS_H
#define RECUT_ANALYSIS_EFFECTS_H

#include "analysis/cells.h"

enum {
    ROOT_LOW = -4096, /* bytes around a parameter's target that are told apart */
    ROOT_HIGH = 4096,
};

/* A pointer that is a parameter, moved by a known distance or not. */
struct root {
    uint32_t argument; /* number; NO_ID: it is none */
    bool is_moved;     /* by a distance that is not known */
    int32_t offset;
    int32_t extent; /* or by up to so many bytes more: an element of an array in a struct */
};

struct memory_effect {
    uint32_t region; /* of effects_cells(); never NO_ID */
    bool writes;     /* else it reads */
    bool is_exact;   /* all of the region's cells are overwritten, each time; if the place is
                        rooted: all of that part */
    struct root root;
    uint32_t size;    /* bytes at the root; 0 if not known */
    value_id address; /* of the first of them; NO_ID if it is not one value's */
};

struct effect_list {
    const struct memory_effect *effects;
    uint32_t count;
};

struct effects;

/* `pta` must outlive it. */
struct effects *effects_build(const struct pta *pta);
/* The same for those who ask for roots, addresses and callees alone: regions have no cells, which
 * are most of the work, and nothing is known to be exact. */
struct effects *effects_build_uncut(const struct pta *pta);
void effects_free(struct effects *effects);

struct effect_list effects_of(const struct effects *effects, instruction_id instruction);
struct cells *effects_cells(const struct effects *effects);
/* The region that is errno; NO_ID if the program does not ask for it. */
uint32_t effects_errno(const struct effects *effects);
const struct pta *effects_pta(const struct effects *effects);

/* The parameter of its function that a value is, or is moved from. */
struct root effects_root(const struct effects *effects, value_id value);
/* Functions of the program that a call may run: those that it enters, and those that
 * an external function calls back.  The list is the analysis's. */
const function_id *effects_callees(const struct effects *effects, instruction_id call,
                                   uint32_t *ret_count);
/* Functions without a model may call whatever function of the program has got to them, by an
 * argument, in memory, or by name, now or in a later call: all such functions are callees of all
 * such calls.  If that is too many, they are not, and run at any time: effects_is_entered_later()
 * of them, because of calls for which effects_may_enter() is so. */
bool effects_is_entered_later(const struct effects *effects, function_id function);
bool effects_may_enter(const struct effects *effects, instruction_id call);
/* The same, and where threads begin that the call may wait for: all whose doing shows in memory
 * when the call returns.  What pthread_create() begins is done when pthread_join() returns. */
const function_id *effects_shown(const struct effects *effects, instruction_id call,
                                 uint32_t *ret_count);
/* Does the call enter functions of the program alone, and each with these operands
 * as its parameters? */
bool effects_is_direct(const struct effects *effects, instruction_id call);

/* Functions that say what may be done to memory, or what is kept of it; NULL-terminated. */
extern const char *const effects_protections[];

#endif
