/*
 * What of a crash is recorded, and how is it met again?  See crash.h.
 *
 * Everything here runs in a signal handler, perhaps on an alternate stack.
 */
#include "runtime/crash.h"

#include <errno.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

#include "format/layout.h"
#include "runtime/answers.h"
#include "runtime/careful.h"
#include "runtime/cut.h"
#include "runtime/env_thread.h"
#include "runtime/mapping.h"
#include "runtime/monitor.h"
#include "runtime/raw.h"
#include "runtime/shadow.h"
#include "runtime/state.h"
#include "runtime/testing.h"
#include "runtime/thread.h"
#include "runtime/variant.h"

enum { stack_most = 256 * 1024, gap_most = 64 * 1024 };

static const int fatal[] = {SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

static void fill_event(struct crash_event *event, int number, const siginfo_t *info,
                       const ucontext_t *context) {
    static const int order[16] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
                                  REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                  REG_R12, REG_R13, REG_R14, REG_R15};
    const greg_t *registers = context->uc_mcontext.gregs;
    *event = (struct crash_event){
        .signal = number,
        .code = info->si_code,
        .address = (uint64_t)info->si_addr,
        .pc = (uint64_t)registers[REG_RIP],
        .sp = (uint64_t)registers[REG_RSP],
    };
    if (info->si_code <= 0) /* sent: si_addr is who sent it */
        event->address = 0;
    for (unsigned i = 0; i < 16; i++)
        event->registers[i] = (uint64_t)registers[order[i]];
    /* The executable is below everything that the kernel places. */
    event->in_environment = event->pc >= RECUT_ARGS_BASE;
}

struct stack_range __recut_crash_machine(uint64_t sp) {
    struct stack_range machine = __recut_thread_machine();
    uint64_t low = (uint64_t)machine.low, high = (uint64_t)machine.high;
    bool is_own = sp + gap_most >= low && sp < high;
    if (!is_own && (__recut_state_find_mapping(sp, &low, &high) ||
                    __recut_state_find_mapping(sp + gap_most, &low, &high)))
        return (struct stack_range){(char *)low, (char *)high};
    return machine;
}

/* As much of the machine stack as is there. Of one that ran over, the first bytes
 * are missing: `ret_gap` says how many. */
static size_t stack_size(uint64_t sp, size_t *ret_gap) {
    struct stack_range machine = __recut_crash_machine(sp);
    uint64_t low = (uint64_t)machine.low, high = (uint64_t)machine.high;
    *ret_gap = sp < low ? low - sp : 0;
    if (sp + gap_most < low || sp >= high)
        return 0;
    return high - sp < stack_most ? high - sp : stack_most;
}

static unsigned char *put_stack(unsigned char *p, uint64_t sp, size_t size, size_t gap) {
    p = put_varint(p, size);
    gap = gap < size ? gap : size;
    memset(p, 0, gap);
    return put_raw(p + gap, (const void *)(sp + gap), size - gap);
}

/* Calls of libraries return by way of the runtime (env_callback.h): those who follow the stack want
 * to know where they came from. */
static void put_callers(unsigned char *stack, uint64_t sp, size_t size) {
    const struct env_thread *thread = env_thread();
    for (unsigned i = 0; i < thread->entered_count; i++) {
        uint64_t offset = (uint64_t)thread->entered[i].return_slot - sp;
        const void *caller = thread->entered[i].return_address;
        if (offset < size && size - offset >= sizeof caller)
            memcpy(stack + offset, &caller, sizeof caller);
    }
}

size_t __recut_crash_mappings(char *ret, size_t size) {
    size_t got = 0;
    long fd = raw_syscall3(SYS_open, (long)"/proc/self/maps", 0, 0), more;
    while (fd >= 0 && got < size &&
           (more = raw_syscall3(SYS_read, fd, (long)(ret + got), (long)(size - got))) > 0)
        got += (size_t)more;
    if (fd >= 0)
        raw_syscall3(SYS_close, fd, 0, 0);
    return got;
}

