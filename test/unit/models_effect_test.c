/*
 * Do functions write what their models say, and nothing else?
 *
 * Each case calls a function of libc with buffers in a block of memory that was
 * filled before.  Every byte that differs afterwards must be one that the model
 * names: an output that is left out would make a replay go wrong.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include <cmocka.h>

#include "format/model_table.h"

enum { BLOCK = 1 << 16, ARGUMENTS = 8 };

static _Alignas(64) uint8_t block[BLOCK], before[BLOCK], named[BLOCK];
static unsigned calls;

/* Room in the block, 512 bytes each. */
#define AT(number) ((long)(block + 1024 + 512 * (number)))
#define P(number) ((void *)AT(number))

/* --- what a model names --------------------------------------------------------- */

struct call {
    const struct model_table *table;
    const struct model_function *function;
    const long *arguments;
    long result;
};

static uint64_t positive(int64_t value) { return value > 0 ? (uint64_t)value : 0; }

static uint64_t deref(const struct call *call, uint32_t number, bool wide) {
    const uint8_t *at = (const uint8_t *)call->arguments[number];
    if (!at)
        return 0;
    uint64_t now = 0, then = 0;
    memcpy(&now, at, wide ? 8 : 4);
    memcpy(&then, before + (at - block), wide ? 8 : 4);
    return now < then ? now : then;
}

static uint64_t term(const struct call *call, struct model_term term_) {
    switch (term_.kind) {
    case MODEL_TERM_CONSTANT:
        return term_.value;
    case MODEL_TERM_PARAM: {
        const struct model_param *param =
            model_table_param(call->table, call->function, term_.value);
        long value = call->arguments[term_.value];
        return positive(param->kind == MODEL_PARAM_INT ? (int)value : value);
    }
    case MODEL_TERM_DEREF32:
        return deref(call, term_.value, false);
    case MODEL_TERM_DEREF64:
        return deref(call, term_.value, true);
    case MODEL_TERM_RESULT:
        return positive(call->result);
    default:
        return 1;
    }
}

static uint64_t length_of(const struct call *call, const struct model_length *length) {
    uint64_t count = term(call, length->factor[0]) * term(call, length->factor[1]);
    uint64_t limit = length->limit.kind ? term(call, length->limit) : UINT64_MAX;
    return (count < limit ? count : limit) * length->element + length->extra;
}

static void name(const void *at, uint64_t size) {
    const uint8_t *byte = at;
    if (byte >= block && byte < block + BLOCK)
        memset(named + (byte - block), 1,
               size < (uint64_t)(block + BLOCK - byte) ? size : (uint64_t)(block + BLOCK - byte));
}

static void name_string(const struct call *call, const uint8_t *at,
                        const struct model_length *length) {
    uint64_t bound = length->factor[0].kind ? length_of(call, length) : UINT64_MAX, size = 0;
    static const uint8_t nul[4];
    while (size < bound && at + size < block + BLOCK) {
        bool ends = memcmp(at + size, nul, length->element) == 0;
        size += length->element;
        if (ends)
            break;
    }
    name(at, size);
}

static void name_param(const struct call *call, uint32_t number) {
    const struct model_param *param = model_table_param(call->table, call->function, number);
    const struct model_length *length = model_table_length(call->table, param->length);
    uint8_t *at = (uint8_t *)call->arguments[number];
    if (!at)
        return;
    switch (param->kind) {
    case MODEL_PARAM_OUT:
    case MODEL_PARAM_INOUT:
        name(at, length_of(call, length));
        break;
    case MODEL_PARAM_OUT_STRING:
    case MODEL_PARAM_INOUT_STRING:
        name_string(call, at, length);
        break;
    case MODEL_PARAM_OUT_TYPE:
        name(at, model_table_type(call->table, param->type)->size);
        break;
    case MODEL_PARAM_OUT_POINTER:
        name(at, 8);
        break;
    case MODEL_PARAM_OUT_IOVEC: {
        uint64_t left = positive(call->result), count = length_of(call, length);
        for (uint64_t i = 0; i < count; i++) {
            const struct iovec *iov = (struct iovec *)at + i;
            uint64_t size = iov->iov_len < left ? iov->iov_len : left;
            name(iov->iov_base, size);
            left -= size;
        }
        break;
    }
    default:
        break;
    }
}

