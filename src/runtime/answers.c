/* Which calls are answered in a test, and how?  See answers.h. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/answers.h"

#include "format/layout.h"
#include "runtime/access.h"
#include "runtime/careful.h"
#include "runtime/env_args.h"
#include "runtime/hash.h"
#include "runtime/pool.h"
#include "runtime/raw.h"
#include "runtime/seen.h"
#include "runtime/testing.h"
#include "runtime/testing_room.h"

#pragma weak dlsym

extern const uint8_t __recut_build_id[BUILD_ID_SIZE];

bool __recut_answer_reads_line(const char *name) {
    return strcmp(name, "getline") == 0 || strcmp(name, "getdelim") == 0 ||
           strcmp(name, "__getdelim") == 0;
}

bool __recut_answers_given;

enum { most_ahead = 64, most_extents = 512 };

static struct {
    const char *at, *end;                         /* records that are left */
    bool is_same_build;                           /* the program is the one that failed */
    void *const *called;                          /* functions that libraries call */
    struct capture_library extents[most_extents]; /* where libraries had memory */
    unsigned extent_count;
} given;

/* Nobody knows what a file or a clock would have said: the failure is not on this way, as far as it
 * could be followed.  And nothing is done to files that are somebody's. */
static __attribute__((noreturn)) void end_test(const char *name) {
    __recut_testing_probe();
    fflush(stdout);
    __recut_say("the test ends at a call of ", name, "(), which nobody answers", NULL);
    _exit(0);
}

static bool read_record(const char **at, struct capture_record *ret, const char **payload) {
    if ((size_t)(given.end - *at) < sizeof *ret)
        return false;
    memcpy(ret, *at, sizeof *ret);
    uint64_t padded = (ret->size + 7) & ~7ULL;
    *payload = *at + sizeof *ret;
    if (ret->magic != CAPTURE_MAGIC || padded > (uint64_t)(given.end - *payload) ||
        ret->hash != __recut_hash(*payload, ret->size))
        return false;
    *at = *payload + padded;
    return true;
}

/* What is the library's goes where it was.  Of the program's own, only what was passed can be told
 * in another build, and variables may be anywhere. */
static void put_seen(const char *payload, size_t size, const uint64_t *integers) {
    struct capture_seen seen;
    if (size <= sizeof seen)
        return;
    memcpy(&seen, payload, sizeof seen);
    const char *bytes = payload + sizeof seen;
    size -= sizeof seen;
    if (!access_is_there((void *)seen.address)) {
        if (!__recut_seen_put(seen.address, bytes, size))
            __recut_testing_again();
        return;
    }
    bool is_passed = integers && seen.argument && seen.argument <= 6;
    char *to = (char *)seen.address;
    if (is_passed && integers[seen.argument - 1] != seen.base)
        to = (char *)integers[seen.argument - 1] + (seen.address - seen.base);
    else if (!given.is_same_build && !is_passed && to < _end)
        return;
    if (__recut_can_read(to, size))
        memcpy(to, bytes, size);
}

void __recut_answers_import(const char *payload, size_t size) {
    uint64_t name_size;
    if (size < sizeof name_size)
        return;
    memcpy(&name_size, payload, sizeof name_size);
    const char *name = payload + sizeof name_size;
    size -= sizeof name_size;
    if (!name_size || name_size > size || name[name_size - 1])
        return;
    void *to = dlsym ? dlsym(RTLD_DEFAULT, name) : NULL;
    if (to && __recut_can_read(to, size - name_size))
        memcpy(to, name + name_size, size - name_size);
}

/* What was seen behind the answer that was taken last, and variables that the call changed. */
static void put_all_seen(const uint64_t *integers) {
    struct capture_record record;
    const char *payload;
    for (const char *next = given.at; read_record(&next, &record, &payload); given.at = next)
        if (record.kind == CAPTURE_SEEN)
            put_seen(payload, record.size, integers);
        else if (record.kind == CAPTURE_IMPORT)
            __recut_answers_import(payload, record.size);
        else
            return;
}

void __recut_answers_called(void *const *functions) { given.called = functions; }

static void put_extent(const char *payload) {
    if (given.extent_count < most_extents)
        memcpy(&given.extents[given.extent_count++], payload, sizeof *given.extents);
}

/* The records in front of the answers. */
static void read_front(void) {
    struct capture_record record;
    const char *payload;
    for (const char *next = given.at; read_record(&next, &record, &payload); given.at = next) {
        if (record.kind == CAPTURE_OUTSIDE && record.size && !payload[record.size - 1])
            __recut_env_intercept(payload);
        else if (record.kind == CAPTURE_BUILD && record.size == BUILD_ID_SIZE)
            given.is_same_build = memcmp(payload, __recut_build_id, BUILD_ID_SIZE) == 0;
        else if (record.kind == CAPTURE_EXTENT && record.size == sizeof *given.extents)
            put_extent(payload);
        else
            return;
    }
}

