/* Which functions run, and what did they begin with?  See shadow.h. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/capture.h"
#include "runtime/shadow.h"

#include "format/layout.h"
#include "format/shadow.h"
#include "runtime/answers.h"
#include "runtime/raw.h"
#include "runtime/self.h"

static const struct shadow_note *notes, *notes_end;

void __recut_shadow_begin(const struct shadow_note *first, const struct shadow_note *end) {
    notes = first;
    notes_end = end;
}

const struct shadow_note *__recut_shadow_notes(const struct shadow_note **ret_end) {
    *ret_end = notes_end;
    return notes;
}

/* --- replay ------------------------------------------------------------------------------- */

static struct capture_writer writer = {.fd = -1};
static struct {
    bool is_known;     /* entries were given */
    uint64_t thread;   /* whose */
    uint64_t next;     /* the next one; 0: there is none */
    const char *after; /* the text behind it */
} wanted;

/* Behind the last of those: functions that call each other, each once more if it is called again
 * before the last of them was. */
enum { most_functions = 32, most_calls = 64 };
static struct {
    uint64_t function[most_functions];
    size_t count, met; /* so many of them were called, one by the other */
    unsigned calls;    /* kept so far */
} chain;

/* By slot: records that the threads that had it wrote. */
static uint64_t entries_of[RECUT_MAX_THREADS];

static void take_next(void) {
    char *end;
    wanted.next = 0;
    if (!wanted.after)
        return;
    for (; *wanted.after == 'f' && chain.count < most_functions; chain.count++) {
        chain.function[chain.count] = strtoull(wanted.after + 1, &end, 10);
        wanted.after = *end == '+' ? end + 1 : "";
    }
    wanted.next = strtoull(wanted.after, &end, 10);
    wanted.after = *end == '+' ? end + 1 : NULL;
}

/* Is this call one of the chain?  The next one, or one of those that were met, again. */
static bool is_in_chain(uint64_t function) {
    if (wanted.next || chain.met == chain.count || chain.calls == most_calls)
        return false;
    size_t i = chain.met;
    while (chain.function[i] != function && i > 0)
        i--;
    if (chain.function[i] != function)
        return false;
    chain.met = i + 1;
    chain.calls++;
    return true;
}

void __recut_shadow_init(int fd, const char *entries) {
    writer.fd = fd;
    if (!entries)
        return;
    char *end;
    wanted.is_known = true;
    wanted.thread = strtoull(entries, &end, 10);
    wanted.after = *end == ':' ? end + 1 : NULL;
    take_next();
}

/* A call that has just begun. */
struct call {
    const char *record;
    uint64_t size, slot, function, entry;
};

static void write_state(const struct call *call) {
    struct capture_frame frame = {
        .function = call->function,
        .entry = call->entry,
        .data_stack = (uint64_t)__recut_self.data_stack,
    };
    __recut_capture_write(&writer, CAPTURE_FRAME, &frame, sizeof frame, call->record,
                          call->size - sizeof call->entry);
    __recut_capture_process(&writer);
    __recut_capture_memory(&writer);
    __recut_capture_machine(&writer, call->slot + sizeof call->slot);
    __recut_capture_write(&writer, CAPTURE_WHOLE, "", 0, "", 0);
}

static __attribute__((noreturn, used)) void write_there(const struct call *call) {
    write_state(call);
    raw_syscall3(SYS_exit_group, 0, 0, 0);
    __builtin_unreachable();
}

/* Of the stack that the function was called on, next to nothing may be left. */
static __attribute__((noreturn)) void write_elsewhere(const struct call *call) {
    enum { size = 256 << 10 };
    long low =
        raw_syscall6(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (low < 0 && low > -4096)
        write_there(call);
    __asm__ volatile("movq %0, %%rsp\n\t"
                     "xorl %%ebp, %%ebp\n\t"
                     "pushq $0\n\t"
                     "jmp *%1"
                     :
                     : "r"(low + size), "r"(write_there), "D"(call)
                     : "memory");
    __builtin_unreachable();
}

/* The child has the descriptor, and its place in the file, in common with us. */
static void keep(const struct call *call) {
    long pid = raw_syscall3(SYS_fork, 0, 0, 0);
    if (pid == 0)
        write_elsewhere(call);
    int status;
    while (pid > 0 && raw_syscall6(SYS_wait4, pid, (long)&status, 0, 0, 0, 0) == -4)
        ;
}

void __recut_shadow_entered(char *record, uint64_t size, char *slot, uint64_t function) {
    struct call call = {record, size, (uint64_t)slot, function, 0};
    if (writer.fd < 0)
        return;
    call.entry = ++entries_of[__recut_self.slot];
    memcpy(record + size - sizeof call.entry, &call.entry, sizeof call.entry);
    if (__recut_self.slot != wanted.thread)
        return;
    bool is_next = wanted.next && call.entry == wanted.next;
    if (!is_next && !is_in_chain(function))
        return;
    __recut_answers_frame();
    keep(&call);
    if (is_next)
        take_next();
    __recut_answers_keep(&writer);
}

void __recut_shadow_failed(const struct crash_event *event) {
    if (writer.fd < 0 || wanted.is_known)
        return;
    __recut_capture_crash(&writer, event);
    __recut_capture_shadow(&writer);
}

bool __recut_shadow_writes(void) { return writer.fd >= 0; }

void __recut_shadow_withdraw(void) {
    if (writer.fd >= 0 && !wanted.is_known)
        __recut_capture_withdraw(&writer);
}

void __recut_shadow_told(const struct crash_event *event, const char *why) {
    if (writer.fd < 0 || wanted.is_known)
        return;
    __recut_capture_failure(&writer, why);
    __recut_shadow_failed(event);
    raw_syscall3(SYS_exit_group, 0, 0, 0);
}
