/*
 * How a program leaves its own code: the table of environment functions that
 * recut-cc puts into an executable and the runtime works on.
 *
 * Every function that the program uses and does not define has a stub of 16
 * bytes, a slot and an entry, by one index:
 *
 *   stub:   jmp *slot(%rip)          6 bytes   what the program calls
 *           push $index              5 bytes   the second entry
 *           jmp __recut_env_enter    5 bytes
 *
 * A slot holds the address of the real function when the program starts, so
 * that a call costs what it costs through a PLT.  A recorded or replayed run
 * changes slots: to the stub's second entry, where the call is looked at by
 * way of its model, or to a function of the runtime's.
 *
 * The code generator may call functions by itself (memcpy for a struct, sqrt);
 * those have no stub.
 */
#ifndef RECUT_FORMAT_ENVIRONMENT_H
#define RECUT_FORMAT_ENVIRONMENT_H

#include <stdint.h>

#define ENV_STUB_SIZE 16
#define ENV_SECOND_ENTRY 6

enum env_flags {
    ENV_RETURNS_X87 = 1, /* long double */
    ENV_WEAK = 2,        /* may be absent: the slot is NULL then */
};

struct env_entry {
    const char *name;
    uint32_t stack_bytes; /* most of what a call passes on the stack */
    uint32_t flags;
};

#endif
