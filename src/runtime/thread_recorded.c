/* How is a thread recorded, and made again?  See thread_recorded.h. */
#include "runtime/thread_recorded.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "format/layout.h"
#include "runtime/baton.h"
#include "runtime/cancel.h"
#include "runtime/cleanup.h"
#include "runtime/env_callback.h"
#include "runtime/pool.h"
#include "runtime/race.h"
#include "runtime/raw.h"
#include "runtime/special_data.h"
#include "runtime/sync.h"
#include "runtime/thread.h"
#include "runtime/thread_made.h"

extern const uint64_t __recut_defines_malloc;

enum { page = 4096, standard_stack = 8 * 1024 * 1024 };

static uint32_t thread_count; /* that were ever made, without main */

struct made __recut_made[RECUT_MAX_THREADS];

static struct made main_thread;

struct stack_range __recut_thread_recorded_machine(uint32_t slot) {
    return __recut_made[slot].machine;
}

/* --- identity ------------------------------------------------------------------------ */

uint32_t __recut_made_end = 1;

uint32_t __recut_made_slot(pthread_t thread) {
    for (uint32_t slot = 1; slot < __recut_made_end; slot++)
        if (__recut_made[slot].recorded == thread)
            return slot;
    return 0;
}

bool __recut_thread_recorded_is_made(pthread_t thread) {
    return __recut_made_slot(thread) && __recut_self.env;
}

/* Each writes its own flag before it reads the other's: one of the two sees both. */
bool __recut_thread_recorded_cancel(pthread_t thread) {
    struct made *target = &__recut_made[__recut_made_slot(thread)];
    atomic_store(&target->is_cancelled, true);
    return !atomic_load(&target->is_asynchronous);
}

bool __recut_thread_recorded_asynchronous(bool is_asynchronous) {
    struct made *self = &__recut_made[__recut_self.slot];
    atomic_store(&self->is_asynchronous, is_asynchronous);
    return !is_asynchronous || !atomic_load(&self->is_cancelled);
}

pthread_t __recut_made_real(pthread_t thread) {
    uint32_t slot = __recut_made_slot(thread);
    if (__recut_env_mode != ENV_REPLAY)
        return thread;
    if (main_thread.recorded && thread == main_thread.recorded)
        return main_thread.real;
    return slot ? __recut_made[slot].real : thread;
}

/* Main's is an address that libc chose; it is told once. */
static pthread_t self_of_main(enum special special, uint64_t from) {
    struct operation operation = {
        .special = special, .from = from, .inputs = "", .old_errno = errno};
    int64_t told = 0;
    if (__recut_env_mode == ENV_RECORD) {
        pthread_t self = pthread_self();
        if (main_thread.recorded)
            env_skip(&env_thread()->out, from);
        else
            __recut_sync_log(&operation, (int64_t)(main_thread.recorded = self));
        return self;
    }
    if (__recut_sync_take(&operation, &told)) {
        main_thread.recorded = (pthread_t)told;
        main_thread.real = pthread_self();
    } else {
        env_skips(&env_thread()->in, from);
    }
    return main_thread.recorded;
}

static pthread_t self(enum special special, uint64_t from) {
    if (__recut_env_mode == ENV_OFF || !env_is_from_program(from) || !env_thread())
        return pthread_self();
    if (__recut_self.slot == 0)
        return self_of_main(special, from);
    return __recut_env_mode == ENV_REPLAY ? __recut_made[__recut_self.slot].recorded
                                          : pthread_self();
}

pthread_t __recut_special_pthread_self(void);
pthread_t __recut_special_pthread_self(void) { return self(SPECIAL_pthread_self, HERE); }
thrd_t __recut_special_thrd_current(void);
thrd_t __recut_special_thrd_current(void) { return self(SPECIAL_thrd_current, HERE); }

/* --- heap ---------------------------------------------------------------------------- */

/* Inside of the runtime an event may be half written: nothing is ordered there. */
static bool begin_heap(void) {
    uint64_t place = (uint64_t)begin_heap;
    if (!__recut_self.env || __recut_self.env->section.depth)
        return __recut_env_mode == ENV_OFF;
    if (__recut_env_mode == ENV_RECORD)
        __recut_order_lock(ORDER_POOL, place);
    else if (__recut_env_mode == ENV_REPLAY)
        __recut_order_wait(ORDER_POOL, place);
    return true;
}