static bool has_failed(const struct model_function *function, long result) {
    return (function->failure == MODEL_FAILS_NEGATIVE && result < 0) ||
           (function->failure == MODEL_FAILS_ZERO && result == 0) ||
           (function->failure == MODEL_FAILS_NONZERO && result != 0);
}

/* --- calling -------------------------------------------------------------------- */

static long call_and_check(const char *function_name, const long a[static ARGUMENTS]) {
    const struct model_table *table = model_table_builtin();
    const struct model_function *function = model_table_find(table, function_name);
    long (*f)(long, ...) = (long (*)(long, ...))dlsym(RTLD_DEFAULT, function_name);
    if (!function || !f)
        fail_msg("%s: no model, or no such function", function_name);
    memcpy(before, block, BLOCK);
    memset(named, 0, BLOCK);
    long result = f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    if (function->result == MODEL_RESULT_INT)
        result = (int)result;
    struct call call = {table, function, a, result};
    for (uint32_t i = 0; i < function->param_count && !has_failed(function, result); i++)
        name_param(&call, i);
    for (size_t i = 0; i < BLOCK; i++)
        if (block[i] != before[i] && !named[i])
            fail_msg("%s (returned %ld) wrote a byte that its model does not name: room %zd, byte "
                     "%zd",
                     function_name, result, ((ssize_t)i - 1024) / 512, ((ssize_t)i - 1024) % 512);
    calls++;
    return result;
}

#define CALL(function_name, ...) call_and_check(function_name, (const long[ARGUMENTS]){__VA_ARGS__})
#define S(text) ((long)(text))

static int fill(void **state) {
    (void)state;
    memset(block, 0xa5, BLOCK);
    return 0;
}

static void put(int room, const void *data, size_t size) { memcpy(P(room), data, size); }
static void put_int(int room, int value) { put(room, &value, sizeof value); }
static void put_long(int room, long value) { put(room, &value, sizeof value); }

/* --- cases ---------------------------------------------------------------------- */

static void test_descriptors(void **state) {
    (void)state;
    assert_int_equal(CALL("pipe", AT(0)), 0);
    int *fds = P(0);
    assert_int_equal(CALL("write", fds[1], S("hello, world"), 12), 12);
    assert_int_equal(CALL("read", fds[0], AT(1), 5), 5);
    struct iovec iov[2] = {{P(3), 4}, {P(4), 100}};
    put(2, iov, sizeof iov);
    assert_int_equal(CALL("readv", fds[0], AT(2), 2), 7);
    struct pollfd poll_fd = {.fd = fds[1], .events = POLLOUT};
    put(5, &poll_fd, sizeof poll_fd);
    assert_int_equal(CALL("poll", AT(5), 1, 0), 1);
    memset(P(6), 0, 128);
    FD_SET(fds[1], (fd_set *)P(6));
    put_long(7, 0);
    put_long(8, 0);
    assert_int_equal(CALL("select", fds[1] + 1, 0, AT(6), 0, 0), 1);
    int epoll = (int)CALL("epoll_create1", 0);
    struct epoll_event event = {.events = EPOLLOUT, .data.u64 = 7};
    put(9, &event, sizeof event);
    assert_int_equal(CALL("epoll_ctl", epoll, EPOLL_CTL_ADD, fds[1], AT(9)), 0);
    assert_int_equal(CALL("epoll_wait", epoll, AT(10), 3, 0), 1);
    int file = (int)CALL("open", S("/proc/self/stat"), O_RDONLY);
    assert_true(CALL("pread", file, AT(11), 100, 1) > 0);
    assert_int_equal(CALL("read", -1, AT(12), 10), -1);
    int self = (int)CALL("open", S("/"), O_RDONLY | O_DIRECTORY);
    assert_true(CALL("getdents64", self, AT(20), 2048) > 0);
    close(epoll), close(file), close(self), close(fds[0]), close(fds[1]);
}

