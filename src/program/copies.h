/*
 * Functions of a program, copied for some of the calls of them.
 *
 *     struct copies *copies = copies_begin(program);
 *     function_id copy = copies_add(copies, function);
 *     copies_enter(copies, call, copy);                the call enters the copy now
 *     copies_end(copies);
 *
 * The program means the same afterwards, and an analysis that knows nothing of callers tells those
 * apart that enter different copies.  What was there keeps its ids; what is new comes behind it:
 * blocks, instructions, values, memory and variables of the copy, in the order of the function's.
 * Lines, scopes, types and names are shared: code of a copy comes from the same line.
 */
#ifndef RECUT_PROGRAM_COPIES_H
#define RECUT_PROGRAM_COPIES_H

#include "program/program.h"

struct copies;

/* `program` must outlive it. */
struct copies *copies_begin(struct program *program);
/* Finds the instructions of each line anew, and frees. */
void copies_end(struct copies *copies);

/* Can the function be copied?  Not one whose places are known by address: labels. */
bool copies_can_add(const struct copies *copies, function_id function);
/* Copies a function, which may be a copy itself. */
function_id copies_add(struct copies *copies, function_id function);
void copies_enter(struct copies *copies, instruction_id call, function_id callee);
/* The call passes this function, as argument number `argument`. */
void copies_pass(struct copies *copies, instruction_id call, uint32_t argument,
                 function_id function);

/* What is in a copy for an instruction or a variable of the function that it is a copy of;
 * a variable that only others have stays what it is. */
instruction_id copies_instruction(const struct program *program, function_id copy,
                                  instruction_id original);
variable_id copies_variable(const struct program *program, function_id copy, variable_id original);

#endif
