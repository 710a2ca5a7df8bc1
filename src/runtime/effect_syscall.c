/*
 * What does syscall() write, by the number of the system call?  See effect.h.
 *
 * Most system calls do what libc's function of the same name does, whose model says it.  The table
 * here is for the others: those that libc has no function for, or whose function is not the
 * same.  Calls that make threads, processes or mappings, or change how signals are handled, would
 * pass the runtime by, and end the recording.  So does one that nothing is known of, unless it
 * fails.
 */
#include "runtime/effect.h"

#include <linux/futex.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/utsname.h>

#include "format/model_table.h"
#include "runtime/echo.h"
#include "runtime/env.h"

/* As many bytes as the call returned, or as its next argument says. */
enum { as_returned = -1, as_next = -2 };

static const struct system_call {
    short number;
    uint8_t descriptor; /* enum model_descriptor; the one it speaks of is the first argument */
    struct {
        uint8_t argument; /* from 1; 0 is none */
        int size;
    } writes[2];
} calls[] = {
    {SYS_gettid, 0, {{0, 0}}},
    {SYS_getpid, 0, {{0, 0}}},
    {SYS_getppid, 0, {{0, 0}}},
    {SYS_getuid, 0, {{0, 0}}},
    {SYS_geteuid, 0, {{0, 0}}},
    {SYS_getgid, 0, {{0, 0}}},
    {SYS_getegid, 0, {{0, 0}}},
    {SYS_getpgid, 0, {{0, 0}}},
    {SYS_getsid, 0, {{0, 0}}},
    {SYS_kill, 0, {{0, 0}}},
    {SYS_tgkill, 0, {{0, 0}}},
    {SYS_tkill, 0, {{0, 0}}},
    {SYS_sched_yield, 0, {{0, 0}}},
    {SYS_membarrier, 0, {{0, 0}}},
    {SYS_ioprio_get, 0, {{0, 0}}},
    {SYS_ioprio_set, 0, {{0, 0}}},
    {SYS_getpriority, 0, {{0, 0}}},
    {SYS_setpriority, 0, {{0, 0}}},
    {SYS_fsync, 0, {{0, 0}}},
    {SYS_fdatasync, 0, {{0, 0}}},
    {SYS_sync, 0, {{0, 0}}},
    {SYS_syncfs, 0, {{0, 0}}},
    {SYS_lseek, 0, {{0, 0}}},
    {SYS_ftruncate, 0, {{0, 0}}},
    {SYS_fallocate, 0, {{0, 0}}},
    {SYS_access, 0, {{0, 0}}},
    {SYS_faccessat, 0, {{0, 0}}},
    {SYS_faccessat2, 0, {{0, 0}}},
    {SYS_mkdir, 0, {{0, 0}}},
    {SYS_unlink, 0, {{0, 0}}},
    {SYS_unlinkat, 0, {{0, 0}}},
    {SYS_rename, 0, {{0, 0}}},
    {SYS_renameat2, 0, {{0, 0}}},
    {SYS_chdir, 0, {{0, 0}}},
    {SYS_pidfd_send_signal, 0, {{0, 0}}},
    {SYS_write, 0, {{0, 0}}},
    {SYS_open, MODEL_OPENS, {{0, 0}}},
    {SYS_openat, MODEL_OPENS, {{0, 0}}},
    {SYS_openat2, MODEL_OPENS, {{0, 0}}},
    {SYS_memfd_create, MODEL_OPENS, {{0, 0}}},
    {SYS_eventfd2, MODEL_OPENS, {{0, 0}}},
    {SYS_epoll_create1, MODEL_OPENS, {{0, 0}}},
    {SYS_pidfd_open, MODEL_OPENS, {{0, 0}}},
    {SYS_perf_event_open, MODEL_OPENS, {{0, 0}}},
    {SYS_dup, MODEL_DUPLICATES, {{0, 0}}},
    {SYS_dup2, MODEL_DUPLICATES, {{0, 0}}},
    {SYS_dup3, MODEL_DUPLICATES, {{0, 0}}},
    {SYS_close, MODEL_CLOSES, {{0, 0}}},
    {SYS_getrandom, 0, {{1, as_returned}}},
    {SYS_read, 0, {{2, as_returned}}},
    {SYS_pread64, 0, {{2, as_returned}}},
    {SYS_getdents64, 0, {{2, as_returned}}},
    {SYS_getdents, 0, {{2, as_returned}}},
    {SYS_readlink, 0, {{2, as_returned}}},
    {SYS_readlinkat, 0, {{3, as_returned}}},
    {SYS_getcwd, 0, {{1, as_returned}}},
    {SYS_sched_getaffinity, 0, {{3, as_returned}}},
    {SYS_time, 0, {{1, sizeof(time_t)}}},
    {SYS_gettimeofday, 0, {{1, sizeof(struct timeval)}, {2, 8}}},
    {SYS_clock_gettime, 0, {{2, sizeof(struct timespec)}}},
    {SYS_clock_getres, 0, {{2, sizeof(struct timespec)}}},
    {SYS_getcpu, 0, {{1, sizeof(unsigned)}, {2, sizeof(unsigned)}}},
    {SYS_uname, 0, {{1, sizeof(struct utsname)}}},
    {SYS_sysinfo, 0, {{1, sizeof(struct sysinfo)}}},
    {SYS_getrusage, 0, {{2, sizeof(struct rusage)}}},
    {SYS_prlimit64, 0, {{4, sizeof(struct rlimit)}}},
    {SYS_stat, 0, {{2, sizeof(struct stat)}}},
    {SYS_lstat, 0, {{2, sizeof(struct stat)}}},
    {SYS_fstat, 0, {{2, sizeof(struct stat)}}},
    {SYS_newfstatat, 0, {{3, sizeof(struct stat)}}},
    {SYS_statx, 0, {{5, 256}}},
    {SYS_pipe, 0, {{1, 2 * sizeof(int)}}},
    {SYS_pipe2, 0, {{1, 2 * sizeof(int)}}},
    {SYS_eventfd, MODEL_OPENS, {{0, 0}}},
    {SYS_fadvise64, 0, {{0, 0}}},
    {SYS_ioperm, 0, {{0, 0}}},
    {SYS_iopl, 0, {{0, 0}}},
    {SYS_kcmp, 0, {{0, 0}}},
    {SYS_add_key, 0, {{0, 0}}},
    {SYS_request_key, 0, {{0, 0}}},
    {SYS_mbind, 0, {{0, 0}}},
    {SYS_set_mempolicy, 0, {{0, 0}}},
    {SYS_get_robust_list, 0, {{2, sizeof(void *)}, {3, sizeof(size_t)}}},
    {SYS_capget, 0, {{1, 8}, {2, 24}}},
    {SYS_capset, 0, {{1, 8}}},
    {SYS_sched_setattr, 0, {{0, 0}}},
    {SYS_sched_getattr, 0, {{2, as_next}}},
    {SYS_ustat, 0, {{2, 32}}},
    {SYS_landlock_create_ruleset, MODEL_OPENS, {{0, 0}}},
    {SYS_landlock_add_rule, 0, {{0, 0}}},
    {SYS_landlock_restrict_self, 0, {{0, 0}}},
    {SYS_open_tree, MODEL_OPENS, {{0, 0}}},
    {SYS_fsopen, MODEL_OPENS, {{0, 0}}},
    {SYS_fsmount, MODEL_OPENS, {{0, 0}}},
    {SYS_fspick, MODEL_OPENS, {{0, 0}}},
    {SYS_fsconfig, 0, {{0, 0}}},
    {SYS_move_mount, 0, {{0, 0}}},
    {SYS_pidfd_getfd, MODEL_OPENS, {{0, 0}}},
    {SYS_close_range, 0, {{0, 0}}},
    {SYS_waitid, 0, {{3, 128}, {5, sizeof(struct rusage)}}},
};

