/*
 * Words that libc makes of a pattern: glob() and wordexp().
 *
 * Both give a vector of strings in a structure of the program, perhaps behind
 * entries that are kept free and behind the words of earlier calls.  libc makes
 * the words of this call alone; they are the event.  Joining them with what is
 * there is done here in both modes: the vector and each word are blocks of the
 * pool, as they are blocks of libc's heap otherwise.
 *
 * The function that glob() calls for directories that it cannot read is told the
 * path as a part of the call (special_data.h).  GLOB_ALTDIRFUNC, which makes
 * glob() walk directories that the program invents, ends the recording.
 */
#include <glob.h>
#include <stdlib.h>
#include <wordexp.h>

#include "runtime/env_callback.h"
#include "runtime/owned.h"
#include "runtime/special_data.h"

/* --- words -------------------------------------------------------------------------- */

/* The program's vector, as both structures have it. */
struct words {
    size_t count, offset;
    char **vector;
};

/* Words that a call made: libc's vector, or in replay the log's, where they
 * stand one after the other, each with its NUL. */
struct found {
    int result, flags;
    size_t count;
    char **vector;
    const char *text;
};

static size_t found_size(const struct found *found) {
    size_t size = 0;
    for (size_t i = 0; i < found->count; i++)
        size += strlen(found->vector[i]) + 1;
    return size + 1;
}

static unsigned char *put_found(unsigned char *p, const struct found *found) {
    for (size_t i = 0; i < found->count; i++)
        p = put_raw(p, found->vector[i], strlen(found->vector[i]) + 1);
    *p = '\0';
    return p + 1;
}

static void free_found(const struct found *found) {
    for (size_t i = 0; i < found->count; i++)
        foreign_free(found->vector[i]);
    foreign_free(found->vector);
}

/* Adds the words to those of the program. */
static bool add(struct words *words, const struct found *found) {
    char **vector = owned_realloc(words->vector, (words->offset + words->count + found->count + 1) *
                                                     sizeof *vector);
    if (!vector)
        return false;
    if (!words->vector)
        memset(vector, 0, words->offset * sizeof *vector);
    words->vector = vector;
    const char *next = found->text;
    for (size_t i = 0; i < found->count; i++) {
        const char *from = found->vector ? found->vector[i] : next;
        size_t size = strlen(from) + 1;
        char *word = owned_malloc(size);
        if (!word)
            return false;
        vector[words->offset + words->count++] = memcpy(word, from, size);
        next += size;
    }
    vector[words->offset + words->count] = NULL;
    return true;
}

static void release(struct words *words) {
    for (size_t i = 0; words->vector && i < words->count; i++)
        owned_free(words->vector[words->offset + i]);
    owned_free(words->vector);
    words->vector = NULL;
    words->count = 0;
}

/* --- glob --------------------------------------------------------------------------- */

typedef int error_function(const char *, int);

struct globbing {
    enum special special;
    uint64_t from;
    const char *pattern;
    int flags;
    error_function *error;
    glob_t *result;
    struct env_outside outside;
};
static struct globbing *globbing;

static int tell_error(const struct globbing *call, const void *path, size_t size, int number) {
    char *copy = owned_malloc(size);
    if (!copy)
        return -1;
    int result = call->error(memcpy(copy, path, size), number);
    owned_free(copy);
    return result;
}

static int on_error(const char *path, int number) {
    struct globbing *call = globbing;
    size_t size = strlen(path) + 1;
    __recut_env_come_back(call->outside);
    __recut_special_part(SPECIAL_glob_error, call->from, number, path, size);
    int result = tell_error(call, path, size, number);
    call->outside = __recut_env_go_out();
    globbing = call;
    return result;
}

/* The flags that libc adds to the program's, and those that joining is about. */
enum { added_flags = GLOB_MAGCHAR, joining_flags = GLOB_APPEND | GLOB_DOOFFS };

