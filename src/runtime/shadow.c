/* Which functions run, and what did they begin with?  See shadow.h. */
#include "runtime/shadow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "format/capture.h"
#include "format/layout.h"
#include "runtime/env_thread.h"
#include "runtime/hash.h"
#include "runtime/raw.h"
#include "runtime/state.h"

/* --- the stack ---------------------------------------------------------------------------- */

static bool is_wanted;

/* Several times what the machine stack can hold: the smallest frame there has a return address and
 * no more. */
void __recut_shadow_attach(void) {
    if (!is_wanted || __recut_self.shadow)
        return;
    long at = raw_syscall6(SYS_mmap, 0, SHADOW_SIZE, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at < 0 && at > -4096) {
        __recut_say("no memory for a shadow stack", NULL);
        raw_syscall3(SYS_exit_group, 127, 0, 0);
    }
    __recut_self.shadow = __recut_self.shadow_base = (char *)at;
}

void __recut_shadow_begin(void) {
    is_wanted = true;
    __recut_shadow_attach();
}

/* --- writing ------------------------------------------------------------------------------ */

static struct {
    int fd;
    uint64_t thread;   /* whose entries are wanted */
    const char *next;  /* the text of the next one, or NULL */
    uint64_t wanted;   /* the next one */
    bool is_broken;    /* a write failed */
    bool is_following; /* entries were given */
} capture = {.fd = -1};

static void write_all(const void *bytes, size_t size) {
    const char *at = bytes;
    while (size && !capture.is_broken) {
        long wrote = raw_syscall3(SYS_write, capture.fd, (long)at, (long)size);
        if (wrote <= 0) {
            capture.is_broken = wrote != -4; /* EINTR */
            continue;
        }
        at += wrote;
        size -= (size_t)wrote;
    }
}

static void write_record(enum capture_kind kind, const void *payload, size_t size) {
    struct capture_record record = {
        .magic = CAPTURE_MAGIC,
        .kind = kind,
        .thread = __recut_self.slot,
        .size = size,
        .hash = __recut_hash(payload, size),
    };
    static const char padding[8];
    write_all(&record, sizeof record);
    write_all(payload, size);
    write_all(padding, -size % 8);
}

/* In pieces; pages of zeros are what memory begins with. */
static void write_memory(const void *memory, size_t size, void *data) {
    enum { most = 64 * 1024, page = 4096 };
    static const char zeros[page];
    static struct {
        uint64_t address;
        char bytes[most];
    } piece;
    (void)data;
    for (const char *at = memory, *end = at + size; at < end;) {
        size_t filled = 0;
        piece.address = (uint64_t)at;
        while (at < end && filled < most) {
            size_t part = page - (uintptr_t)at % page;
            part = part < (size_t)(end - at) ? part : (size_t)(end - at);
            part = part < most - filled ? part : most - filled;
            if (memcmp(at, zeros, part) == 0) {
                at += part;
                break;
            }
            memcpy(piece.bytes + filled, at, part);
            filled += part;
            at += part;
        }
        if (filled)
            write_record(CAPTURE_MEMORY, &piece, sizeof piece.address + filled);
    }
}

/* --- what is wanted ----------------------------------------------------------------------- */

static void take_next(void) {
    char *end;
    capture.wanted = 0;
    if (!capture.next || !*capture.next)
        return;
    capture.wanted = strtoull(capture.next, &end, 10);
    capture.next = *end == '+' ? end + 1 : NULL;
}

void __recut_shadow_init(int fd, const char *entries) {
    capture.fd = fd;
    if (!entries)
        return;
    char *end;
    capture.is_following = true;
    capture.thread = strtoull(entries, &end, 10);
    capture.next = *end == ':' ? end + 1 : NULL;
    take_next();
}

static void write_state(const struct shadow_frame *frame) {
    write_record(CAPTURE_FRAME, frame, frame->size);
    __recut_state_visit(write_memory, NULL);
    write_record(CAPTURE_WHOLE, "", 0);
}

/* The child has the descriptor, and its place in the file, in common with us. */
static void keep(const struct shadow_frame *frame) {
    long pid = raw_syscall3(SYS_fork, 0, 0, 0);
    if (pid == 0) {
        write_state(frame);
        raw_syscall3(SYS_exit_group, 0, 0, 0);
    }
    int status;
    while (pid > 0 && raw_syscall6(SYS_wait4, pid, (long)&status, 0, 0, 0, 0) == -4)
        ;
}

void __recut_shadow_entered(struct shadow_frame *frame) {
    if (capture.fd < 0)
        return;
    frame->entry = ++__recut_self.shadow_entries;
    if (frame->entry == capture.wanted && __recut_self.slot == capture.thread) {
        keep(frame);
        take_next();
    }
}

void __recut_shadow_failed(void) {
    if (capture.fd < 0 || capture.is_following || !__recut_self.shadow)
        return;
    const char *base = __recut_self.shadow_base;
    size_t size = (size_t)(__recut_self.shadow - base);
    /* The innermost frames are what matters most. */
    while (size > CAPTURE_RECORD_MOST) {
        const struct shadow_frame *first = (const struct shadow_frame *)base;
        base += first->size;
        size -= first->size;
    }
    write_record(CAPTURE_SHADOW, base, size);
}