/* Calls that must not even be tried. */
static bool is_forbidden(uint64_t number) {
    switch (number) {
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
    case SYS_execveat:
    case SYS_exit:
    case SYS_exit_group:
    case SYS_mmap:
    case SYS_munmap:
    case SYS_mremap:
    case SYS_brk:
    case SYS_shmat:
    case SYS_remap_file_pages:
    case SYS_rt_sigaction:
    case SYS_rt_sigprocmask:
    case SYS_rt_sigreturn:
    case SYS_rt_sigsuspend:
    case SYS_sigaltstack:
    case SYS_set_tid_address:
    case SYS_set_robust_list:
    case SYS_arch_prctl:
    case SYS_modify_ldt:
    case SYS_ptrace:
    case SYS_seccomp:
    case SYS_rseq:
    case SYS_io_uring_setup:
    case SYS_io_setup:
    case SYS_userfaultfd:
        return true;
    default:
        return false;
    }
}

/* By number; NULL where there is none. */
static const char *const names[] = {
#include "system_calls.h"
};

/* The function of libc with the same arguments. */
static const char *name_of(uint64_t number) {
    switch (number) {
    case SYS_pwrite64:
        return "pwrite";
    case SYS_eventfd:
        return NULL; /* without the second */
    default:
        return number < sizeof names / sizeof *names ? names[number] : NULL;
    }
}

static const struct system_call *find(uint64_t number) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if ((uint64_t)calls[i].number == number)
            return &calls[i];
    return NULL;
}

