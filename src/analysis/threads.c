/*
 * Threads and what they share; threads.h.
 *
 * A cell is shared if two threads touch it, or one that may be there twice, and one of
 * the accesses writes.  Memory in a frame belongs to one activation, and so to one thread,
 * unless a pointer to it is stored where others find it, or given to a new thread.
 *
 * Cost: calls times threads, and the effects once.
 */
#include "analysis/threads_impl.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/components.h"

uint64_t threads_single_object(const struct program *program, const struct pta *pta,
                               value_id pointer) {
    struct pta_cursor cursor = {0};
    struct pta_target target, other;
    if (!pta_points_to(pta, pointer, &cursor, &target) ||
        pta_points_to(pta, pointer, &cursor, &other) || target.stride || target.fold)
        return THREADS_NO_OBJECT;
    struct pta_object object = pta_object(pta, target.object);
    if (object.kind != PTA_MEMORY)
        return THREADS_NO_OBJECT;
    const struct memory *memory = &program->memory.data[object.memory];
    bool is_in_main = memory->kind == MEMORY_SLOT &&
                      strcmp(program->functions.data[memory->function].name, "main") == 0;
    if (memory->kind != MEMORY_GLOBAL && !is_in_main)
        return THREADS_NO_OBJECT;
    return (uint64_t)target.object << 32 | (uint32_t)target.offset;
}

const char *threads_plain_name(const struct program *program, function_id function) {
    const char *name = program->functions.data[function].name;
    return strncmp(name, "__recut_", 8) == 0 ? name + 8 : name;
}

static bool is_one_of(const struct program *program, function_id function,
                      const char *const *names) {
    for (; function != NO_ID && *names; names++)
        if (strcmp(threads_plain_name(program, function), *names) == 0)
            return true;
    return false;
}

static bool calls_one_of(const struct program *program, const struct pta *pta, instruction_id call,
                         const char *const *names) {
    uint32_t count;
    const function_id *callees = pta_callees(pta, call, &count);
    for (uint32_t i = 0; i < count; i++)
        if (is_one_of(program, callees[i], names))
            return true;
    return false;
}

bool threads_calls(const struct program *program, const struct pta *pta, instruction_id call,
                   const char *const *names) {
    return program->instructions.data[call].flags & INSTRUCTION_CALL &&
           calls_one_of(program, pta, call, names);
}

bool threads_only_calls(const struct program *program, const struct pta *pta, instruction_id call,
                        const char *const *names) {
    uint32_t count;
    const function_id *callees = pta_callees(pta, call, &count);
    for (uint32_t i = 0; i < count; i++)
        if (!is_one_of(program, callees[i], names))
            return false;
    return count > 0;
}

bool threads_is_handler(const struct program *program, const struct pta *pta, instruction_id call) {
    static const char *const names[] = {"signal", "bsd_signal", "sysv_signal", "__sysv_signal",
                                        "sigset", "ssignal",    NULL};
    return calls_one_of(program, pta, call, names);
}

bool threads_is_sending(const struct program *program, const struct pta *pta, instruction_id call) {
    static const char *const names[] = {
        "raise",  "gsignal", "kill",   "killpg",    "pthread_kill",  "sigqueue", "pthread_sigqueue",
        "tgkill", "alarm",   "ualarm", "setitimer", "timer_settime", NULL};
    return threads_calls(program, pta, call, names);
}

bool threads_is_key(const struct program *program, const struct pta *pta, instruction_id call) {
    static const char *const names[] = {"pthread_key_create", "__pthread_key_create", "tss_create",
                                        NULL};
    return calls_one_of(program, pta, call, names);
}

bool threads_is_keeping(const struct program *program, const struct pta *pta, instruction_id call) {
    static const char *const names[] = {"pthread_setspecific", "tss_set", NULL};
    return threads_calls(program, pta, call, names);
}

bool threads_is_registration(const struct program *program, const struct pta *pta,
                             instruction_id call) {
    static const char *const names[] = {
        "atexit",         "at_quick_exit",       "on_exit",
        "__cxa_atexit",   "__cxa_at_quick_exit", "__cxa_thread_atexit_impl",
        "pthread_atfork", "__register_atfork",   NULL};
    return calls_one_of(program, pta, call, names) || threads_is_key(program, pta, call) ||
           threads_is_handler(program, pta, call);
}