bool __recut_answers_same_build(void) { return given.is_same_build; }

bool __recut_answers_is_foreign(const void *address) {
    for (unsigned i = 0; i < given.extent_count; i++)
        if ((uint64_t)address - given.extents[i].address < given.extents[i].size)
            return true;
    return __recut_seen_is_put(address);
}

/* Where all that was not zero was kept, a page of zeros is made.  Elsewhere the failed run never
 * looked, and so it is not on this way. */
bool __recut_answers_fault(const void *address) {
    static const char zero;
    for (unsigned i = 0; i < given.extent_count; i++) {
        if ((uint64_t)address - given.extents[i].address >= given.extents[i].size)
            continue;
        if (given.extents[i].is_whole && !__recut_seen_is_put(address))
            return __recut_seen_put((uint64_t)address, &zero, 1);
        __recut_say("the test ends at memory of a library, which nobody has", NULL);
        _exit(0);
    }
    return false;
}

/* A library's memory is as it was when this answer was due. */
void __recut_answers_open(const char *path, uint64_t first) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat file;
    if (fd < 0 || fstat(fd, &file) != 0 || file.st_size == 0)
        return;
    const char *at = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (at == MAP_FAILED)
        return;
    given.at = at;
    given.end = at + file.st_size;
    read_front();
    struct capture_record record;
    const char *payload;
    for (; first && read_record(&given.at, &record, &payload); first--) {
        uint64_t address = 0;
        memcpy(&address, payload, record.size < sizeof address ? record.size : sizeof address);
        if (record.kind == CAPTURE_SEEN && !access_is_there((void *)address))
            put_seen(payload, record.size, NULL);
    }
    put_all_seen(NULL);
    __recut_answers_given = true;
}

/* Is it to be seen?  Then it is made, too. */
static bool is_output(const struct env_frame *frame, const char *name) {
    static const char *const plain[] = {"printf", "puts", "putchar", "vprintf", "perror"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(name, plain[i]) == 0)
            return true;
    if (strcmp(name, "write") == 0)
        return frame->integers[0] == 1 || frame->integers[0] == 2;
    for (unsigned i = 0; i < 4; i++)
        if (frame->integers[i] == (uint64_t)stdout || frame->integers[i] == (uint64_t)stderr)
            return true;
    return false;
}

/* Objects of the environment have memory of their own, which grows. */
static void make_room(uint64_t at, uint64_t size) {
    enum { page = 4096 };
    if (at < RECUT_MIRROR_BASE || at >= RECUT_MIRROR_END)
        return;
    for (uint64_t low = at & ~(uint64_t)(page - 1); low < at + size; low += page)
        raw_map_at(low, page);
}

static void *place_of(const struct env_frame *frame, const struct capture_output *output) {
    uint64_t number = output->argument % CAPTURE_BEHIND;
    bool is_behind = output->argument > CAPTURE_BEHIND;
    if (!number || number > 6)
        return (void *)output->address;
    void *to = (void *)frame->integers[number - 1];
    return is_behind && __recut_can_read(to, sizeof(void *)) ? *(void **)to : to;
}

static void give(struct env_frame *frame, const struct capture_answer *answer, const char *rest,
                 const char *end, const char *name) {
    rest += answer->name_size;
    for (uint32_t i = 0; i < answer->outputs; i++) {
        struct capture_output output;
        if ((size_t)(end - rest) < sizeof output)
            break;
        memcpy(&output, rest, sizeof output);
        rest += sizeof output;
        if (output.size > (uint64_t)(end - rest))
            break;
        bool is_line = __recut_answer_reads_line(name) && i + 1 == answer->outputs &&
                       (int64_t)answer->rax >= 0;
        char **line = (char **)frame->integers[0];
        if (is_line) {
            uint64_t room = *(uint64_t *)frame->integers[1];
            *line = __recut_pool_realloc(*line, room > output.size ? room : output.size);
        } else if (__recut_answer_reads_line(name) && output.address == (uint64_t)line) {
            rest += output.size; /* where it was */
            continue;
        }
        void *to = is_line ? *line : place_of(frame, &output);
        make_room((uint64_t)to, output.size);
        if (__recut_can_read(to, output.size))
            memcpy(to, rest, output.size);
        rest += output.size;
    }
    frame->rax = answer->rax;
    frame->rdx = answer->rdx;
    frame->xmm0[0] = answer->xmm0;
    errno = answer->error;
}

/* Of answers that the program does not ask for any more, what libraries had in their own memory and
 * variables stays behind. */
static void pass_over(const char *to) {
    struct capture_record record;
    const char *payload;
    while (given.at < to && read_record(&given.at, &record, &payload)) {
        uint64_t address = 0;
        memcpy(&address, payload, record.size < sizeof address ? record.size : sizeof address);
        if (record.kind == CAPTURE_IMPORT)
            __recut_answers_import(payload, record.size);
        else if (record.kind == CAPTURE_SEEN && !access_is_there((void *)address))
            put_seen(payload, record.size, NULL);
    }
}

