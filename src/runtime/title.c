/*
 * The arguments as the kernel sees them; see title.h.
 *
 * PR_SET_MM_MAP needs no privilege, but wants all of a process's map at once;
 * what stays as it is comes from /proc/self/stat.
 *
 * Rules for this file: as for start.c, no libc function, no thread-local.
 */
#include "runtime/title.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>

#include "runtime/raw.h"

/* Fields of /proc/PID/stat, counted from 1 as in proc(5). */
enum {
    field_state = 3,
    field_start_code = 26,
    field_end_code = 27,
    field_start_stack = 28,
    field_start_data = 45,
    field_end_data = 46,
    field_start_brk = 47,
    field_count = 52,
};

/* The numbers of the file by field; the second field, a name in parentheses, may
 * hold anything. */
static bool read_stat(uint64_t fields[field_count]) {
    char text[1024];
    long fd = raw_syscall3(SYS_open, (long)"/proc/self/stat", O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    long size = raw_syscall3(SYS_read, fd, (long)text, sizeof text - 1);
    raw_syscall3(SYS_close, fd, 0, 0);
    if (size <= 0)
        return false;
    text[size] = '\0';
    const char *at = text + size;
    while (at > text && *at != ')')
        at--;
    for (int field = field_state; field < field_count && *at; field++) {
        while (*at && *at != ' ')
            at++;
        at += *at == ' ';
        uint64_t value = 0;
        for (; *at >= '0' && *at <= '9'; at++)
            value = value * 10 + (uint64_t)(*at - '0');
        fields[field] = value;
    }
    return true;
}

void __recut_title_move(char *arg_start, char *arg_end, char *env_end) {
    uint64_t fields[field_count];
    for (int i = 0; i < field_count; i++) /* an initialiser would call memset */
        fields[i] = 0;
    if (!read_stat(fields) || !fields[field_start_code] || !fields[field_start_data])
        return; /* hidden from us: leave it */
    struct prctl_mm_map map = {
        .start_code = fields[field_start_code],
        .end_code = fields[field_end_code],
        .start_data = fields[field_start_data],
        .end_data = fields[field_end_data],
        .start_brk = fields[field_start_brk],
        .brk = (uint64_t)raw_syscall3(SYS_brk, 0, 0, 0),
        .start_stack = fields[field_start_stack],
        .arg_start = (uint64_t)arg_start,
        .arg_end = (uint64_t)arg_end,
        .env_start = (uint64_t)arg_end,
        .env_end = (uint64_t)env_end,
        .exe_fd = (uint32_t)-1,
    };
    raw_syscall6(SYS_prctl, PR_SET_MM, PR_SET_MM_MAP, (long)&map, sizeof map, 0, 0);
}
