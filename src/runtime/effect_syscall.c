/*
 * What does syscall() write, by the number of the system call?  See effect.h.
 *
 * Only calls that a program has a reason to make this way are here: those that
 * libc has no function for, or had none for long.  Calls that make threads,
 * processes or mappings, wait on a futex or change how signals are handled would
 * pass the runtime by, and end the recording.
 */
#include "runtime/effect.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/utsname.h>

#include "runtime/echo.h"

enum { as_returned = -1 }; /* as many bytes as the call returned */

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
};

static const struct system_call *find(uint64_t number) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if ((uint64_t)calls[i].number == number)
            return &calls[i];
    return NULL;
}

void __recut_plan_syscall(struct effect_plan *plan) {
    const struct system_call *call = find(plan->argument[0]);
    if (!call) {
        __recut_effect_refuse(plan, "system call", plan->argument[0]);
        plan->is_tried = false; /* it may not even return */
        return;
    }
    for (unsigned i = 0; i < 2; i++)
        if (call->writes[i].argument)
            __recut_effect_add(plan, plan->argument[call->writes[i].argument],
                               call->writes[i].size == as_returned ? 1
                                                                   : (size_t)call->writes[i].size);
}

void __recut_cut_syscall(struct effect_plan *plan, int64_t result) {
    const struct system_call *call = find(plan->argument[0]);
    if (call->writes[0].size == as_returned && plan->count)
        plan->areas[0].size = (size_t)result;
}

enum model_descriptor __recut_descriptor_syscall(const uint64_t *argument, int *ret_first) {
    const struct system_call *call = find(argument[0]);
    *ret_first = (int)argument[1];
    return call ? call->descriptor : MODEL_NO_DESCRIPTOR;
}

void __recut_echo_syscall(const uint64_t *argument, int64_t result) {
    if (argument[0] == SYS_write && result > 0)
        __recut_echo(__recut_echo_target((int)argument[1]), (const void *)argument[2],
                     (size_t)result);
}