/* The end of a call of a library, of which the first record is there; NULL if it never ended. */
static const char *end_of_call(const char *at) {
    struct capture_record record;
    const char *payload;
    for (unsigned depth = 1; read_record(&at, &record, &payload);) {
        depth += record.kind == CAPTURE_ENTER;
        depth -= record.kind == CAPTURE_LEAVE;
        if (!depth)
            return at;
    }
    return NULL;
}

/* What the library called is called again, and answered on its own.  If the failed run never came
 * out of that, nobody knows how the library goes on. */
static void make_call(const struct env_frame *frame, const struct capture_enter *enter) {
    enum { registers = 6 };
    const char *end = end_of_call(given.at);
    struct env_frame call = {.vector_count = CAPTURE_FLOATS};
    uint64_t stack[CAPTURE_INTEGERS - registers] = {0};
    /* What the library was given to pass on, it passes on. */
    for (unsigned i = 0; i < enter->integer_count; i++) {
        unsigned passed = enter->passed[i];
        *(i < registers ? &call.integers[i] : &stack[i - registers]) =
            passed && passed <= registers ? frame->integers[passed - 1] : enter->integers[i];
    }
    call.stack = stack;
    for (unsigned i = 0; i < CAPTURE_FLOATS; i++)
        call.vectors[i][0] = enter->floats[i];
    put_all_seen(call.integers);
    size_t stack_bytes = enter->integer_count > registers ? sizeof stack : 0;
    __recut_env_invoke(&call, given.called[enter->function], stack_bytes);
    if (!end)
        end_test(__recut_env_name(frame->index));
    pass_over(end);
}

/* Does a record of a call of a library belong to a call of this function? */
static bool is_of(const struct capture_record *record, const char *payload, const char *name,
                  struct capture_enter *ret) {
    if (record->kind != CAPTURE_ENTER || record->size <= sizeof *ret || payload[record->size - 1])
        return false;
    memcpy(ret, payload, sizeof *ret);
    return given.called && ret->integer_count <= CAPTURE_INTEGERS &&
           strcmp(payload + sizeof *ret, name) == 0;
}

/* The next answer of this function, or the next call that a library made while it ran; those that
 * are within calls of libraries belong to these.  False if there is none. */
static bool find_answer(const char *name, struct capture_record *record, const char **payload,
                        const char **ret_behind, struct capture_enter *ret_enter) {
    const char *next = given.at;
    for (unsigned ahead = 0; next && ahead < most_ahead && read_record(&next, record, payload);) {
        *ret_behind = next;
        if (record->kind == CAPTURE_LEAVE)
            return false;
        if (is_of(record, *payload, name, ret_enter))
            return true;
        if (record->kind == CAPTURE_ENTER)
            next = end_of_call(next);
        if (record->kind != CAPTURE_ANSWER)
            continue;
        ahead++;
        if (strcmp(*payload + sizeof(struct capture_answer), name) == 0)
            return true;
    }
    return false;
}

static bool sends_signal(const char *name) {
    return strcmp(name, "kill") == 0 || strcmp(name, "sigqueue") == 0 ||
           strcmp(name, "tgkill") == 0;
}

static bool is_to_itself(const struct env_frame *frame, const char *name) {
    return sends_signal(name) && (pid_t)frame->integers[0] == getpid();
}

/* What the failed run sent to itself, by the number that it had, is for the test. */
static void send_to_itself(struct env_frame *frame, const char *name) {
    if (sends_signal(name))
        frame->integers[0] = (uint64_t)getpid();
    if (strcmp(name, "tgkill") == 0)
        frame->integers[1] = (uint64_t)raw_syscall3(SYS_gettid, 0, 0, 0);
}

bool __recut_answer(struct env_frame *frame) {
    const char *name = __recut_env_name(frame->index), *payload, *behind;
    struct capture_record record;
    struct capture_answer answer;
    struct capture_enter enter;
    while (find_answer(name, &record, &payload, &behind, &enter)) {
        pass_over(behind);
        if (record.kind == CAPTURE_ENTER) {
            make_call(frame, &enter);
            continue;
        }
        memcpy(&answer, payload, sizeof answer);
        bool is_made = is_output(frame, name) || answer.outputs == CAPTURE_MADE;
        if (!is_made)
            give(frame, &answer, payload + sizeof answer, payload + record.size, name);
        put_all_seen(frame->integers);
        if (answer.outputs == CAPTURE_MADE)
            send_to_itself(frame, name);
        return !is_made;
    }
    if (!is_output(frame, name) && !is_to_itself(frame, name))
        end_test(name);
    return false;
}
