/*
 * What the environment answered, for tests: in a replay that is captured, each call from the first
 * wanted frame on goes to the capture (format/capture.h), with what it wrote; a test gets the same
 * answers to the same calls, whatever became of files and clocks since.
 *
 * A program that was changed may make other calls.  The next answer of the same function is taken,
 * if it is not too far ahead.  A call without an answer is the end of the test, which passes: the
 * run that failed never came to it.  None is ever made, but what writes to stdout and stderr.
 */
#ifndef RECUT_RUNTIME_ANSWERS_H
#define RECUT_RUNTIME_ANSWERS_H

#include "runtime/capture.h"
#include "runtime/env.h"

/* Replay: calls of this thread are kept from now on. */
extern bool __recut_answers_kept;
void __recut_answers_keep(struct capture_writer *writer);

/* A wanted frame begins: its test may begin here. */
void __recut_answers_frame(void);
/* The program read this, of a library's memory or behind one; it is about to write to a library's.
 */
void __recut_answer_loaded(const void *address, const void *bytes, size_t size);
void __recut_answer_stored(const void *address, size_t size);

/* A library calls this function of the program; false if that is not kept.  Such a call is over. */
bool __recut_answer_enters(uint64_t function, const uint64_t integers[CAPTURE_INTEGERS],
                           unsigned count, const uint64_t floats[CAPTURE_FLOATS]);
void __recut_answer_leaves(void);

/* Is it one that a test answers?  Others are made: what only works on memory of the program, or
 * gives it memory. */
bool __recut_answer_is_kept(uint64_t index);
/* Around such a call. */
void __recut_answer_before(const struct env_frame *frame);
/* It wrote there, as one that works behind pointers does that it is given. */
void __recut_answer_writes(void *at, size_t size);
/* It changed a variable of a library, which is in the executable. */
void __recut_answer_imports(const void *at, size_t size);
/* The program died in it. */
void __recut_answer_crashed(void);
/* A call that a test is to make, too, such as one that sends a signal to the process itself. */
void __recut_answer_made(const char *name);
/* One that has no outputs, and did not come by a stub that asks. */
void __recut_answer_was(const char *name, int64_t result, int error);
void __recut_answer_after(uint64_t rax, uint64_t rdx, const uint64_t xmm0[2]);

/* Does it read a line into a block of the program's heap? */
bool __recut_answer_reads_line(const char *name);

/* Test: answers of a file, from this one on. */
extern bool __recut_answers_given;
void __recut_answers_open(const char *path, uint64_t first);
/* Did the failed run have memory of libraries there?  Other pointers are wild. */
bool __recut_answers_is_foreign(const void *address);
/* A fault of a test.  Where libraries had memory that the failed run did not read, it ends; true if
 * it is there now. */
bool __recut_answers_fault(const void *address);
/* A variable of a library, as a record of kind CAPTURE_IMPORT has it. */
void __recut_answers_import(const char *payload, size_t size);
/* Functions of the program that libraries call, by their numbers. */
void __recut_answers_called(void *const *functions);
/* True if there was one for this call; false if it is to be made. */
bool __recut_answer(struct env_frame *frame);

/* Is the program the one that failed, and not built again? */
bool __recut_answers_same_build(void);

#endif