bool threads_is_create(const struct program *program, const struct pta *pta, instruction_id call) {
    static const char *const names[] = {"pthread_create", "thrd_create", NULL};
    return calls_one_of(program, pta, call, names) || threads_is_registration(program, pta, call);
}

bool threads_is_join(const struct program *program, const struct pta *pta, instruction_id call) {
    static const char *const names[] = {"pthread_join", "thrd_join", "pthread_tryjoin_np",
                                        "pthread_timedjoin_np", NULL};
    return calls_one_of(program, pta, call, names);
}

bool threads_is_wait(const struct program *program, const struct pta *pta, instruction_id call) {
    static const char *const names[] = {"pthread_cond_wait",
                                        "pthread_cond_timedwait",
                                        "pthread_cond_clockwait",
                                        "cnd_wait",
                                        "cnd_timedwait",
                                        "sem_wait",
                                        "sem_timedwait",
                                        "sem_clockwait",
                                        "pthread_barrier_wait",
                                        "sigwait",
                                        "sigwaitinfo",
                                        "sigtimedwait",
                                        "__sigtimedwait",
                                        "sigsuspend",
                                        "__sigsuspend",
                                        "sigpause",
                                        "__xpg_sigpause",
                                        "__sigpause",
                                        "pause",
                                        NULL};
    return threads_calls(program, pta, call, names);
}

bool threads_is_cancel(const struct program *program, const struct pta *pta, instruction_id call) {
    static const char *const names[] = {"pthread_cancel", NULL};
    return threads_calls(program, pta, call, names);
}

bool threads_is_exit(const struct program *program, const struct pta *pta, instruction_id call) {
    static const char *const names[] = {"pthread_exit", "thrd_exit", NULL};
    return calls_one_of(program, pta, call, names);
}

static void find_creating(struct threads *threads) {
    for (instruction_id i = 0; i < threads->program->instructions.count; i++)
        if (threads->program->instructions.data[i].flags & INSTRUCTION_CALL &&
            threads_is_create(threads->program, threads->pta, i))
            bitset_add(&threads->creates, i);
}

bool threads_creates(const struct threads *threads, instruction_id call) {
    return bitset_has(&threads->creates, call);
}

static void add_entry(struct threads *threads, function_id function) {
    for (size_t i = 1; i < threads->entries.count; i++)
        if (threads->entries.data[i] == function)
            return;
    VEC_PUSH(&threads->entries, function);
}

bool threads_is_listed(const struct program *program, function_id function, const char *name,
                       const char *section) {
    for (memory_id m = 0; m < program->memory.count; m++) {
        const struct memory *memory = &program->memory.data[m];
        bool is_list = (memory->name && strcmp(memory->name, name) == 0) ||
                       (memory->section && strstr(memory->section, section));
        for (uint32_t n = 0; is_list && n < memory->pointers.count; n++) {
            const struct value *value =
                &program->values
                     .data[program->initial_pointers.data[memory->pointers.first + n].value];
            if (value->kind == VALUE_FUNCTION && value->definition == function)
                return true;
        }
    }
    return false;
}

/* main(), and what runs before it.  What runs behind it does so from wherever the program ends. */
static bool is_of_main(const struct program *program, function_id function) {
    return strcmp(program->functions.data[function].name, "main") == 0 ||
           threads_is_listed(program, function, "llvm.global_ctors", "init_array");
}

static bool enters(const struct pta *pta, instruction_id call, function_id function) {
    uint32_t count;
    const function_id *callees = pta_callees(pta, call, &count);
    for (uint32_t i = 0; i < count; i++)
        if (callees[i] == function)
            return true;
    return false;
}

/* Of the functions that the environment may call, those are not threads that the function runs to
 * which they are given: what qsort() compares by. */
static void find_entries(struct threads *threads) {
    const struct program *program = threads->program;
    VEC_PUSH(&threads->entries, NO_ID);
    bool *is_run = mem_zalloc(program->functions.count + 1, sizeof *is_run);
    for (instruction_id i = 0; i < program->instructions.count; i++) {
        uint32_t count;
        const function_id *callees = effects_callees(threads->effects, i, &count);
        bool creates = count && threads_creates(threads, i);
        for (uint32_t k = 0; k < count; k++) {
            is_run[callees[k]] |= creates || !enters(threads->pta, i, callees[k]);
            if (creates)
                add_entry(threads, callees[k]);
        }
    }
    for (function_id f = 0; f < program->functions.count; f++)
        if (program->functions.data[f].flags & FUNCTION_DEFINED &&
            pta_is_called_back(threads->pta, f) && !is_of_main(program, f) &&
            (!is_run[f] || pta_is_handler(threads->pta, f) ||
             effects_is_entered_later(threads->effects, f)))
            add_entry(threads, f);
    free(is_run);
}

