/* How does a test run inside the program?  See testing.h. */
#include "runtime/testing.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/layout.h"
#include "format/log.h"
#include "format/program_section.h"
#include "format/testing.h"
#include "runtime/answers.h"
#include "runtime/capture.h"
#include "runtime/crash.h"
#include "runtime/failure.h"
#include "runtime/hash.h"
#include "runtime/mapping.h"
#include "runtime/pool_impl.h"
#include "runtime/raw.h"
#include "runtime/seen.h"
#include "runtime/self.h"
#include "runtime/stack.h"
#include "runtime/testing_leave.h"
#include "runtime/testing_room.h"
#include "runtime/thread.h"

#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlerror

enum { exit_bad_input = 65 };

static __attribute__((noreturn)) void refuse(const char *what, const char *why) {
    __recut_say(what, ": ", why, NULL);
    _exit(exit_bad_input);
}

/* --- once more ---------------------------------------------------------------------------- */

/* As it was started: what environ is by now is the test's. */
static struct {
    char **arguments, **environment;
    char *text; /* in it: how often it was started */
} began;

static char **copy_strings(char **strings, char **text) {
    size_t count = 0;
    while (strings[count])
        count++;
    char **copy = raw_scratch((count + 2) * sizeof *copy);
    for (size_t i = 0; copy && i < count; i++) {
        copy[i] = *text;
        *text = stpcpy(*text, strings[i]) + 1;
    }
    return copy;
}

static void remember_start(char **argv, char **envp) {
    size_t size = sizeof TEST_TRIES_ENV + 2;
    for (char **at = argv; *at; at++)
        size += strlen(*at) + 1;
    for (char **at = envp; *at; at++)
        size += strlen(*at) + 1;
    char *text = raw_scratch(size);
    began.text = text;
    if (!text)
        return;
    const char *tries = __recut_variable(envp, TEST_TRIES_ENV);
    text = stpcpy(text, TEST_TRIES_ENV "=");
    *text++ = tries ? (char)(*tries + 1) : '1';
    *text++ = 0;
    began.arguments = copy_strings(argv, &text);
    began.environment = copy_strings(envp, &text);
    size_t count = 0;
    while (began.environment && began.environment[count] &&
           strncmp(began.environment[count], TEST_TRIES_ENV "=", sizeof TEST_TRIES_ENV) != 0)
        count++;
    if (began.environment)
        began.environment[count] = began.text;
}

/* Other places are to be had only where they are chosen at random. */
void __recut_testing_again(void) {
    enum { no_randomisation = 0x0040000, ask = -1 };
    static const char what[] = "this process has something where the failed run had a library";
    if (!began.arguments || !began.environment || began.text[sizeof TEST_TRIES_ENV] > '8')
        refuse(what, "the test cannot run");
    long now = raw_syscall3(SYS_personality, ask, 0, 0);
    if (now >= 0)
        raw_syscall3(SYS_personality, now & ~no_randomisation, 0, 0);
    raw_syscall3(SYS_execve, (long)"/proc/self/exe", (long)began.arguments,
                 (long)began.environment);
    refuse(what, "the program cannot be started again");
}

/* --- memory ------------------------------------------------------------------------------- */

struct piece {
    uint32_t kind;
    uint64_t address, size; /* of a variable: its number */
    const char *bytes;
};

/* The records of a file, one after the other. */
struct pieces {
    const char *path, *at, *end;
};

static void open_pieces(const char *path, struct pieces *ret) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat file;
    if (fd < 0 || fstat(fd, &file) != 0)
        refuse(path, strerror(errno));
    const char *at =
        file.st_size == 0 ? "" : mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED)
        refuse(path, strerror(errno));
    close(fd);
    *ret = (struct pieces){path, at, at + file.st_size};
}