static void end_heap(void) {
    if (__recut_env_mode == ENV_REPLAY)
        __recut_order_done(ORDER_POOL);
    else
        __recut_order_unlock(ORDER_POOL);
}

static const struct pool_order heap_order = {begin_heap, end_heap};

/* --- making -------------------------------------------------------------------------- */

/* A machine stack of this size at the slot's own address. A thread that had the slot
 * before may still be on its way out. */
static bool map_machine_stack(uint32_t slot, size_t size) {
    struct made *thread = &__recut_made[slot];
    uint64_t top = RECUT_THREAD_MACHINE + (slot + 1ULL) * RECUT_THREAD_MACHINE_WINDOW;
    size = (size + page - 1) / page * page;
    thread->machine = (struct stack_range){NULL, NULL};
    if (size > RECUT_THREAD_MACHINE_WINDOW - RECUT_MIB)
        return false;
    long process = raw_syscall3(SYS_getpid, 0, 0, 0);
    while (thread->tid && raw_syscall3(SYS_tgkill, process, thread->tid, 0) != -ESRCH)
        sched_yield();
    thread->tid = 0;
    if (size > thread->mapped) {
        if (raw_map_at(top - size, size - thread->mapped) != 0)
            return false;
        thread->mapped = size;
    }
    thread->machine = (struct stack_range){(char *)(top - size), (char *)top};
    return true;
}

