/* How does the program read what is not its own?  See access.h. */
#include "runtime/access.h"

#include <string.h>
#include <sys/mman.h>

#include "runtime/answers.h"
#include "runtime/env_thread.h"
#include "runtime/finish.h"
#include "runtime/raw.h"
#include "runtime/shared.h"

static void out_of_memory(void) {
    __recut_say("no memory is left to replay with", NULL);
    raw_syscall3(SYS_exit_group, 1, 0, 0);
    __builtin_unreachable();
}

/* Memory for what has none in a replay.  One call may need as many of these as it has
 * arguments. */
static char *scratch(size_t size) {
    enum { places = 16 };
    static _Thread_local struct {
        char *memory;
        size_t capacity;
    } ring[places];
    static _Thread_local unsigned last;
    last = (last + 1) % places;
    if (size > ring[last].capacity) {
        size_t wanted = (size + 4095) / 4096 * 4096;
        long at = raw_syscall6(SYS_mmap, 0, (long)wanted, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at < 0 && at > -4096)
            out_of_memory();
        if (ring[last].memory)
            raw_syscall3(SYS_munmap, (long)ring[last].memory, (long)ring[last].capacity, 0);
        ring[last].memory = (char *)at;
        ring[last].capacity = wanted;
    }
    return ring[last].memory;
}

/* Is it replay space that nobody else writes?  Others write what is mapped shared; the
 * analysis tells which accesses may go there, and the address whether they do. */
static bool is_private(const void *address, uint64_t size) {
    return access_is_ours(address) && !__recut_env_is_shared(address, size);
}

/* Record: the bytes, as they are in the log now. */
static const void *record(const void *address, uint64_t size) {
    unsigned char *p = log_begin_load(&env_thread()->out, size);
    if (!p)
        return address;
    log_end(&env_thread()->out, put_raw(p, address, size));
    return p;
}

/* Replay: the bytes of the next event. */
static const void *replay(const void *address, uint64_t *size) {
    struct log_reader *log = &env_thread()->in;
    struct diverge_place now = {"a load", 0};
    if (!log_next(log))
        __recut_env_at_end(log, now);
    if (log->kind == EVENT_CRASH)
        __recut_finish_inside(log, now);
    if (log->kind != EVENT_LOAD)
        __recut_diverge(log, "event", "a call", "a load of memory of the environment", now);
    __recut_env_check_path(log, now);
    size_t count;
    const void *bytes = get_rest(log, &count);
    if (*size && count != *size)
        __recut_diverge_number(log, "size of a load", (int64_t)count, (int64_t)*size, now);
    *size = count;
    __recut_env_expected(log);
    if (__builtin_expect(__recut_answers_kept, 0))
        __recut_answer_loaded(address, bytes, count);
    /* Constants are never different, and cannot be written; shared mappings often cannot,
     * and all loads from them come here. */
    if (is_private(address, count) && memcmp(address, bytes, count) != 0)
        memcpy((void *)address, bytes, count);
    return bytes;
}

const void *__recut_loaded(const void *address, uint64_t size, uint32_t always) {
    if ((!always && is_private(address, size)) || !size)
        return address;
    /* Outside: in a function that only looks, called by a library.  Nobody notices such calls
     * (canonical/attach.c), and a replay does not make them. */
    if (__recut_env_mode == ENV_RECORD)
        return __recut_self.data_stack ? record(address, size) : address;
    return __recut_env_mode == ENV_REPLAY ? replay(address, &size) : address;
}

void *__recut_stored(void *address, uint64_t size) {
    if (__recut_env_mode != ENV_REPLAY || access_is_ours(address))
        return address;
    if (__builtin_expect(__recut_answers_kept, 0))
        __recut_answer_stored(address, size);
    return scratch(size);
}

/* Must the function get a copy?  In a replay the memory is not there, or holds something
 * else; in a recording others may write between our look at it and the function's. What
 * the function writes itself has to arrive, though. */
static bool is_copied(const void *address, uint64_t size, uint32_t how) {
    if (is_private(address, size))
        return false;
    return __recut_env_mode == ENV_REPLAY ||
           (access_is_ours(address) && !(how & ACCESS_FOR_WRITING));
}

static void *given_text(char *address, uint64_t most, uint32_t how) {
    uint64_t size = 0;
    if (!most || __recut_env_mode == ENV_OFF || (!(how & ACCESS_ALWAYS) && is_private(address, 1)))
        return address;
    if (__recut_env_mode == ENV_REPLAY) {
        const void *bytes = replay(address, &size);
        return is_private(address, 1) ? address : memcpy(scratch(size), bytes, size);
    }
    if (!__recut_self.data_stack)
        return address;
    size = strnlen(address, most);
    bool has_end = size < most;
    char *given = address;
    if (is_copied(address, size + has_end, how)) {
        given = memcpy(scratch(size + has_end), address, size);
        if (has_end)
            given[size] = 0;
    }
    record(given, size + has_end);
    return given;
}

void *__recut_given(void *address, uint64_t size, uint32_t how) {
    if (!address || how & ACCESS_NOT_ENTERED)
        return address;
    if (how & ACCESS_TEXT)
        return given_text(address, size, how);
    const void *bytes = __recut_loaded(address, size, how & ACCESS_ALWAYS);
    if (bytes == address || !is_copied(address, size, how))
        return address;
    return memcpy(scratch(size), bytes, size);
}