static void test_files(void **state) {
    (void)state;
    assert_int_equal(CALL("stat", S("/"), AT(0)), 0);
    assert_int_equal(CALL("stat", S("/no such file"), AT(1)), -1);
    assert_int_equal(CALL("fstat", 0, AT(2)), 0);
    assert_int_equal(CALL("fstatat", AT_FDCWD, S("."), AT(3), 0), 0);
    assert_int_equal(CALL("statx", AT_FDCWD, S("."), 0, 0x7ff, AT(4)), 0);
    assert_int_equal(CALL("statfs", S("/"), AT(5)), 0);
    assert_int_equal(CALL("statvfs", S("/"), AT(6)), 0);
    assert_true(CALL("readlink", S("/proc/self/exe"), AT(7), 400) > 0);
    assert_int_equal(CALL("readlink", S("/proc/self/exe"), AT(8), 3), 3);
    strcpy(P(9), "/tmp/recut-effect-XXXXXX");
    int fd = (int)CALL("mkstemp", AT(9));
    assert_true(fd >= 0);
    unlink(P(9));
    CALL("listxattr", S("/"), AT(10), 400);
    put_long(11, 0);
    int copy = open("/proc/self/stat", O_RDONLY);
    CALL("sendfile", fd, copy, AT(11), 10);
    DIR *directory = opendir("/");
    assert_int_equal(CALL("readdir_r", (long)directory, AT(12), AT(14)), 0);
    closedir(directory);
    close(fd), close(copy);
}