/* Does a model say all that the runtime needs? */
static bool is_simple(const struct model_table *table, const struct model_function *model,
                      bool has_effect) {
    if (model->class != MODEL_LOGGED && model->class != MODEL_OUTPUT && !has_effect)
        return false;
    if (model->result != MODEL_RESULT_INT && model->result != MODEL_RESULT_UNSIGNED &&
        model->result != MODEL_RESULT_LONG)
        return false;
    for (unsigned i = 0; i < model->param_count; i++)
        switch (model_table_param(table, model, i)->kind) {
        case MODEL_PARAM_FLOAT:
        case MODEL_PARAM_DOUBLE:
        case MODEL_PARAM_LONGDOUBLE:
        case MODEL_PARAM_FUNCTION:
        case MODEL_PARAM_INOUT_STRING:
        case MODEL_PARAM_OUT_TYPE:
        case MODEL_PARAM_OUT_POINTER:
        case MODEL_PARAM_VALIST:
            return false;
        default:
            break;
        }
    return true;
}

/* Of what has effects that follow from a value, as the function has. */
static const struct effect *find_effect(uint64_t number) {
    const char *name = name_of(number);
    const struct effect *effect = name && !is_forbidden(number) ? __recut_effect_find(name) : NULL;
    return effect && effect->plan ? effect : NULL;
}

const struct model_function *__recut_model_syscall(const uint64_t *argument) {
    const struct model_table *table = __recut_env_models();
    const char *name = name_of(argument[0]);
    if (!name || find(argument[0]) || is_forbidden(argument[0]))
        return NULL;
    const struct model_function *model = model_table_find(table, name);
    return model && is_simple(table, model, find_effect(argument[0])) ? model : NULL;
}

/* The kernel writes how much time is left. */
static void plan_time_left(struct effect_plan *plan) {
    if (plan->argument[0] == SYS_ppoll) {
        __recut_effect_add(plan, plan->argument[1],
                           (size_t)(uint32_t)plan->argument[2] * sizeof(struct pollfd));
        __recut_effect_add(plan, plan->argument[3], sizeof(struct timespec));
        return;
    }
    for (unsigned set = 2; set < 5; set++)
        __recut_effect_add(plan, plan->argument[set],
                           (size_t)((uint32_t)plan->argument[1] + 63) / 64 * 8);
    __recut_effect_add(plan, plan->argument[5], sizeof(struct timespec));
}

/* What the kernel does to a lock itself is in no order with what the program does to it. */
static void plan_futex(struct effect_plan *plan) {
    switch (plan->argument[2] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAKE:
    case FUTEX_WAIT_BITSET:
    case FUTEX_WAKE_BITSET:
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
        return;
    default:
        __recut_effect_refuse(plan, "futex operation", plan->argument[2] & FUTEX_CMD_MASK);
    }
}

static void plan_by_table(struct effect_plan *plan, const struct system_call *call) {
    for (unsigned i = 0; i < 2 && call->writes[i].argument; i++) {
        unsigned argument = call->writes[i].argument;
        int size = call->writes[i].size;
        __recut_effect_add(plan, plan->argument[argument],
                           size == as_returned ? 1
                           : size == as_next   ? (size_t)(uint32_t)plan->argument[argument + 1]
                                               : (size_t)size);
    }
}

void __recut_plan_syscall(struct effect_plan *plan) {
    const uint64_t *all = plan->argument;
    const struct system_call *call = find(all[0]);
    const struct effect *effect = find_effect(all[0]);
    if (all[0] == SYS_futex) {
        plan_futex(plan);
    } else if (all[0] == SYS_ppoll || all[0] == SYS_pselect6) {
        plan_time_left(plan);
    } else if (call) {
        plan_by_table(plan, call);
    } else if (effect) {
        memcpy(plan->shifted, all + 1, 6 * sizeof *all);
        plan->argument = plan->shifted;
        effect->plan(plan);
        plan->argument = all;
    } else if (!__recut_model_syscall(all)) {
        __recut_effect_refuse(plan, "system call", all[0]);
        plan->is_tried = !is_forbidden(all[0]); /* it may not even return */
    }
}

void __recut_cut_syscall(struct effect_plan *plan, int64_t result) {
    const uint64_t *all = plan->argument;
    const struct system_call *call = find(all[0]);
    const struct effect *effect = find_effect(all[0]);
    if (call && call->writes[0].size == as_returned && plan->count)
        plan->areas[0].size = (size_t)result;
    if (call || !effect || !effect->cut)
        return;
    plan->argument = plan->shifted;
    effect->cut(plan, result);
    plan->argument = all;
}

enum model_descriptor __recut_descriptor_syscall(const uint64_t *argument, int *ret_first) {
    const struct system_call *call = find(argument[0]);
    *ret_first = (int)argument[1];
    if (call)
        return call->descriptor;
    const struct model_function *model = __recut_model_syscall(argument);
    return model ? model->descriptor : MODEL_NO_DESCRIPTOR;
}

void __recut_echo_syscall(const uint64_t *argument, int64_t result) {
    if (argument[0] == SYS_write && result > 0)
        __recut_echo(__recut_echo_target((int)argument[1]), (const void *)argument[2],
                     (size_t)result);
}