/* Who calls whom, each once, but for what is created. */
struct calls {
    VEC(uint32_t) start;
    VEC(function_id) callees;
};

static void find_calls(const struct threads *threads, struct calls *calls) {
    const struct program *program = threads->program;
    uint32_t *caller CLEANUP_FREE = mem_zalloc(program->functions.count + 1, sizeof *caller);
    for (function_id f = 0; f < program->functions.count; f++) {
        struct range instructions = program->functions.data[f].instructions;
        VEC_PUSH(&calls->start, (uint32_t)calls->callees.count);
        for (uint32_t i = 0; i < instructions.count; i++) {
            uint32_t count;
            const function_id *callees =
                effects_callees(threads->effects, instructions.first + i, &count);
            bool creates = count && threads_creates(threads, instructions.first + i);
            for (uint32_t k = 0; k < count && !creates; k++)
                if (caller[callees[k]] != f + 1) {
                    caller[callees[k]] = f + 1;
                    VEC_PUSH(&calls->callees, callees[k]);
                }
        }
    }
    VEC_PUSH(&calls->start, (uint32_t)calls->callees.count);
}

/* All that runs in the threads in which a circle of calls is entered, calls in these. */
static void spread_members(struct threads *threads, const struct calls *calls,
                           const function_id *members, uint32_t count) {
    struct bitset all = {0};
    for (uint32_t m = 0; m < count; m++)
        bitset_union(&all, &threads->of_function[members[m]]);
    for (uint32_t m = 0; m < count && !bitset_is_empty(&all); m++) {
        function_id f = members[m];
        bitset_union(&threads->of_function[f], &all);
        for (uint32_t i = calls->start.data[f]; i < calls->start.data[f + 1]; i++)
            bitset_union(&threads->of_function[calls->callees.data[i]], &all);
    }
    bitset_deinit(&all);
}

/* All that an entry calls runs in its thread; what it creates does not.  Callers first. */
static void spread(struct threads *threads) {
    size_t functions = threads->program->functions.count + 1;
    struct calls calls = {0};
    find_calls(threads, &calls);
    uint32_t *component CLEANUP_FREE = mem_alloc(functions * sizeof *component);
    function_id *members CLEANUP_FREE = mem_alloc(functions * sizeof *members);
    components_find((uint32_t)functions - 1, calls.start.data, calls.callees.data, component,
                    members);
    for (uint32_t end = (uint32_t)functions - 1, first; end; end = first) {
        for (first = end - 1;
             first && component[members[first - 1]] == component[members[end - 1]];)
            first--;
        spread_members(threads, &calls, members + first, end - first);
    }
    VEC_DEINIT(&calls.start);
    VEC_DEINIT(&calls.callees);
}

static bool is_in_frame(const struct threads *threads, struct pta_object object) {
    if (object.kind != PTA_MEMORY)
        return false;
    uint8_t kind = threads->program->memory.data[object.memory].kind;
    return kind == MEMORY_SLOT || kind == MEMORY_DYNAMIC || kind == MEMORY_STACK;
}

/* What a thread gets when it is created. */
static void publish_arguments(const struct threads *threads, instruction_id id, bool *published) {
    const struct instruction *call = &threads->program->instructions.data[id];
    if (!threads_creates(threads, id))
        return;
    for (uint32_t i = 0; i < call->operands.count; i++) {
        struct pta_cursor cursor = {0};
        value_id operand = threads->program->operands.data[call->operands.first + i];
        for (struct pta_target target; pta_points_to(threads->pta, operand, &cursor, &target);)
            published[target.object] = true;
    }
}