static void test_sockets(void **state) {
    (void)state;
    assert_int_equal(CALL("socketpair", AF_UNIX, SOCK_DGRAM, 0, AT(0)), 0);
    int *fds = P(0);
    assert_int_equal(CALL("send", fds[0], S("0123456789"), 10, 0), 10);
    assert_int_equal(CALL("recv", fds[1], AT(1), 4, MSG_TRUNC | MSG_PEEK), 10);
    put_int(2, 100);
    assert_int_equal(CALL("recvfrom", fds[1], AT(3), 100, 0, AT(4), AT(2)), 10);
    put_int(5, 4);
    assert_int_equal(CALL("getsockopt", fds[0], SOL_SOCKET, SO_TYPE, AT(6), AT(5)), 0);
    put_int(7, 100);
    assert_int_equal(CALL("getsockname", fds[0], AT(8), AT(7)), 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    put(9, &address, sizeof address);
    int server = (int)CALL("socket", AF_INET, SOCK_STREAM, 0);
    assert_int_equal(CALL("bind", server, AT(9), sizeof address), 0);
    put_int(10, 6); /* shorter than the address */
    assert_int_equal(CALL("getsockname", server, AT(11), AT(10)), 0);
    CALL("getnameinfo", AT(9), sizeof address, AT(12), 100, AT(13), 100,
         NI_NUMERICHOST | NI_NUMERICSERV);
    CALL("getnameinfo", AT(9), sizeof address, AT(14), 3, AT(15), 100, NI_NUMERICHOST);
    CALL("inet_pton", AF_INET6, S("::1"), AT(16));
    CALL("inet_pton", AF_INET, S("1.2.3.4"), AT(17));
    CALL("inet_pton", AF_INET, S("1.2.3"), AT(18));
    assert_true(CALL("inet_ntop", AF_INET, AT(17), AT(19), 16));
    CALL("inet_aton", S("1.2.3.4"), AT(20));
    close(fds[0]), close(fds[1]), close(server);
}

static void test_system(void **state) {
    (void)state;
    CALL("uname", AT(0));
    CALL("gethostname", AT(1), 100);
    CALL("gethostname", AT(2), 2);
    CALL("sysinfo", AT(3));
    CALL("getrusage", RUSAGE_SELF, AT(4));
    CALL("getrlimit", RLIMIT_NOFILE, AT(5));
    CALL("getgroups", 0, AT(6));
    CALL("getgroups", 100, AT(7));
    put_int(8, 1);
    CALL("getgrouplist", S("root"), 0, AT(9), AT(8));
    CALL("getresuid", AT(10), AT(11), AT(12));
    CALL("sched_getaffinity", 0, 128, AT(13));
    CALL("getloadavg", AT(14), 2);
    CALL("confstr", 0 /* _CS_PATH */, AT(15), 100);
    CALL("confstr", 0, AT(16), 3);
    CALL("getpwuid_r", 0, AT(17), AT(18), 512, AT(20));
    CALL("getpwnam_r", S("nobody here"), AT(17), AT(18), 512, AT(20));
    CALL("getpwuid_r", 0, AT(21), AT(22), 4, AT(24));
    CALL("getgrgid_r", 0, AT(25), AT(26), 512, AT(28));
    CALL("ttyname_r", 0, AT(29), 100);
    CALL("tcgetattr", 0, AT(30));
    CALL("getservbyname_r", S("ssh"), S("tcp"), AT(31), AT(32), 512, AT(34));
}

static void test_time(void **state) {
    (void)state;
    CALL("time", AT(0));
    CALL("gettimeofday", AT(1), AT(2));
    CALL("clock_gettime", CLOCK_MONOTONIC, AT(3));
    CALL("clock_gettime", 1234567, AT(4));
    CALL("times", AT(5));
    CALL("localtime_r", AT(0), AT(6));
    CALL("gmtime_r", AT(0), AT(7));
    CALL("mktime", AT(7));
    CALL("ctime_r", AT(0), AT(8));
    CALL("asctime_r", AT(6), AT(9));
    CALL("strftime", AT(10), 100, S("%c %Z"), AT(6));
    CALL("strftime", AT(11), 10, S("%Y %Y %Y"), AT(6));
    CALL("strptime", S("2024-02-29"), S("%Y-%m-%d"), AT(6));
    CALL("getitimer", ITIMER_REAL, AT(12));
    put(13, &(struct timespec){0, 1}, sizeof(struct timespec));
    CALL("nanosleep", AT(13), AT(14));
    CALL("timespec_get", AT(15), TIME_UTC);
    put_int(16, 5);
    CALL("rand_r", AT(16));
    CALL("erand48", AT(17));
    CALL("nrand48", AT(18));
    CALL("srand48_r", 7, AT(19));
    CALL("lrand48_r", AT(19), AT(20));
    assert_int_equal(CALL("getrandom", AT(21), 33, 0), 33);
    CALL("getentropy", AT(22), 7);
    CALL("arc4random_buf", AT(23), 9);
}

static void test_strings(void **state) {
    (void)state;
    CALL("strcpy", AT(0), S("hello"));
    CALL("strcat", AT(0), S(", world"));
    CALL("strncat", AT(0), S("!!!!"), 2);
    CALL("stpcpy", AT(1), S("abc"));
    CALL("strncpy", AT(2), S("abc"), 10);
    CALL("strncpy", AT(3), S("abcdef"), 3);
    CALL("memcpy", AT(4), S("0123456789"), 7);
    CALL("mempcpy", AT(5), S("0123456789"), 7);
    CALL("memccpy", AT(6), S("0123456789"), '5', 10);
    CALL("memset", AT(7), 0, 13);
    CALL("swab", S("0123456789"), AT(8), 7);
    CALL("snprintf", AT(9), 100, S("%d %s"), 5, S("five"));
    CALL("snprintf", AT(10), 4, S("%d %s"), 5, S("five"));
    CALL("snprintf", AT(11), 0, S("%d"), 5);
    CALL("sprintf", AT(12), S("%x"), 255);
    CALL("strtol", S("42 rest"), AT(13), 10);
    CALL("strtoull", S("nothing"), AT(14), 0);
    CALL("wcscpy", AT(15), S(L"wide"));
    CALL("wmemset", AT(16), L'x', 3);
    CALL("wcsncpy", AT(17), S(L"wide"), 6);
    CALL("mbstowcs", AT(18), S("multi"), 3);
    CALL("mbstowcs", AT(19), S("multi"), 30);
    CALL("wcstombs", AT(20), S(L"wide"), 30);
    memset(P(21), 0, 8);
    CALL("mbrtowc", AT(22), S("m"), 1, AT(21));
    CALL("wcrtomb", AT(23), L'm', AT(21));
    CALL("swprintf", AT(24), 20, S(L"%d"), 77);
    strcpy(P(25), "a,b;c");
    CALL("strtok_r", AT(25), S(",;"), AT(26));
    CALL("strerror_r", 2, AT(27), 20);
    CALL("strerror_r", 1234567, AT(28), 40);
    CALL("__xpg_strerror_r", 2, AT(29), 5);
    CALL("strxfrm", AT(30), S("abc"), 100);
    CALL("__memcpy_chk", AT(31), S("0123456789"), 7, 512);
    CALL("__strcpy_chk", AT(32), S("abc"), 512);
    CALL("__snprintf_chk", AT(33), 100, 1, 512, S("%d"), 5);
    CALL("inet_network", S("1.2"));
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void test_others(void **state) {
    (void)state;
    assert_int_equal(CALL("regcomp", AT(0), S("(a+)(b)"), REG_EXTENDED), 0);
    assert_int_equal(CALL("regexec", AT(0), S("xaab"), 4, AT(1), 0), 0);
    CALL("regexec", AT(0), S("none"), 4, AT(2), 0);
    CALL("regerror", REG_NOMATCH, AT(0), AT(3), 5);
    CALL("regfree", AT(0));
    int numbers[] = {5, 3, 1, 4, 2};
    put(4, numbers, sizeof numbers);
    CALL("qsort", AT(4), 5, 4, (long)compare);
    put_long(5, 5);
    put_int(6, 9);
    CALL("lfind", AT(6), AT(4), AT(5), 4, (long)compare);
    CALL("sem_init", AT(7), 0, 1);
    CALL("sem_wait", AT(7));
    CALL("sem_trywait", AT(7));
    CALL("sem_getvalue", AT(7), AT(8));
    CALL("pthread_mutex_init", AT(9), 0);
    CALL("pthread_mutex_lock", AT(9));
    CALL("pthread_mutex_unlock", AT(9));
    CALL("pthread_attr_init", AT(10));
    CALL("pthread_attr_setstacksize", AT(10), 1 << 20);
    CALL("sigemptyset", AT(11));
    CALL("sigaddset", AT(11), SIGUSR1);
    CALL("sigprocmask", SIG_BLOCK, 0, AT(12));
    CALL("sigpending", AT(13));
    CALL("getcontext", AT(14)); /* two rooms */
    CALL("posix_spawnattr_init", AT(17));
    CALL("posix_spawn_file_actions_init", AT(18));
    CALL("posix_spawn_file_actions_adddup2", AT(18), 1, 2);
    CALL("posix_spawn_file_actions_destroy", AT(18));
    CALL("fegetenv", AT(19));
    CALL("dladdr", (long)compare, AT(20));
    int queue = (int)CALL("msgget", IPC_PRIVATE, IPC_CREAT | 0600);
    if (queue >= 0) {
        put(21, &(struct {
                long type;
                char text[8];
            }){1, "message"},
            16);
        assert_int_equal(CALL("msgsnd", queue, AT(21), 8, 0), 0);
        assert_int_equal(CALL("msgrcv", queue, AT(22), 100, 0, 0), 8);
        msgctl(queue, IPC_RMID, NULL);
    }
}

/* The oracle must be able to see something. */
static void test_oracle(void **state) {
    (void)state;
    const struct model_table *table = model_table_builtin();
    const long arguments[ARGUMENTS] = {0, AT(1), 100};
    struct call call = {table, model_table_find(table, "read"), arguments, 5};
    memset(named, 0, BLOCK);
    for (uint32_t i = 0; i < 3; i++)
        name_param(&call, i);
    size_t at = (size_t)((uint8_t *)P(1) - block);
    assert_true(named[at] && named[at + 4] && !named[at + 5] && !named[at - 1]);
    print_message("# %u calls\n", calls);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_descriptors, fill), cmocka_unit_test_setup(test_files, fill),
        cmocka_unit_test_setup(test_sockets, fill),     cmocka_unit_test_setup(test_system, fill),
        cmocka_unit_test_setup(test_time, fill),        cmocka_unit_test_setup(test_strings, fill),
        cmocka_unit_test_setup(test_others, fill),      cmocka_unit_test_setup(test_oracle, fill),
    };
    return cmocka_run_group_tests_name("models_effect", tests, NULL, NULL);
}
