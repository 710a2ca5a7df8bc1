/*
 * Stacks at fixed addresses: the data stack of each thread, and the machine
 * stack of main.
 */
#ifndef RECUT_RUNTIME_STACK_H
#define RECUT_RUNTIME_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* Frames without the code generator's sharing of slots are larger than what
 * they replace; address space is cheap. */
#define STACK_DATA_FACTOR 4

struct stack_range {
    char *low, *high;
};

/* The soft limit of the stack, as a size for main's stacks. */
uint64_t __recut_stack_limit(void);

/* Maps main's data stack, halving the size until it fits. */
bool __recut_stack_main(uint64_t size, struct stack_range *ret);
bool __recut_stack_main_machine(uint64_t size, struct stack_range *ret);
bool __recut_stack_test_machine(uint64_t size, struct stack_range *ret);

/* The data stack of a thread slot above 0; keeps a mapping that is there and
 * large enough. */
bool __recut_stack_thread(uint32_t slot, uint64_t size, struct stack_range *ret);
/* Gives the memory of a thread that ended back; the addresses stay mapped. */
void __recut_stack_thread_done(const struct stack_range *range);

#endif