static bool next_piece(struct pieces *pieces, struct piece *ret) {
    struct capture_record record;
    size_t left = (size_t)(pieces->end - pieces->at);
    if (!left)
        return false;
    if (left < sizeof record)
        refuse(pieces->path, "is damaged");
    memcpy(&record, pieces->at, sizeof record);
    pieces->at += sizeof record;
    if (record.magic != CAPTURE_MAGIC || record.size > left - sizeof record || record.size < 8 ||
        record.hash != __recut_hash(pieces->at, record.size))
        refuse(pieces->path, "is damaged");
    ret->kind = record.kind;
    memcpy(&ret->address, pieces->at, 8);
    ret->bytes = pieces->at + 8;
    ret->size = record.size - 8;
    uint64_t padded = (record.size + 7) & ~7ULL;
    if (padded > (uint64_t)(pieces->end - pieces->at))
        refuse(pieces->path, "is damaged");
    pieces->at += padded;
    if (ret->kind == CAPTURE_MEMORY &&
        (ret->address < RECUT_ARGS_BASE || ret->address >= RECUT_BRK_END ||
         ret->size > RECUT_BRK_END - ret->address))
        refuse(pieces->path, "is damaged");
    return true;
}

static bool is_table(const struct piece *piece) {
    return piece->kind == CAPTURE_MEMORY && piece->address >= RECUT_TABLES_BASE &&
           piece->address < RECUT_TABLES_END;
}

/* Pages that are there already stay. */
static void put(const struct pieces *pieces, const struct piece *piece) {
    enum { page = 4096 };
    uint64_t low = piece->address & ~(uint64_t)(page - 1), high = piece->address + piece->size;
    for (; low < high; low += page) {
        long wrong = raw_map_at(low, page);
        if (wrong && wrong != -EEXIST)
            refuse(pieces->path, strerror((int)-wrong));
    }
    memcpy((void *)piece->address, piece->bytes, piece->size);
}

/* The payload is two words; next_piece() took the first for an address. */
static void map_extent(const struct pieces *pieces, const struct piece *piece) {
    enum { page = 4096 };
    uint64_t size = 0;
    if (piece->size >= sizeof size)
        memcpy(&size, piece->bytes, sizeof size);
    if (piece->address % page || size % page || piece->address < RECUT_DATA_STACK_TOP ||
        piece->address >= RECUT_BRK_END || size > RECUT_BRK_END - piece->address)
        refuse(pieces->path, "is damaged");
    __recut_mapping_restore(piece->address, size);
    if (raw_map_at(piece->address, size) == 0)
        return;
    for (uint64_t at = piece->address; at < piece->address + size; at += page)
        raw_map_at(at, page);
}

/* Arenas whose tables are there. */
static void restore_heap(const struct pieces *pieces, uint64_t arenas_end) {
    for (uint64_t at = POOL_ARENA_TABLE; at < arenas_end; at += POOL_ARENA_STRIDE) {
        for (uint64_t page = at; page < at + POOL_ARENA_STRIDE; page += 4096)
            raw_map_at(page, 4096);
        if (!__recut_pool_restore((uint32_t)((at - POOL_ARENA_TABLE) / POOL_ARENA_STRIDE)))
            refuse(pieces->path, strerror(ENOMEM));
    }
    __recut_self.arena = NULL;
}

/* The payload is an array; next_piece() took its first word for an address. */
static void set_pointers(const struct piece *piece, size_t head, void *const *symbols) {
    const char *at = piece->bytes - 8 + head, *end = piece->bytes + piece->size;
    for (struct capture_pointer one; (size_t)(end - at) >= sizeof one; at += sizeof one) {
        memcpy(&one, at, sizeof one);
        uint64_t value = (uint64_t)symbols[one.symbol] + (uint64_t)one.offset;
        memcpy((void *)one.address, &value, sizeof value);
    }
}

extern const uint8_t __recut_build_id[BUILD_ID_SIZE];

static bool is_same_build(const struct piece *piece) {
    return piece->size + 8 < BUILD_ID_SIZE ||
           memcmp(piece->bytes - 8, __recut_build_id, BUILD_ID_SIZE) == 0;
}

static void set_key(struct capture_key wanted) {
    enum { most = 1024 };
    pthread_key_t key = (pthread_key_t)wanted.key;
    for (unsigned i = 0; i < most && pthread_setspecific(key, (void *)wanted.value) != 0; i++) {
        pthread_key_t next;
        if (pthread_key_create(&next, NULL) != 0)
            return;
    }
}