static void record(const struct crash_event *event) {
    struct log_writer *log = &env_thread()->out;
    size_t gap, stack = stack_size(event->sp, &gap);
    char maps[16 * 1024];
    size_t maps_size = __recut_crash_mappings(maps, sizeof maps);
    unsigned char *p = log_begin(log, EVENT_CRASH, sizeof *event + 40 + stack + maps_size);
    if (!p)
        return;
    p = put_raw(p, event, sizeof *event);
    p = put_stack(p, event->sp, stack, gap);
    put_callers(p - stack, event->sp, stack);
    p = put_bytes(p, maps, maps_size);
    log_end(log, p);
    __recut_log_close(log);
}

/* Replay: what the other threads did until then. */
static void await_others(const struct crash_event *recorded) {
    if (__recut_cut_mode == CUT_REPLAY)
        __recut_cut_order_reach(recorded->order);
    if (!__recut_is_threaded)
        return;
    if (env_thread()->section.depth)
        __recut_section_pass();
    __recut_order_reach(ORDER_RUNTIME, recorded->order);
}

/* Replay: the crash that is next in the log.  A variant has other frames, and so has the runtime
 * where a cut is crossed: the stack is full elsewhere. */
static struct crash_event take_recorded(struct log_reader *log, struct diverge_place now,
                                        bool *ret_is_elsewhere) {
    struct crash_event recorded;
    const unsigned char *bytes = get_raw(log, sizeof recorded);
    if (!bytes)
        __recut_replay_damaged(log);
    memcpy(&recorded, bytes, sizeof recorded);
    *ret_is_elsewhere =
        recorded.stack_overflow && (!__recut_env_same_code || __recut_cut_mode == CUT_REPLAY);
    if (!*ret_is_elsewhere)
        __recut_env_check_path(log, now);
    return recorded;
}

static void replay(const struct crash_event *event, int number) {
    struct log_reader *log = &env_thread()->in;
    struct diverge_place now = {strsignal(number), event->pc};
    bool is_elsewhere;
    if (!log_next(log))
        __recut_env_at_end(log, now);
    if (log->kind != EVENT_CRASH)
        __recut_diverge(log, "event", "a call", "a crash", now);
    struct crash_event recorded = take_recorded(log, now, &is_elsewhere);
    if (recorded.signal != event->signal)
        __recut_diverge_number(log, "signal", recorded.signal, event->signal, now);
    bool is_other = recorded.pc != event->pc && !(is_elsewhere && event->stack_overflow);
    if (!recorded.in_environment && is_other && __recut_env_same_code)
        __recut_diverge_number(log, "instruction that crashed", (int64_t)recorded.pc,
                               (int64_t)event->pc, now);
    /* Other code may come to loads in another order; and of other signals than of memory, it is the
     * address of the instruction. */
    if (__recut_env_same_code && !is_elsewhere && !recorded.in_environment &&
        recorded.address != event->address)
        __recut_diverge_number(log, "address that was used", (int64_t)recorded.address,
                               (int64_t)event->address, now);
    await_others(&recorded);
    if (!event->is_second)
        __recut_shadow_failed(event);
    /* A debugger lets these pass, for pages that are made when they are touched. */
    if (__recut_cut_mode == CUT_REPLAY && number == SIGSEGV && __recut_report_fd == 2)
        __asm__ volatile("int3");
    __recut_replay_crashed(log, number);
}

