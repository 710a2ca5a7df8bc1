/*
 * A cut: which functions of a program are executed again in a replay, and what is logged so that
 * they see what they saw.
 *
 *     struct cut cut;
 *     struct error *err = cut_read("mod_deflate.cut", program, &cut);
 *     if (bitset_has(&cut.replay, function))
 *         ... it is executed again
 *     cut_deinit(&cut);
 *
 * `recut cut` computes one (cut/graph.h says how, and why it is right) and keeps it in a text file;
 * `recut record --cut` instruments what it names.
 *
 * Functions of the program are in REPLAY SPACE, or they are ENVIRONMENT, as libraries are.  Memory
 * has a side, too, cell by cell: what is VALID holds the same bytes in a replay, whenever replay
 * space looks, as in the recording; what is not valid holds anything, and nobody may rely on it.
 * The sides of memory are in no file: three sets of instructions say all that follows from them.
 *
 * What a recorder has to do:
 *
 *   call from environment into replay space: an event with function, arguments and errno
 *       direct, by pointer, as a callback, as a thread's start, as a handler of a signal
 *
 *   return of environment to replay space: an event with result and errno
 *       of a function of the program that is environment, and of a nondeterministic external
 *
 *   `logged` instruction in replay space: its inputs are not valid, so it is fed
 *       load, atomic: with the value that was read; an atomic writes all the same, if it can
 *       memory intrinsic, call of a deterministic external: it is not executed in the replay; its
 *       result, and what it wrote, are logged, as if it were nondeterministic
 *
 *   `logged` instruction in environment: it writes what is valid, so address and bytes are logged
 *       store, atomic, memory intrinsic: what was written
 *       call of an external: all that its model says it writes; of malloc(), calloc() and
 *       realloc(): that the block is there, and it begins with the same bytes in both runs
 *
 *   `unread` call in replay space: nondeterministic, or `logged`
 *       result and errno are logged as ever; what it writes through its arguments is not, since
 *       nobody in replay space reads it
 *
 *   `blind` call in replay space: nondeterministic, and what it reads may not be valid
 *       a replay can neither compare it with the recording, nor echo it, nor execute the call in a
 *       way of its own
 *
 *   `checked` instruction in replay space: it reads what is valid, or memory that the environment
 *       owns, and the address tells which, in both runs
 *       load, memory intrinsic: `logged` if it is the environment's
 *       call of a deterministic external: the same, if any of its pointers is
 *
 * Externals are what their models say: `deterministic` and `locale` are deterministic, and so is
 * qsort(); `native` is executed in replay space as it is in a recording, on inputs that are valid
 * in every cut; the rest is nondeterministic, `special` included but for what graph_call.c names;
 * so is what has no model, and that is never unread.
 *
 * Everything else in replay space is executed as it is, and nothing else is logged in environment.
 * Events keep their order, that of writes and calls included.
 *
 * What is not in the sets, since it is the same for every cut:
 *
 *   stores      to memory that the environment owns need not be left out: it is made in a replay.
 *   errno       Goes along with every event that enters replay space, and is valid there.
 *   heap        Each side has its own pool.  free() and realloc() by one side of what is the
 *               other's: in environment, of a block of replay space, it is an event; in replay
 *               space, of a block of environment, nothing is left to do in the replay.
 *   stores      of replay space to memory that is not valid may be made or left out: blocks and
 *               frames of environment need not be there in a replay.  The same holds for copies
 *               that are not `logged` although what they read is not valid.
 *   beginnings  What a frame, or a block of replay space, holds before anything is written to it:
 *               the runtime must see to it that this is the same in both runs.
 *   order       of threads: what crosses has one, and so have, in replay space, atomic operations
 *               and volatile accesses.
 *
 * What every cut keeps together, since a recorder could not separate it (graph_bound.c):
 *
 *   - a variadic function in replay space is called, by the program, from replay space alone; so
 *     is one that gets a struct by value
 *   - a va_list is worked on by one side alone, with the function that it belongs to; but what is
 *     logged through a pointer that may point anywhere can turn out to be one: a recorder that
 *     logs an address on the machine stack has to stop and say so
 *   - functions between setjmp() and longjmp() are on one side, those two included
 *   - functions that are not canonical, and all that may write into their frames on the machine
 *     stack, are environment
 */
#ifndef RECUT_CUT_CUT_H
#define RECUT_CUT_CUT_H

#include "base/bitset.h"
#include "base/error.h"
#include "program/program.h"

enum cut_strategy {
    CUT_MINCUT, /* least log, by the weights */
    CUT_EAGER, /* whatever calls something nondeterministic is environment, unless it is a target */
    CUT_TIGHT, /* the targets alone are replay space */
    CUT_STRATEGY_COUNT
};

struct cut {
    uint8_t build_id[BUILD_ID_SIZE]; /* of the program */
    enum cut_strategy strategy;
    char *target;          /* as the user said it */
    struct bitset replay;  /* functions in replay space; all are defined */
    struct bitset logged;  /* instructions */
    struct bitset unread;  /* instructions, all of them calls in functions in replay space */
    struct bitset blind;   /* the same */
    struct bitset checked; /* instructions in replay space: the address tells, each time */
};

const char *cut_strategy_name(enum cut_strategy strategy);

/* Writes a new file or replaces an old one. */
struct error *cut_write(const struct cut *cut, const struct program *program, const char *path);
/* A file that is damaged, or belongs to another program or another build of it, is ERROR_INPUT. */
struct error *cut_read(const char *path, const struct program *program, struct cut *ret);
/* The same of text that need not end with NUL; `name` is for messages. */
struct error *cut_parse(const char *text, size_t size, const char *name,
                        const struct program *program, struct cut *ret);
void cut_deinit(struct cut *cut);

#endif