/* The payload is a struct; next_piece() took its first word for an address. */
static void set_process(const struct piece *piece) {
    const char *at = piece->bytes - 8, *end = piece->bytes + piece->size;
    struct capture_process process;
    if ((size_t)(end - at) < sizeof process)
        return;
    memcpy(&process, at, sizeof process);
    if (process.environment >= RECUT_ARGS_BASE && process.environment < RECUT_ARGS_END)
        environ = (char **)process.environment;
    if (process.name >= RECUT_ARGS_BASE && process.name < RECUT_ARGS_END) {
        program_invocation_name = (char *)process.name;
        program_invocation_short_name = (char *)process.short_name;
    }
    at += sizeof process;
    for (struct capture_key one; (size_t)(end - at) >= sizeof one; at += sizeof one) {
        memcpy(&one, at, sizeof one);
        set_key(one);
    }
}

/* The frame was one of a thread: its slot, from here on, is that of the test, with its data stack,
 * thread-locals and arena.  Memory of other threads stays theirs. */
static void become_thread(uint64_t data_stack) {
    if (data_stack < RECUT_THREAD_STACKS || data_stack >= RECUT_POOL_BASE)
        return;
    uint64_t slot = (data_stack - 1 - RECUT_THREAD_STACKS) / RECUT_THREAD_STACK_WINDOW;
    uint32_t taken;
    while (slot < RECUT_MAX_THREADS && __recut_thread_take_slot(&taken) && taken < slot)
        ;
    __recut_thread_attach((uint32_t)slot, STACK_DATA_FACTOR * __recut_thread_stack_size(NULL));
}

/* What a function was given of a library's, as it was then: more than that is with the answers, as
 * it was later. */
enum { most_foreign = 4096 };
static struct piece foreign[most_foreign];
static size_t foreign_count;

static void keep_foreign(const struct piece *piece) {
    if (foreign_count < most_foreign && piece->size > sizeof(struct capture_seen) - 8)
        foreign[foreign_count++] = *piece;
}

static __attribute__((used)) void open_answers_elsewhere(const char *path, uint64_t first) {
    enum { rest = sizeof(struct capture_seen) - 8 }; /* next_piece() took the address */
    __recut_answers_open(path, first);
    for (size_t i = 0; i < foreign_count; i++)
        if (!__recut_seen_put(foreign[i].address, foreign[i].bytes + rest, foreign[i].size - rest))
            __recut_testing_again();
    __recut_testing_close(&__recut_main_machine);
}

/* The last thing before the function is called, of which the stack may have nothing left below: so
 * this is done on another one. */
static char other_stack[64 << 10] __attribute__((used, aligned(16)));
static uint64_t left_stack __attribute__((used));

static __attribute__((naked)) void open_answers(const char *path __attribute__((unused)),
                                                uint64_t first __attribute__((unused))) {
    __asm__("movq %rsp, left_stack(%rip)\n\t"
            "leaq other_stack+65536(%rip), %rsp\n\t"
            "call open_answers_elsewhere\n\t"
            "movq left_stack(%rip), %rsp\n\t"
            "ret");
}

static void set_memory(const char *path, void *const *symbols, uint64_t data_stack) {
    struct pieces pieces;
    struct piece piece;
    uint64_t arenas_end = 0;
    open_pieces(path, &pieces);
    become_thread(data_stack);
    for (struct pieces tables = pieces; next_piece(&tables, &piece);)
        if (is_table(&piece)) {
            put(&pieces, &piece);
            if (piece.address + piece.size > arenas_end)
                arenas_end = piece.address + piece.size;
        }
    restore_heap(&pieces, arenas_end);
    while (next_piece(&pieces, &piece))
        if (piece.kind == CAPTURE_POINTERS)
            set_pointers(&piece, 0, symbols);
        else if (piece.kind == CAPTURE_CONSTANTS && !is_same_build(&piece))
            set_pointers(&piece, BUILD_ID_SIZE, symbols);
        else if (piece.kind == CAPTURE_PROCESS)
            set_process(&piece);
        else if (piece.kind == CAPTURE_IMPORT)
            __recut_answers_import(piece.bytes - 8, piece.size + 8);
        else if (piece.kind == CAPTURE_SEEN)
            keep_foreign(&piece);
        else if (piece.kind == CAPTURE_EXTENT)
            map_extent(&pieces, &piece);
        else if (piece.kind == CAPTURE_MEMORY && !is_table(&piece))
            put(&pieces, &piece);
    if (data_stack)
        __recut_self.data_stack = (char *)data_stack;
}