void __recut_crash(int number, const siginfo_t *info, void *context, bool stack_overflow) {
    bool is_cut = __recut_cut_mode != CUT_OFF && env_thread();
    enum env_mode mode = !is_cut                          ? __recut_env_mode
                         : __recut_cut_mode == CUT_RECORD ? ENV_RECORD
                                                          : ENV_REPLAY;
    if (mode == ENV_OFF && !__recut_testing_reports && !__recut_monitor_is_on)
        return;
    struct crash_event event;
    fill_event(&event, number, info, context);
    event.stack_overflow = stack_overflow;
    event.is_second = __recut_crash_is_handled;
    if (mode == ENV_OFF) {
        if (__recut_testing_reports && !event.is_second)
            __recut_testing_crashed(&event);
        else if (!__recut_testing_reports)
            __recut_monitor_failed(&event, NULL);
        return;
    }
    event.in_environment |= is_cut && !__recut_self.inside;
    event.order = is_cut                ? __recut_cut_order_now()
                  : __recut_is_threaded ? __recut_order_now(ORDER_RUNTIME)
                                        : 0;
    if (mode == ENV_RECORD)
        record(&event);
    else
        replay(&event, number);
    __recut_env_mode = ENV_OFF;
    __recut_cut_mode = CUT_OFF;
}

void __recut_crash_told(const void *context, const char *why) {
    static const siginfo_t none;
    struct crash_event event;
    fill_event(&event, 0, &none, context);
    if (__recut_env_mode == ENV_REPLAY)
        __recut_shadow_told(&event, why);
    else if (__recut_env_mode == ENV_OFF && __recut_testing_is_on)
        __recut_testing_told(&event, why);
    else if (__recut_env_mode == ENV_OFF && __recut_monitor_is_on)
        __recut_monitor_failed(&event, why);
}

bool __recut_crash_is_handled;
static bool lives_with_faults;

void __recut_crash_handled(int number, const siginfo_t *info, void *context, bool stack_overflow) {
    bool is_failure = info->si_code > 0 || number == SIGABRT;
    struct crash_event event;
    if (!is_failure || lives_with_faults || __recut_crash_is_handled)
        return;
    __recut_crash_is_handled = true;
    if (__recut_env_mode == ENV_RECORD)
        return;
    fill_event(&event, number, info, context);
    event.stack_overflow = stack_overflow;
    if (__recut_env_mode == ENV_REPLAY)
        __recut_shadow_failed(&event);
    else if (__recut_testing_reports)
        __recut_testing_crashed(&event);
    else if (__recut_monitor_is_on)
        __recut_monitor_failed(&event, NULL);
}

/* abort() goes on to end the program by itself. */
void __recut_crash_came_back(int number) {
    if (!__recut_crash_is_handled || number == SIGABRT)
        return;
    __recut_crash_is_handled = false;
    lives_with_faults = true;
    if (__recut_env_mode == ENV_REPLAY)
        __recut_shadow_withdraw();
    else if (__recut_testing_reports)
        __recut_testing_withdraw();
    else if (__recut_monitor_is_on)
        __recut_monitor_withdraw();
}

static void on_crash(int number, siginfo_t *info, void *context) {
    if (number == SIGBUS && info->si_code > 0 &&
        (__recut_careful_fault(context) || __recut_variant_fault(context)))
        return;
    __recut_crash(number, info, context, false);
    struct sigaction fallback = {.sa_handler = SIG_DFL};
    sigaction(number, &fallback, NULL);
    if (info->si_code <= 0) /* it does not come again by itself */
        raw_syscall3(SYS_tgkill, raw_syscall3(SYS_getpid, 0, 0, 0),
                     raw_syscall3(SYS_gettid, 0, 0, 0), number);
}

/* --- handlers ------------------------------------------------------------------------- */

enum { kernel_flag = 0x04000000 }; /* SA_RESTORER, which libc sets and shows */

/* What the program installed for those that are ours; zero is SIG_DFL. */
static struct owned {
    bool is_ours;
    struct sigaction action;
} owned[_NSIG];

static void on_handled(int number, siginfo_t *info, void *context) {
    struct sigaction action = owned[number].action;
    if (action.sa_handler == SIG_IGN)
        return;
    __recut_crash_handled(number, info, context, false);
    if (action.sa_flags & SA_SIGINFO)
        action.sa_sigaction(number, info, context);
    else
        action.sa_handler(number);
    __recut_crash_came_back(number);
}