static struct found record_glob(struct globbing *call) {
    glob_t real = {0};
    struct globbing *outer = globbing;
    int old = errno;
    if (__recut_is_threaded && call->error) /* the program is called in a section */
        __recut_env_stop("glob", "errors are told to a program with threads");
    globbing = call;
    call->outside = __recut_env_go_out();
    struct found found = {.count = 0};
    found.result = ((__typeof__(&glob))__recut_special_real(call->special))(
        call->pattern, call->flags & ~joining_flags, call->error ? on_error : NULL, &real);
    __recut_env_come_back(call->outside);
    globbing = outer;
    int error = errno;
    found.flags = real.gl_flags;
    found.count = real.gl_pathc;
    found.vector = real.gl_pathv;
    size_t size = found_size(&found);
    errno = error;
    if (__recut_env_mode != ENV_RECORD)
        return found;
    unsigned char *p = __recut_special_write(
        call->special, call->from, old, 100 + __recut_special_text_bound(call->pattern) + size);
    if (!p)
        return found;
    p = __recut_special_put_text(p, call->pattern);
    p = put_svarint(p, call->flags);
    p = put_svarint(p, (intptr_t)call->error);
    p = __recut_special_result(p, found.result, old);
    p = put_varint(put_varint(p, 1), OUTPUT_OBJECT);
    p = put_varint(p, 2 * sizeof(uint64_t) + size);
    p = put_u64(put_u64(p, (uint64_t)found.flags), found.count);
    env_thread()->out.events++;
    log_end(&env_thread()->out, put_found(p, &found));
    return found;
}

static struct found replay_glob(const struct globbing *call) {
    int64_t number;
    const unsigned char *object;
    size_t size;
    while (__recut_special_take_part(SPECIAL_glob_error, call->from, &number, &object, &size))
        tell_error(call, object, size, (int)number);
    struct log_reader *log = __recut_special_read(call->special, call->from);
    __recut_special_text(log, "pattern", call->pattern);
    __recut_special_input(log, "flags", call->flags);
    __recut_special_input(log, "error", (intptr_t)call->error);
    struct found found = {.result = (int)__recut_special_take_result(log)};
    const unsigned char *bytes = __recut_special_take_object(log, &size);
    if (!bytes || size < 2 * sizeof(uint64_t) + 1 || bytes[size - 1] != '\0')
        __recut_replay_damaged(log);
    uint64_t head[2];
    memcpy(head, bytes, sizeof head);
    found.flags = (int)head[0];
    found.count = head[1];
    found.text = (const char *)bytes + sizeof head;
    return found;
}

static int do_glob(struct globbing *call) {
    glob_t *result = call->result;
    if (call->flags & GLOB_ALTDIRFUNC) {
        __recut_env_stop("glob", "directories that the program invents (GLOB_ALTDIRFUNC)");
        return ((__typeof__(&glob))__recut_special_real(call->special))(call->pattern, call->flags,
                                                                        call->error, result);
    }
    bool replays = __recut_env_mode == ENV_REPLAY;
    struct found found = replays ? replay_glob(call) : record_glob(call);
    int error = errno;
    struct words words = {0, call->flags & GLOB_DOOFFS ? result->gl_offs : 0, NULL};
    if (call->flags & GLOB_APPEND) {
        words.count = result->gl_pathc;
        words.vector = result->gl_pathv;
    }
    bool fits = (found.count == 0 && (words.vector || !words.offset)) || add(&words, &found);
    result->gl_pathc = words.count;
    result->gl_pathv = words.vector;
    if (!(call->flags & GLOB_DOOFFS))
        result->gl_offs = 0;
    if (found.result == 0)
        result->gl_flags = call->flags | (found.flags & added_flags);
    if (replays)
        __recut_special_done(&env_thread()->in);
    else {
        free_found(&found);
        __recut_env_note(&env_thread()->out);
    }
    errno = error;
    return fits ? found.result : GLOB_NOSPACE;
}

#define GLOB(name)                                                                                 \
    int __recut_special_##name(const char *, int, error_function *, glob_t *);                     \
    int __recut_special_##name(const char *pattern, int flags, error_function *error,              \
                               glob_t *result) {                                                   \
        return do_glob(&(struct globbing){.special = SPECIAL_##name,                               \
                                          .from = HERE,                                            \
                                          .pattern = pattern,                                      \
                                          .flags = flags,                                          \
                                          .error = error,                                          \
                                          .result = result});                                      \
    }