static void set_variable(const char *path, uint64_t number, void *to, uint64_t size) {
    struct pieces pieces;
    struct piece piece;
    open_pieces(path, &pieces);
    while (next_piece(&pieces, &piece))
        if (piece.kind == CAPTURE_VARIABLE && piece.address == number) {
            memcpy(to, piece.bytes, piece.size < size ? piece.size : size);
            return;
        }
    refuse(path, "lacks a variable");
}

/* --- crashes ------------------------------------------------------------------------------ */

bool __recut_testing_is_on, __recut_testing_reports;
static int report_fd = -1;

void __recut_testing_crashed(const struct crash_event *event) {
    struct capture_writer report = {.fd = report_fd};
    __recut_capture_crash(&report, event);
}

void __recut_testing_withdraw(void) {
    struct capture_writer report = {.fd = report_fd};
    __recut_capture_withdraw(&report);
}

void __recut_testing_told(const struct crash_event *event, const char *why) {
    struct capture_writer report = {.fd = report_fd};
    if (__recut_testing_reports) {
        __recut_capture_failure(&report, why);
        __recut_capture_crash(&report, event);
    } else {
        __recut_say("failure: ", why, NULL);
    }
    _exit(1);
}

static uint64_t room; /* of the machine stack; 0: all of it */

void __recut_testing_overflow(void) {
    if (!__recut_testing_is_on || __recut_testing_reports || !room || room >= TEST_ROOM_SHORT ||
        __recut_answers_same_build())
        return;
    __recut_say("the test ends: it began with what was left of the stack", NULL);
    _exit(TEST_FULL);
}

/* --- instead of main ---------------------------------------------------------------------- */

typedef int main_function(int, char **, char **);
extern main_function *__recut_main_function;
static const char *wanted;

static bool is_running;

void __recut_testing_exits(void) {
    if (!is_running)
        return;
    fflush(NULL);
    _exit(0);
}

/* What the frames that made the call have on the machine stack, such as arguments behind `...`, is
 * put back where it was: the test itself has another one. */
static __attribute__((noreturn, used)) void run_there(recut_test_main_function *run) {
    static const struct recut_test given = {set_memory, open_answers, set_variable,
                                            __recut_answers_called};
    __recut_testing_watch(&__recut_main_machine);
    is_running = true;
    int status = run(&given);
    is_running = false;
    __recut_testing_open(&__recut_main_machine);
    exit(status);
}

static int run_test(int argc, char **argv, char **envp) {
    (void)argc, (void)argv;
    if (!dlopen || !dlsym)
        refuse(wanted, "a static program cannot load a test");
    void *test = dlopen(wanted, RTLD_NOW | RTLD_LOCAL);
    if (!test)
        refuse("cannot load the test", dlerror());
    recut_test_main_function *run;
    *(void **)&run = dlsym(test, TEST_MAIN);
    if (!run)
        refuse(wanted, "is no test");
    if (!__recut_stack_test_machine(__recut_stack_limit(), &__recut_main_machine))
        refuse(wanted, "there is no room for a stack");
    const uint64_t *given = dlsym(test, TEST_ROOM);
    const char *other = __recut_variable(envp, TEST_ROOM_ENV);
    room = other ? strtoull(other, NULL, 10) : given ? *given : 0;
    char *top = __recut_testing_top(run, room, &__recut_main_machine);
    /* A return address of zero is where stack traces end. */
    __asm__ volatile("movq %0, %%rsp\n\t"
                     "xorl %%ebp, %%ebp\n\t"
                     "pushq $0\n\t"
                     "jmp *%1"
                     :
                     : "r"(top), "r"(run_there), "D"(run)
                     : "memory");
    __builtin_unreachable();
}

void __recut_testing_init(char **argv, char **envp) {
    wanted = __recut_variable(envp, TEST_ENV);
    if (!wanted || !*wanted)
        return;
    remember_start(argv, envp);
    __recut_main_function = run_test;
    __recut_testing_is_on = true;
    __recut_failure_by_exit = __recut_variable(envp, EXITS_ENV) != NULL;
    const char *report = __recut_variable(envp, TEST_REPORT_ENV);
    if (!report)
        return;
    report_fd = atoi(report);
    __recut_testing_reports = true;
    __recut_crash_init();
}
