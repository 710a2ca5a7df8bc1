/* What does a monitored program leave behind?  See monitor.h. */
#include "runtime/monitor.h"

#include <fcntl.h>
#include <string.h>

#include "format/program_section.h"
#include "runtime/capture.h"
#include "runtime/copies.h"
#include "runtime/crash.h"
#include "runtime/failure.h"
#include "runtime/raw.h"

extern const uint8_t __recut_build_id[BUILD_ID_SIZE];

bool __recut_monitor_is_on;

static char path[4096];
static long first_process;

/* What was run: as the kernel tells, whatever the program did to its arguments since. */
static char command[16 * 1024];
static size_t command_size;

static void read_command(void) {
    long fd = raw_syscall3(SYS_open, (long)"/proc/self/cmdline", O_RDONLY, 0);
    long got = fd < 0 ? -1 : raw_syscall3(SYS_read, fd, (long)command, sizeof command);
    if (fd >= 0)
        raw_syscall3(SYS_close, fd, 0, 0);
    command_size = got > 0 ? (size_t)got : 0;
}

void __recut_monitor_init(char **argv, char **envp) {
    const char *wanted = __recut_variable(envp, MONITOR_ENV);
    (void)argv;
    if (!wanted || !*wanted || strlen(wanted) + 24 > sizeof path)
        return;
    strcpy(path, wanted);
    first_process = raw_syscall3(SYS_getpid, 0, 0, 0);
    read_command();
    __recut_monitor_is_on = true;
    __recut_failure_by_exit = __recut_variable(envp, EXITS_ENV) != NULL;
    __recut_crash_init();
}

static void add_number(char *to, uint64_t value) {
    char number[24];
    strcat(to, ".");
    strcat(to, __recut_decimal(value, number));
}

static unsigned failures;
static char own[sizeof path + 48]; /* path of the last crash file */

/* Of a child: with its number.  Of one that failed before, and went on: with that of the failure.
 */
static void find_path(void) {
    long process = raw_syscall3(SYS_getpid, 0, 0, 0);
    strcpy(own, path);
    if (process != first_process)
        add_number(own, (uint64_t)process);
    if (++failures > 1)
        add_number(own, failures);
}

void __recut_monitor_failed(const struct crash_event *event, const char *why) {
    struct capture_writer writer = {0};
    struct capture_program program = {.version = CAPTURE_VERSION, .command_size = command_size};
    memcpy(program.build_id, __recut_build_id, sizeof program.build_id);
    long length = raw_syscall3(SYS_readlink, (long)"/proc/self/exe", (long)program.path,
                               sizeof program.path - 1);
    if (length < 0)
        program.path[0] = '\0';
    __recut_monitor_is_on = why != NULL; /* a crash is the last */
    find_path();
    long fd = raw_syscall3(SYS_open, (long)own, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        __recut_say("cannot write ", own, ": ", strerror((int)-fd), NULL);
        return;
    }
    writer.fd = (int)fd;
    __recut_capture_write(&writer, CAPTURE_PROGRAM, &program, sizeof program, command,
                          command_size);
    if (why)
        __recut_capture_failure(&writer, why);
    __recut_capture_crash(&writer, event);
    __recut_capture_shadow(&writer);
    __recut_copies_write(&writer);
    __recut_capture_process(&writer);
    __recut_capture_memory(&writer);
    __recut_capture_libraries(&writer);
    __recut_capture_write(&writer, CAPTURE_WHOLE, "", 0, "", 0);
    raw_syscall3(SYS_close, fd, 0, 0);
}

void __recut_monitor_withdraw(void) {
    raw_syscall3(SYS_unlink, (long)own, 0, 0);
    failures--;
    __recut_monitor_is_on = true;
}
