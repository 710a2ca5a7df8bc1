/* How does the program read what is not its own?  See access.h. */
#include "runtime/access.h"

#include <string.h>
#include <sys/mman.h>

#include "runtime/env_thread.h"
#include "runtime/finish.h"
#include "runtime/raw.h"

/* Memory for what has none in a replay. */
static char *scratch(size_t size) {
    static _Thread_local char *memory;
    static _Thread_local size_t capacity;
    if (size > capacity) {
        size_t wanted = (size + 65535) / 65536 * 65536;
        long at = raw_syscall6(SYS_mmap, 0, (long)wanted, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at < 0 && at > -4096)
            return memory;
        if (memory)
            raw_syscall3(SYS_munmap, (long)memory, (long)capacity, 0);
        memory = (char *)at;
        capacity = wanted;
    }
    return memory;
}

/* Record: the bytes, as they are in the log now. */
static const void *record(const void *address, uint64_t size) {
    unsigned char *p = log_begin(&env_thread()->out, EVENT_LOAD, size + 10);
    if (!p)
        return address;
    unsigned char *bytes = put_varint(p, size);
    log_end(&env_thread()->out, put_raw(bytes, address, size));
    return bytes;
}

/* Replay: the bytes of the next event. */
static const void *replay(const void *address, uint64_t *size) {
    struct log_reader *log = &env_thread()->in;
    struct diverge_place now = {"a load", 0};
    if (!log_next(log))
        __recut_replay_ends(log, now);
    if (log->kind == EVENT_CRASH)
        __recut_finish_inside(log, now);
    if (log->kind != EVENT_LOAD)
        __recut_diverge(log, "event", "a call", "a load of memory of the environment", now);
    __recut_env_check_path(log, now);
    size_t count;
    const void *bytes = get_bytes(log, &count);
    if (*size && count != *size)
        __recut_diverge_number(log, "size of a load", (int64_t)count, (int64_t)*size, now);
    *size = count;
    __recut_env_expected(log);
    /* Constants are never different, and cannot be written. */
    if (access_is_ours(address) && memcmp(address, bytes, count) != 0)
        memcpy((void *)address, bytes, count);
    return bytes;
}

const void *__recut_loaded(const void *address, uint64_t size, uint32_t always) {
    if ((!always && access_is_ours(address)) || !size)
        return address;
    if (__recut_env_mode == ENV_RECORD)
        return record(address, size);
    return __recut_env_mode == ENV_REPLAY ? replay(address, &size) : address;
}

void *__recut_stored(void *address, uint64_t size) {
    if (__recut_env_mode != ENV_REPLAY || access_is_ours(address))
        return address;
    return scratch(size);
}

void *__recut_given(void *address, uint64_t size, uint32_t always) {
    if (!address)
        return address;
    const void *bytes = __recut_loaded(address, size, always);
    if (__recut_env_mode != ENV_REPLAY || access_is_ours(address) || bytes == address)
        return address;
    return memcpy(scratch(size), bytes, size);
}

char *__recut_given_string(char *address, uint32_t always) {
    if (!address || (!always && access_is_ours(address)) || __recut_env_mode == ENV_OFF)
        return address;
    if (__recut_env_mode == ENV_RECORD) {
        record(address, strlen(address) + 1);
        return address;
    }
    uint64_t size = 0;
    const void *bytes = replay(address, &size);
    return access_is_ours(address) ? address : memcpy(scratch(size), bytes, size);
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

void *__recut_given_format(void *address, const char *format, uint32_t argument, uint32_t always) {
    return conversion_of(format, argument) == 's' ? __recut_given_string(address, always) : address;
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

/* A string in a list: in a replay the list gets a copy, which stays, since the list
 * may be gone through again. */
static void give_listed(uint64_t *place) {
    char *text = (char *)*place;
    if (!text)
        return;
    if (__recut_env_mode == ENV_RECORD) {
        record(text, strlen(text) + 1);
        return;
    }
    uint64_t size = 0;
    const void *bytes = replay(text, &size);
    if (access_is_ours(text))
        return;
    long at = raw_syscall6(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at > 0 || at < -4096)
        *place = (uint64_t)memcpy((void *)at, bytes, size);
}

void __recut_given_list(void *list, const char *format) {
    if (__recut_env_mode == ENV_OFF)
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