GLOB(glob)
GLOB(glob64)

#define GLOBFREE(name)                                                                             \
    void __recut_special_##name(glob_t *);                                                         \
    void __recut_special_##name(glob_t *result) {                                                  \
        struct words words = {result->gl_pathc,                                                    \
                              result->gl_flags & GLOB_DOOFFS ? result->gl_offs : 0,                \
                              result->gl_pathv};                                                   \
        release(&words);                                                                           \
        result->gl_pathc = 0;                                                                      \
        result->gl_pathv = NULL;                                                                   \
    }
GLOBFREE(globfree)
GLOBFREE(globfree64)

/* --- wordexp ------------------------------------------------------------------------ */

struct expansion {
    uint64_t from;
    const char *text;
    int flags;
};

static int record_words(const struct expansion *call, struct found *ret) {
    wordexp_t real = {0};
    int old = errno;
    int result =
        REAL(wordexp)(call->text, &real, call->flags & ~(WRDE_APPEND | WRDE_DOOFFS | WRDE_REUSE));
    int error = errno;
    bool made = result == 0 || result == WRDE_NOSPACE;
    ret->count = made ? real.we_wordc : 0;
    ret->vector = made ? real.we_wordv : NULL;
    size_t size = found_size(ret);
    errno = error;
    unsigned char *p = __recut_special_write(SPECIAL_wordexp, call->from, old,
                                             100 + __recut_special_text_bound(call->text) + size);
    if (p) {
        p = __recut_special_put_text(p, call->text);
        p = put_svarint(p, call->flags);
        p = __recut_special_result(p, result, old);
        p = put_varint(put_varint(p, 1), OUTPUT_OBJECT);
        p = put_u64(put_varint(p, sizeof(uint64_t) + size), ret->count);
        env_thread()->out.events++;
        log_end(&env_thread()->out, put_found(p, ret));
    }
    return result;
}

static int replay_words(const struct expansion *call, struct found *ret) {
    struct log_reader *log = __recut_special_read(SPECIAL_wordexp, call->from);
    __recut_special_text(log, "words", call->text);
    __recut_special_input(log, "flags", call->flags);
    int result = (int)__recut_special_take_result(log);
    size_t size;
    const unsigned char *bytes = __recut_special_take_object(log, &size);
    if (!bytes || size < sizeof(uint64_t) + 1 || bytes[size - 1] != '\0')
        __recut_replay_damaged(log);
    uint64_t count;
    memcpy(&count, bytes, sizeof count);
    ret->count = count;
    ret->text = (const char *)bytes + sizeof count;
    return result;
}

int __recut_special_wordexp(const char *, wordexp_t *, int);
void __recut_special_wordfree(wordexp_t *);

void __recut_special_wordfree(wordexp_t *result) {
    struct words words = {result->we_wordc, result->we_offs, result->we_wordv};
    release(&words);
    result->we_wordv = NULL;
}

/* What the structure held before is changed only when the call works. */
int __recut_special_wordexp(const char *text, wordexp_t *result, int flags) {
    struct found found = {.count = 0};
    bool replays = __recut_env_mode == ENV_REPLAY;
    struct expansion call = {HERE, text, flags};
    int code = replays ? replay_words(&call, &found) : record_words(&call, &found);
    int error = errno;
    bool made = code == 0 || code == WRDE_NOSPACE;
    if (made && (flags & WRDE_REUSE))
        __recut_special_wordfree(result);
    struct words words = {0, flags & WRDE_DOOFFS ? result->we_offs : 0, NULL};
    if (flags & WRDE_APPEND) {
        words.count = result->we_wordc;
        words.vector = result->we_wordv;
    }
    if (made) {
        if (!add(&words, &found))
            code = WRDE_NOSPACE;
        result->we_wordc = words.count;
        result->we_wordv = words.vector;
        result->we_offs = words.offset;
    }
    if (replays)
        __recut_special_done(&env_thread()->in);
    else {
        free_found(&found);
        __recut_env_note(&env_thread()->out);
    }
    errno = error;
    return code;
}