/* Objects that memory outside of frames may point to, or another thread is given. */
static bool *find_published(const struct threads *threads) {
    uint32_t count = pta_object_count(threads->pta);
    bool *published = mem_zalloc(count + 1, sizeof *published);
    struct bitset sets = {0};
    for (uint32_t o = 0; o < count; o++) {
        struct pta_object object = pta_object(threads->pta, o);
        published[o] |= (object.flags & (PTA_ESCAPED | PTA_HELD)) != 0;
        if (is_in_frame(threads, object))
            continue;
        uint32_t at = 0, set;
        while (pta_next_contents(threads->pta, o, &at, &set)) {
            if (!bitset_add(&sets, set))
                continue;
            struct pta_cursor cursor = {0};
            for (struct pta_target target; pta_in_targets(threads->pta, set, &cursor, &target);)
                published[target.object] = true;
        }
    }
    for (instruction_id i = 0; i < threads->program->instructions.count; i++)
        publish_arguments(threads, i, published);
    bitset_deinit(&sets);
    return published;
}

struct touch {
    uint32_t thread; /* plus one; the first that touches it */
    bool by_several, is_written;
};

/* Those that run last are seen by each other alone: they do not count. */
static void note_written(struct threads *threads, const struct bitset *cells,
                         const struct bitset *by) {
    uint32_t writer = 0; /* as in threads->writer */
    BITSET_EACH(thread, by)
    if (!threads->is_last[thread])
        writer = writer ? NO_ID : thread + 1;
    BITSET_EACH(cell, cells)
    if (writer)
        threads->writer[cell] =
            threads->writer[cell] && threads->writer[cell] != writer ? NO_ID : writer;
}

static void note_touched(struct touch *touches, const struct bitset *cells,
                         const struct bitset *threads) {
    uint32_t count = 0, last = 0;
    BITSET_EACH(thread, threads) {
        last = thread + 1;
        count++;
    }
    if (!count)
        return;
    BITSET_EACH(cell, cells) {
        struct touch *touch = &touches[cell];
        touch->by_several |= count > 1 || (touch->thread && touch->thread != last);
        touch->thread = last;
    }
}

/* All that a function touches is looked at once. */
static void note_cells(struct threads *threads, struct touch *touches) {
    struct cells *cells = effects_cells(threads->effects);
    for (function_id f = 0; f < threads->program->functions.count; f++) {
        struct range own = threads->program->functions.data[f].instructions;
        struct bitset regions[2] = {{0}}, touched = {0}, written = {0};
        for (uint32_t i = 0; i < own.count; i++) {
            struct effect_list list = effects_of(threads->effects, own.first + i);
            for (uint32_t k = 0; k < list.count; k++)
                if (list.effects[k].region != NO_ID)
                    bitset_add(&regions[list.effects[k].writes], list.effects[k].region);
        }
        for (int writes = 0; writes < 2; writes++) {
            BITSET_EACH(region, &regions[writes]) {
                struct bitset at = cells_of(cells, region);
                bitset_union(writes ? &written : &touched, &at);
            }
            bitset_deinit(&regions[writes]);
        }
        BITSET_EACH(cell, &written)
        touches[cell].is_written = true;
        note_written(threads, &written, &threads->of_function[f]);
        bitset_union(&touched, &written);
        note_touched(touches, &touched, &threads->of_function[f]);
        bitset_deinit(&touched);
        bitset_deinit(&written);
    }
}

static void find_shared(struct threads *threads) {
    struct cells *cells = effects_cells(threads->effects);
    uint32_t count = cells_count(cells);
    threads->is_shared = mem_zalloc(count + 1, sizeof *threads->is_shared);
    threads->writer = mem_zalloc(count + 1, sizeof *threads->writer);
    if (threads->entries.count == 1)
        return;
    struct touch *touches = mem_zalloc(count + 1, sizeof *touches);
    bool *published = find_published(threads);
    bool *is_published = cells_of_objects(cells, published);
    note_cells(threads, touches);
    for (uint32_t c = 0; c < count; c++) {
        bool is_local = cells_owner(cells, c) != NO_ID && !is_published[c];
        bool is_own = cells_is_thread_local(cells, c) && !is_published[c];
        bool by_two = touches[c].by_several || touches[c].thread > 1;
        threads->is_shared[c] = touches[c].is_written && by_two && !is_own && !is_local;
    }
    free(published);
    free(is_published);
    free(touches);
}

static bool makes_channels(const struct program *program, const struct pta *pta) {
    static const char *const names[] = {"pipe", "pipe2", "socketpair", "eventfd", NULL};
    for (instruction_id i = 0; i < program->instructions.count; i++)
        if (threads_calls(program, pta, i, names))
            return true;
    return false;
}

static bool makes_processes(const struct program *program, const struct pta *pta) {
    static const char *const names[] = {"fork", "__fork", "_Fork", "vfork", "__vfork", NULL};
    for (instruction_id i = 0; i < program->instructions.count; i++)
        if (threads_calls(program, pta, i, names))
            return true;
    return false;
}

