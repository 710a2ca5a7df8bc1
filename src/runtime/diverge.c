/*
 * What does the user learn when a replay leaves the recording?  See diverge.h.
 *
 *   diverged | ended | stopped | crashed | damaged
 *   event 5120
 *   what fd
 *   recorded 3
 *   actual 4
 *   function read           asked for now
 *   site 0x10003f20
 *   recorded-function read
 *   recorded-site 0x10003f20
 *   sp 0x17fffffd00         of the machine stack, and what is on it
 *   stack 0123456789abcdef...
 */
#include "runtime/diverge.h"

#include <stdio.h>
#include <unistd.h>

#include "format/layout.h"
#include "runtime/env.h"
#include "runtime/process_child.h"
#include "runtime/raw.h"
#include "runtime/section.h"
#include "runtime/stack.h"
#include "runtime/thread.h"

int __recut_report_fd = 2;

enum { stack_most = 256 * 1024 };

static void put(const char *text, size_t length) {
    while (length) {
        long got = raw_syscall3(SYS_write, __recut_report_fd, (long)text, (long)length);
        if (got <= 0)
            return;
        text += got;
        length -= (size_t)got;
    }
}

static void put_line(const char *key, const char *value, size_t length) {
    put(key, strlen(key));
    put(" ", 1);
    put(value, length);
    put("\n", 1);
}

static void put_hex(const char *key, uint64_t value) {
    char text[32];
    int n = snprintf(text, sizeof text, "%#llx", (unsigned long long)value);
    put_line(key, text, (size_t)n);
}

static void put_number(const char *key, uint64_t value) {
    char text[24];
    const char *digits = __recut_decimal(value, text);
    put_line(key, digits, strlen(digits));
}

/* For the tool to unwind; a person gets nothing from it. */
static __attribute__((noinline)) void put_stack(void) {
    uint64_t pc, sp, bp;
    __asm__ volatile("leaq 0(%%rip), %0\n\tmovq %%rsp, %1\n\tmovq %%rbp, %2"
                     : "=r"(pc), "=r"(sp), "=r"(bp));
    uint64_t high = (uint64_t)__recut_thread_machine().high;
    if (__recut_report_fd == 2 || sp > high)
        return;
    uint64_t size = high - sp < stack_most ? high - sp : stack_most;
    static const char digits[] = "0123456789abcdef";
    put_hex("pc", pc);
    put_hex("sp", sp);
    put_hex("bp", bp);
    put("stack ", 6);
    char line[2048];
    size_t used = 0;
    for (const unsigned char *at = (const void *)sp; size; at++, size--) {
        line[used++] = digits[*at >> 4];
        line[used++] = digits[*at & 15];
        if (used == sizeof line) {
            put(line, used);
            used = 0;
        }
    }
    put(line, used);
    put("\n", 1);
}

/* One end is enough: other threads that come to theirs wait until this one is told. */
static void begin(struct log_reader *log, const char *what) {
    static uint32_t is_taken;
    if (__atomic_exchange_n(&is_taken, __recut_is_threaded, __ATOMIC_SEQ_CST))
        for (;;)
            raw_syscall3(SYS_pause, 0, 0, 0);
    if (__recut_report_fd == 2)
        put("recut: replay ", 14);
    put(what, strlen(what));
    put("\n", 1);
    put_number("event", log->events);
}

static __attribute__((noreturn)) void end(void) {
    put_stack();
    raw_syscall3(SYS_exit_group, 1, 0, 0);
    __builtin_unreachable();
}

static void put_places(struct log_reader *log, struct diverge_place now) {
    if (now.function)
        put_line("function", now.function, strlen(now.function));
    put_hex("site", now.return_address);
    if (!log->site)
        return;
    put_line("recorded-function", log->site->name, log->site->name_length);
    put_hex("recorded-site", log->site->return_address);
}

void __recut_diverge(struct log_reader *log, const char *what, const char *recorded,
                     const char *actual, struct diverge_place now) {
    begin(log, "diverged");
    put_line("what", what, strlen(what));
    put_line("recorded", recorded, strlen(recorded));
    put_line("actual", actual, strlen(actual));
    put_places(log, now);
    end();
}

void __recut_diverge_number(struct log_reader *log, const char *what, int64_t recorded,
                            int64_t actual, struct diverge_place now) {
    char left[32], right[32];
    snprintf(left, sizeof left, "%lld", (long long)recorded);
    snprintf(right, sizeof right, "%lld", (long long)actual);
    __recut_diverge(log, what, left, right, now);
}

void __recut_replay_ends(struct log_reader *log, struct diverge_place now) {
    size_t size = 0;
    __recut_process_check();
    const unsigned char *reason =
        log->is_current && log->kind == EVENT_LOST ? get_bytes(log, &size) : NULL;
    begin(log, "ended");
    if (reason)
        put_line("reason", (const char *)reason, size);
    put_places(log, now);
    end();
}

void __recut_replay_damaged(struct log_reader *log) {
    begin(log, "damaged");
    raw_syscall3(SYS_exit_group, 1, 0, 0);
    __builtin_unreachable();
}

void __recut_replay_verified(struct log_reader *log, uint64_t count) {
    if (__recut_report_fd == 2)
        return;
    begin(log, "verified");
    put_number("hashes", count);
}

void __recut_replay_stop(struct log_reader *log, struct diverge_place now) {
    if (__recut_report_fd == 2) {
        __asm__ volatile("int3");
        return;
    }
    begin(log, "stopped");
    put_places(log, now);
    put_stack();
    raw_syscall3(SYS_exit_group, 0, 0, 0);
    __builtin_unreachable();
}

void __recut_replay_crashed(struct log_reader *log, int number) {
    if (__recut_report_fd == 2)
        return;
    begin(log, "crashed");
    put_number("signal", (uint64_t)number);
}