/* Its end is where it is found now, whatever is there a moment later. */
static char *record_string(char *address, uint32_t how) {
    size_t length = strlen(address);
    if (!is_copied(address, length + 1, how)) {
        record(address, length + 1);
        return address;
    }
    char *copy = memcpy(scratch(length + 1), address, length);
    copy[length] = 0;
    record(copy, length + 1);
    return copy;
}

char *__recut_given_string(char *address, uint32_t how) {
    if (!address || how & ACCESS_NOT_ENTERED || __recut_env_mode == ENV_OFF ||
        (!(how & ACCESS_ALWAYS) && is_private(address, 1)))
        return address;
    if (__recut_env_mode == ENV_RECORD)
        return record_string(address, how);
    uint64_t size = 0;
    const void *bytes = replay(address, &size);
    return is_private(address, 1) ? address : memcpy(scratch(size), bytes, size);
}

/* Which conversion of a printf format takes argument `argument`?  's' if it is a
 * string. A '*' takes one, too. */
static char conversion_of(const char *format, uint32_t argument) {
    for (const char *at = format; (at = strchr(at, '%'));) {
        at++;
        if (*at == '%') {
            at++;
            continue;
        }
        for (; *at && strchr("-+ #0'I123456789.$*", *at); at++)
            if (*at == '*' && argument-- == 0)
                return '*';
        bool is_wide = *at == 'l';
        at += strspn(at, "hlqjzZtL");
        if (!*at)
            return 0;
        if (*at != 'm' && argument-- == 0)
            return *at == 's' && is_wide ? 'S' : *at;
        at++;
    }
    return 0;
}

void *__recut_given_format(void *address, const char *format, uint32_t argument, uint32_t how) {
    if (how & ACCESS_NOT_ENTERED || !format)
        return address;
    return conversion_of(format, argument) == 's' ? __recut_given_string(address, how) : address;
}

/* struct __va_list_tag of the System V convention. */
struct list {
    uint32_t integers, vectors; /* bytes of the saved registers that were used */
    char *stack, *registers;
};

static uint64_t *next_integer(struct list *list) {
    enum { integer_bytes = 48 };
    if (list->integers < integer_bytes) {
        uint64_t *at = (uint64_t *)(void *)(list->registers + list->integers);
        list->integers += 8;
        return at;
    }
    uint64_t *at = (uint64_t *)(void *)list->stack;
    list->stack += 8;
    return at;
}

static void skip_float(struct list *list, bool is_long) {
    enum { vector_bytes = 176 };
    if (is_long)
        list->stack = (char *)(((uintptr_t)list->stack + 15) / 16 * 16 + 16);
    else if (list->vectors < vector_bytes)
        list->vectors += 16;
    else
        list->stack += 8;
}

/* A string in a list: where the list gets a copy, that stays, since the list may be gone
 * through again. */
static void give_listed(uint64_t *place) {
    char *text = (char *)*place;
    if (!text)
        return;
    char *given = __recut_given_string(text, ACCESS_ALWAYS);
    if (given == text)
        return;
    size_t size = strlen(given) + 1;
    long at = raw_syscall6(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at < 0 && at > -4096)
        out_of_memory();
    *place = (uint64_t)memcpy((void *)at, given, size);
}

void __recut_given_list(void *list, const char *format, uint32_t how) {
    if (how & ACCESS_NOT_ENTERED || __recut_env_mode == ENV_OFF)
        return;
    struct list at;
    memcpy(&at, list, sizeof at);
    for (const char *p = format; (p = strchr(p, '%'));) {
        p++;
        if (*p == '%') {
            p++;
            continue;
        }
        bool has_precision = false, is_long = false, is_wide = false;
        for (; *p && strchr("-+ #0'I123456789.*", *p); p++) {
            has_precision |= *p == '.';
            if (*p == '*')
                next_integer(&at);
        }
        for (; *p && strchr("hlqjzZtL", *p); p++) {
            is_long |= *p == 'L';
            is_wide |= *p == 'l';
        }
        if (!*p)
            return;
        if (strchr("aAeEfFgG", *p))
            skip_float(&at, is_long);
        else if (*p == 's' && !is_wide && !has_precision)
            give_listed(next_integer(&at));
        else if (*p != 'm')
            next_integer(&at);
        p++;
    }
}

uint64_t __recut_logged(uint64_t value) {
    if (__recut_env_mode == ENV_OFF)
        return value;
    uint64_t result = value;
    memcpy(&result, __recut_loaded(&result, sizeof result, 1), sizeof result);
    return result;
}

uint64_t __recut_logged_at(uint64_t value, const void *address) {
    return is_private(address, 1) ? value : __recut_logged(value);
}

void __recut_adopt(void *to, const void *block, uint64_t size) {
    uint64_t most = size;
    if (__recut_env_mode == ENV_REPLAY) {
        uint64_t count = 0;
        const void *bytes = replay(block, &count);
        memcpy(to, bytes, count < most ? count : most);
    } else {
        memcpy(to, __recut_env_mode == ENV_RECORD ? record(block, size) : block, size);
    }
}