/* A thread that crashes at once must not be unknown to the log of the one that made it. */
static void await_told(uint32_t slot) {
    while (__recut_env_mode == ENV_RECORD && !__recut_is_serial &&
           !__atomic_load_n(&__recut_made[slot].is_told, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void begin(uint32_t slot) {
    __recut_self.env = __recut_made[slot].env;
    __recut_made[slot].tid = raw_syscall3(SYS_gettid, 0, 0, 0);
    __recut_thread_attach(slot, __recut_made[slot].data_stack_size);
    RACE_HOOK(thread_begins(__recut_made[slot].number));
    await_told(slot);
    if (!__recut_is_serial || !__recut_made[slot].env) /* or recording has ended */
        return;
    __recut_baton_thread(__recut_made[slot].number);
    __recut_section_begin((uint64_t)begin);
    if (__recut_env_mode == ENV_REPLAY)
        __recut_async_expect();
}

/* libc ends the thread, and nothing in it was to clean up. */
static void on_end(void *unused) {
    const void *all = (const void *)UINTPTR_MAX;
    (void)unused;
    if (__recut_cleanup_is_ending() || !__recut_self.env)
        return;
    __recut_cancel_note();
    __recut_callback_unwind(all);
    __recut_section_unwind(all);
}

/* Under their names, stacks that are shown leave them out. */
static void *__recut_begin_posix(void *slot) {
    uint32_t index = (uint32_t)(uintptr_t)slot;
    void *result;
    begin(index);
    pthread_cleanup_push(on_end, NULL);
    result = __recut_made[index].entry.posix(__recut_made[index].argument);
    pthread_cleanup_pop(0);
    return result;
}

static void *__recut_begin_standard(void *slot) {
    uint32_t index = (uint32_t)(uintptr_t)slot;
    int result;
    begin(index);
    pthread_cleanup_push(on_end, NULL);
    result = __recut_made[index].entry.standard(__recut_made[index].argument);
    pthread_cleanup_pop(0);
    return (void *)(intptr_t)result;
}

/* libc's part: where it starts does not matter to it. */
static int start(uint32_t slot, const pthread_attr_t *attributes, bool is_standard,
                 pthread_t *ret) {
    pthread_attr_t ours;
    void *given = NULL;
    size_t given_size = 0, size = __recut_thread_stack_size(attributes);
    if (attributes)
        memcpy(&ours, attributes, sizeof ours);
    else
        pthread_attr_init(&ours);
    if (attributes && pthread_attr_getstack(attributes, &given, &given_size) == 0 && given &&
        (char *)given + given_size != (char *)given_size)
        __recut_made[slot].machine = (struct stack_range){given, (char *)given + given_size};
    else if (map_machine_stack(slot, size < standard_stack && !attributes ? standard_stack : size))
        pthread_attr_setstack(
            &ours, __recut_made[slot].machine.low,
            (size_t)(__recut_made[slot].machine.high - __recut_made[slot].machine.low));
    int failed =
        pthread_create(ret, &ours, is_standard ? __recut_begin_standard : __recut_begin_posix,
                       (void *)(uintptr_t)slot);
    if (!attributes)
        pthread_attr_destroy(&ours);
    return failed;
}

static struct env_thread *make_env(uint32_t number) {
    struct env_thread *env = raw_scratch(sizeof *env);
    if (!env)
        return NULL;
    memcpy(env->order, env_thread()->order, sizeof env->order);
    if (__recut_env_open_stream(env, number))
        return env;
    raw_scratch_end(env, sizeof *env);
    return NULL;
}

struct creation {
    enum special special;
    uint64_t from;
    const pthread_attr_t *attributes;
    bool is_standard;
    void *entry, *argument;
};

static void fill(const struct creation *creation, uint32_t slot, struct env_thread *env) {
    struct made *thread = &__recut_made[slot];
    thread->entry.posix = (void *(*)(void *))creation->entry;
    thread->argument = creation->argument;
    thread->env = env;
    __recut_made_end = slot >= __recut_made_end ? slot + 1 : __recut_made_end;
    int state = PTHREAD_CREATE_JOINABLE;
    if (creation->attributes)
        pthread_attr_getdetachstate(creation->attributes, &state);
    thread->is_detached = state == PTHREAD_CREATE_DETACHED;
    thread->is_over = false;
    thread->is_told = false;
    thread->is_cancelled = thread->is_asynchronous = false;
    thread->data_stack_size =
        (uint64_t)STACK_DATA_FACTOR * __recut_thread_stack_size(creation->attributes);
}

static unsigned char *put_inputs(unsigned char *p, const struct creation *creation) {
    if (!creation->is_standard)
        p = __recut_special_put_hash(p, creation->attributes, 0);
    return put_svarint(put_svarint(p, (intptr_t)creation->entry), (intptr_t)creation->argument);
}

/* `slot`: of the thread that is made; 0 if there is none left. */
static int record_in(uint32_t slot, const struct creation *creation, pthread_t *ret) {
    uint32_t number = thread_count + 1;
    int old = errno, failed = EAGAIN;
    struct env_thread *env = NULL;
    if (slot) {
        env = make_env(number);
        if (!env)
            __recut_env_stop("pthread_create", strerror(errno));
        fill(creation, slot, env);
        __recut_made[slot].number = number;
        failed = start(slot, creation->attributes, creation->is_standard, ret);
        if (failed)
            __recut_thread_give_slot(slot);
    }
    if (__recut_env_mode != ENV_RECORD)
        return failed;
    thread_count += !failed;
    if (!failed) {
        __recut_made[slot].recorded = __recut_made[slot].real = *ret;
        __recut_order_thread(1);
        if (__recut_is_serial)
            __recut_baton_await(thread_count);
    }
    unsigned char *p = __recut_special_write(creation->special, creation->from, old, 160);
    if (!p)
        return failed;
    p = __recut_special_result(put_inputs(p, creation), failed, old);
    p = put_varint(p, failed ? 0 : 2);
    if (!failed) {
        p = put_bytes(put_varint(p, 0), ret, sizeof *ret);
        unsigned char numbers[20], *end = put_varint(put_varint(numbers, slot), number);
        p = put_bytes(put_varint(p, OUTPUT_THREAD), numbers, (size_t)(end - numbers));
    }
    __recut_special_end(p);
    return failed;
}

static int record(const struct creation *creation, pthread_t *ret) {
    uint32_t slot = 0;
    if (!__recut_thread_take_slot(&slot))
        slot = 0;
    int failed = record_in(slot, creation, ret);
    __atomic_store_n(&__recut_made[slot].is_told, true, __ATOMIC_RELEASE);
    return failed;
}

static int replay(const struct creation *creation, pthread_t *ret) {
    struct log_reader *log = __recut_special_read(creation->special, creation->from);
    if (!creation->is_standard)
        __recut_special_hash(log, "attributes", creation->attributes, 0);
    __recut_special_input(log, "function", (intptr_t)creation->entry);
    __recut_special_input(log, "argument", (intptr_t)creation->argument);
    int failed = (int)__recut_special_take_result(log);
    uint64_t outputs = get_varint(log);
    if (failed && outputs == 0) {
        __recut_special_done(log);
        return failed;
    }
    size_t size, numbers_size;
    uint64_t first = get_varint(log);
    const unsigned char *recorded = get_bytes(log, &size);
    uint64_t second = get_varint(log);
    const unsigned char *bytes = get_bytes(log, &numbers_size);
    struct log_reader numbers = {.at = bytes, .end = bytes + numbers_size};
    uint32_t slot = (uint32_t)get_varint(&numbers), number = (uint32_t)get_varint(&numbers);
    if (outputs != 2 || first != 0 || second != OUTPUT_THREAD || size != sizeof *ret ||
        numbers.damaged || log->damaged || slot == 0 || slot >= RECUT_MAX_THREADS)
        __recut_replay_damaged(log);
    memcpy(ret, recorded, sizeof *ret);
    uint32_t taken;
    if (!__recut_thread_take_slot(&taken) || taken != slot)
        __recut_diverge_number(log, "slot of a new thread", slot, taken,
                               (struct diverge_place){"pthread_create", creation->from});
    struct env_thread *env = make_env(number);
    if (!env) {
        char digits[24];
        __recut_say("cannot replay: the log of a thread is missing or damaged: log.",
                    __recut_decimal(number, digits), NULL);
        raw_syscall3(SYS_exit_group, 65, 0, 0);
    }
    fill(creation, slot, env);
    __recut_made[slot].recorded = *ret;
    __recut_made[slot].number = number;
    __recut_order_thread(1);
    RACE_HOOK(thread_made(number));
    int not_made =
        start(slot, creation->attributes, creation->is_standard, &__recut_made[slot].real);
    if (not_made)
        __recut_diverge(log, "a thread", "was made", strerror(not_made),
                        (struct diverge_place){"pthread_create", creation->from});
    __recut_special_done(log);
    return failed;
}

static int create(const struct creation *creation, pthread_t *ret) {
    int saved = errno;
    if (!__recut_is_threaded && __recut_self.slot == 0)
        __recut_thread_watch();
    __recut_env_threads();
    if (!__recut_defines_malloc && !__recut_is_serial)
        __recut_pool_order = &heap_order;
    if (__recut_is_serial && __recut_self.env && !__recut_self.env->section.base)
        __recut_section_begin(creation->from);
    SECTION(creation->from);
    int failed = __recut_env_mode == ENV_REPLAY ? replay(creation, ret) : record(creation, ret);
    errno = saved;
    return failed;
}

int __recut_thread_recorded(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*entry)(void *), void *argument, uint64_t from) {
    struct creation creation = {SPECIAL_pthread_create, from,    attributes, false,
                                (void *)entry,          argument};
    return create(&creation, thread);
}

int __recut_thread_recorded_standard(thrd_t *thread, thrd_start_t entry, void *argument,
                                     uint64_t from) {
    struct creation creation = {SPECIAL_thrd_create, from, NULL, true, (void *)entry, argument};
    int failed = create(&creation, thread);
    return failed == 0 ? thrd_success : failed == ENOMEM ? thrd_nomem : thrd_error;
}

/* --- processes ----------------------------------------------------------------------- */

uint32_t __recut_thread_recorded_number(void) {
    return __recut_self.slot ? __recut_made[__recut_self.slot].number : 0;
}

void __recut_thread_recorded_forked(void) {
    for (uint32_t slot = 1; slot < __recut_made_end; slot++)
        if (__recut_made[slot].recorded && !__recut_made[slot].is_over && slot != __recut_self.slot)
            __recut_log_drop(&__recut_made[slot].env->out);
    if (__recut_self.slot)
        __recut_log_drop(&__recut_env_main.out);
}

void __recut_thread_recorded_first(void) { __recut_made[__recut_self.slot].number = 0; }