static void install(int number) {
    struct sigaction ours = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(number, &ours, NULL);
}

void __recut_crash_init(void) {
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        struct sigaction now;
        if (sigaction(fatal[i], NULL, &now) != 0 || now.sa_handler != SIG_DFL)
            continue; /* inherited as ignored: keep it so */
        owned[fatal[i]].is_ours = true;
        install(fatal[i]);
    }
}

bool __recut_crash_owns(int number) {
    return number > 0 && number < _NSIG && owned[number].is_ours;
}

bool __recut_crash_sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    if (!__recut_crash_owns(number))
        return false;
    struct sigaction before = owned[number].action, now;
    /* SA_RESETHAND: the kernel took the program's handler away. */
    if (before.sa_handler != SIG_DFL && sigaction(number, NULL, &now) == 0 &&
        now.sa_handler == SIG_DFL)
        before.sa_handler = SIG_DFL;
    if (action) {
        owned[number].action = *action;
        owned[number].action.sa_flags |= kernel_flag;
        owned[number].action.sa_restorer = NULL;
        struct sigaction in_front = *action;
        in_front.sa_sigaction = on_handled;
        in_front.sa_flags |= SA_SIGINFO;
        if (action->sa_handler == SIG_DFL)
            install(number);
        else
            sigaction(number, action->sa_handler == SIG_IGN ? action : &in_front, NULL);
    }
    if (old)
        *old = before;
    return true;
}

void __recut_crash_expect(const struct log_reader *log) {
    struct crash_event next;
    if ((size_t)(log->end - log->at) < sizeof next)
        return;
    memcpy(&next, log->at, sizeof next);
    if (next.signal == SIGBUS && next.code == BUS_ADRERR)
        __recut_mapping_cut((void *)next.address);
}

/* What is left of the stack is perhaps not enough for a capture.  A debugger wants to see it. */
static struct {
    struct log_reader *log;
    struct diverge_place now;
    ucontext_t context; /* the stack is that of the replay */
} inside;
static char inside_stack[64 << 10] __attribute__((used, aligned(16)));

static __attribute__((noreturn, used)) void crash_there(void) {
    struct log_reader *log = inside.log;
    bool is_elsewhere;
    struct crash_event recorded = take_recorded(log, inside.now, &is_elsewhere);
    await_others(&recorded);
    static const siginfo_t none;
    struct crash_event here;
    fill_event(&here, recorded.signal, &none, &inside.context);
    here.stack_overflow = recorded.stack_overflow;
    if (!is_elsewhere)
        __recut_answer_crashed();
    if (!__recut_crash_is_handled)
        __recut_shadow_failed(&here);
    __recut_replay_crashed(log, recorded.signal);
    __recut_env_mode = ENV_OFF;
    struct sigaction fallback = {.sa_handler = SIG_DFL};
    sigaction(recorded.signal, &fallback, NULL);
    raw_syscall3(SYS_tgkill, raw_syscall3(SYS_getpid, 0, 0, 0), raw_syscall3(SYS_gettid, 0, 0, 0),
                 recorded.signal);
    raw_syscall3(SYS_exit_group, 128 + recorded.signal, 0, 0);
    __builtin_unreachable();
}

void __recut_crash_inside(struct log_reader *log, struct diverge_place now) {
    inside.log = log;
    inside.now = now;
    getcontext(&inside.context);
    if (!__recut_shadow_writes())
        crash_there();
    __asm__ volatile("leaq inside_stack+65536(%%rip), %%rsp\n\t"
                     "xorl %%ebp, %%ebp\n\t"
                     "pushq $0\n\t"
                     "jmp *%0"
                     :
                     : "r"(crash_there)
                     : "memory");
    __builtin_unreachable();
}
