/*
 * Messages to stderr that functions of libc make up by themselves.
 *
 * The text is made in both runs by the same code and goes to stderr as by a call
 * of fputs() from where the program called; so nothing is in the log but what
 * the stream itself needs (stream.h), or the text if a locale has a say in it.
 */
#ifndef RECUT_RUNTIME_MESSAGE_H
#define RECUT_RUNTIME_MESSAGE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct message {
    char small[1024], *bytes;
    size_t length, capacity;
    bool is_logged;
};

void __recut_message_begin(struct message *message);
void __recut_message_add(struct message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void __recut_message_list(struct message *message, const char *format, va_list args);
/* The text of an error number, as in the program's locale. */
void __recut_message_error(struct message *message, int number);
/* Writes it; `name` is a part of it that is the same in both runs. errno stays. */
void __recut_message_end(struct message *message, uint64_t from, const char *name);

#endif