struct threads *threads_build(struct effects *effects) {
    struct threads *threads = mem_zalloc(1, sizeof *threads);
    threads->effects = effects;
    threads->pta = effects_pta(effects);
    threads->program = pta_program(threads->pta);
    threads->of_function =
        mem_zalloc(threads->program->functions.count + 1, sizeof *threads->of_function);
    find_creating(threads);
    find_entries(threads);
    for (function_id f = 0; f < threads->program->functions.count; f++)
        if (threads->program->functions.data[f].flags & FUNCTION_DEFINED &&
            is_of_main(threads->program, f))
            bitset_add(&threads->of_function[f], 0);
    for (uint32_t t = 1; t < threads->entries.count; t++)
        bitset_add(&threads->of_function[threads->entries.data[t]], t);
    spread(threads);
    threads_find_last(threads);
    find_shared(threads);
    threads->has_forks = makes_processes(threads->program, threads->pta);
    threads->has_channels = (threads->entries.count > 1 || threads->has_forks) &&
                            makes_channels(threads->program, threads->pta);
    for (instruction_id i = 0; i < threads->program->instructions.count; i++)
        threads->has_cancels |= threads_is_cancel(threads->program, threads->pta, i);
    return threads;
}

void threads_free(struct threads *threads) {
    if (!threads)
        return;
    for (function_id f = 0; f < threads->program->functions.count; f++)
        bitset_deinit(&threads->of_function[f]);
    free(threads->of_function);
    free(threads->is_shared);
    bitset_deinit(&threads->creates);
    free(threads->is_last);
    free(threads->writer);
    VEC_DEINIT(&threads->entries);
    free(threads);
}

bool threads_may_receive(const struct threads *threads, instruction_id call) {
    static const char *const names[] = {"read",        "__read",       "__read_chk", "readv",
                                        "recv",        "__recv",       "__recv_chk", "recvfrom",
                                        "recvmsg",     "recvmmsg",     "poll",       "__poll_chk",
                                        "ppoll",       "select",       "pselect",    "epoll_wait",
                                        "epoll_pwait", "eventfd_read", NULL};
    return threads->has_channels && threads_calls(threads->program, threads->pta, call, names);
}

bool threads_has_forks(const struct threads *threads) { return threads->has_forks; }

bool threads_is_wait_for_child(const struct threads *threads, instruction_id call) {
    static const char *const names[] = {"wait",  "__wait", "waitpid", "__waitpid",
                                        "wait3", "wait4",  "waitid",  NULL};
    return threads->has_forks && threads_calls(threads->program, threads->pta, call, names);
}

/* What may wait for long, and what prints. */
bool threads_is_cancelled_at(const struct threads *threads, instruction_id call) {
    static const char *const names[] = {"pthread_testcancel", NULL};
    const struct bitset *of = &threads->of_function[program_function_of(threads->program, call)];
    if (!threads->has_cancels || !(bitset_count(of) > bitset_has(of, 0)))
        return false;
    uint32_t count;
    const function_id *callees = pta_callees(threads->pta, call, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct model_function *model =
            callees[i] == NO_ID ? NULL : pta_model(threads->pta, callees[i]);
        if (model && (model->flags & MODEL_BLOCKS || model->class == MODEL_OUTPUT))
            return true;
    }
    return threads_calls(threads->program, threads->pta, call, names);
}

bool threads_is_main(const struct threads *threads, function_id function) {
    return threads->program->functions.data[function].flags & FUNCTION_DEFINED &&
           is_of_main(threads->program, function);
}

uint32_t threads_count(const struct threads *threads) { return (uint32_t)threads->entries.count; }

function_id threads_entry(const struct threads *threads, uint32_t thread) {
    return threads->entries.data[thread];
}

bool threads_share(const struct threads *threads, uint32_t cell) {
    return threads->is_shared[cell];
}

bool threads_is_last(const struct threads *threads, function_id entry) {
    for (size_t t = 1; t < threads->entries.count; t++)
        if (threads->entries.data[t] == entry)
            return threads->is_last[t];
    return false;
}

bool threads_are_interrupts(const struct threads *threads) { return threads->are_interrupts; }

bool threads_is_left(const struct threads *threads, uint32_t cell) {
    return threads->writer[cell] > 1;
}
