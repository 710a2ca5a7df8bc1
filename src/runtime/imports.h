/*
 * Variables of libraries that lie in the executable, because the program uses
 * them (stdout, environ, optarg, tzname).
 *
 * They begin with what the environment put there, and any call may change them:
 * the log holds their first values in an event of its own, and after that an
 * output of the call that changed one.  tzname is a pair of pointers into libc's
 * memory; the program gets copies, and so does a replay.
 *
 *     __recut_imports_before();
 *     ... the call is made ...
 *     unsigned outputs = __recut_imports_changed(&bound);
 *     ... p = __recut_imports_put(p);
 */
#ifndef RECUT_RUNTIME_IMPORTS_H
#define RECUT_RUNTIME_IMPORTS_H

#include "runtime/log_read.h"
#include "runtime/log_write.h"

/* The first values, into the log or from there. */
void __recut_imports_record(struct log_writer *log);
void __recut_imports_replay(struct log_reader *log);

/* Record. The number of outputs, and how many bytes they need more. */
void __recut_imports_before(void);
unsigned __recut_imports_changed(size_t *bound);
unsigned char *__recut_imports_put(unsigned char *p);

/* Replay: takes such an output; false if it is none, or damaged. */
bool __recut_imports_take(uint64_t tag, const unsigned char *bytes, size_t size);

#endif
