/*
 * Errors as values.
 *
 * A fallible function returns `struct error *`; NULL is success.  Its out
 * parameters come last and are untouched on failure.  Library code never
 * prints: only src/cmd and src/cc turn an error into a line and an exit code.
 *
 *     struct error *err = program_open(path, &program);
 *     if (err)
 *         return error_in(err, "cannot slice %s", path);
 *
 * Out of memory ends the tool (base/mem.h).  Our own mistakes are BUG().
 */
#ifndef RECUT_BASE_ERROR_H
#define RECUT_BASE_ERROR_H

/* The code is also the exit code of the tool. */
enum error_code {
    ERROR_FAILED = 1, /* what was asked for could not be done */
    ERROR_USAGE = 2,  /* the command line makes no sense */
    ERROR_INPUT = 65, /* a file is damaged, foreign, or not what it claims */
    ERROR_BUG = 70,   /* recut is wrong */
};

struct error {
    enum error_code code;
    char *message;
};

struct error *error_new(enum error_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void error_free(struct error *err);

/* "WHAT: why", why being strerror(errno) at the time of the call. */
struct error *error_errno(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Puts "CONTEXT: " in front of the message; keeps the code. */
struct error *error_in(struct error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

_Noreturn void bug_at(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
#define BUG_IF(condition)                                                                          \
    do {                                                                                           \
        if (__builtin_expect(!!(condition), 0))                                                    \
            BUG("%s", #condition);                                                                 \
    } while (0)

/* Frees an error that leaves scope unreturned. */
static inline void error_cleanup(struct error **err) { error_free(*err); }
#define CLEANUP_ERROR __attribute__((cleanup(error_cleanup)))

#endif
