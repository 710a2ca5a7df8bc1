/*
 * Writing what a failed run leaves (format/capture.h): no memory is allocated, and nothing of libc
 * is used that could depend on what the program did to it.
 */
#ifndef RECUT_RUNTIME_CAPTURE_H
#define RECUT_RUNTIME_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "format/capture.h"

struct capture_writer {
    int fd;
    bool is_broken; /* a write failed: nothing more is written */
};

void __recut_capture_write(struct capture_writer *writer, enum capture_kind kind, const void *head,
                           size_t head_size, const void *bytes, size_t size);
/* Nothing was written. */
void __recut_capture_withdraw(struct capture_writer *writer);
/* What libc keeps for the program. */
void __recut_capture_process(struct capture_writer *writer);
/* A failure that is no crash. */
void __recut_capture_failure(struct capture_writer *writer, const char *why);
/* The crash, and the machine stack of this thread. */
void __recut_capture_crash(struct capture_writer *writer, const struct crash_event *event);
/* Where functions have their records on that stack, if a variant keeps any. */
void __recut_capture_shadow(struct capture_writer *writer);
/* All memory of the program. */
void __recut_capture_memory(struct capture_writer *writer);
/* The heap that libraries have their objects in, if the program uses any but libc's. */
void __recut_capture_libraries(struct capture_writer *writer);
/* The machine stack from here on, as far as lists of arguments are that lead there. */
void __recut_capture_machine(struct capture_writer *writer, uint64_t from);

#endif
