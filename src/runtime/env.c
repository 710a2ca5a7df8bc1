/*
 * In which mode does the program run, and where do its stubs lead?  See env.h.
 */
#include "runtime/env.h"
#include "runtime/baton.h"
#include "runtime/process_child.h"
#include "runtime/process_invite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/capture.h"
#include "format/model_table.h"
#include "format/variant.h"
#include "runtime/answers.h"
#include "runtime/crash.h"
#include "runtime/cut.h"
#include "runtime/diverge.h"
#include "runtime/dynamic.h"
#include "runtime/echo.h"
#include "runtime/effect.h"
#include "runtime/env_record.h"
#include "runtime/env_thread.h"
#include "runtime/failure.h"
#include "runtime/fast.h"
#include "runtime/imports.h"
#include "runtime/race.h"
#include "runtime/raw.h"
#include "runtime/shadow.h"
#include "runtime/shared.h"
#include "runtime/special.h"
#include "runtime/state.h"

enum env_mode __recut_env_mode;

extern const uint8_t __recut_build_id[BUILD_ID_SIZE];
extern const uint64_t __recut_defines_malloc;

/* By function: what its slot held when the program began, and its model. */
struct env_function {
    void *real;
    void *guarded; /* with threads: what is entered in a section; NULL if it is generic */
    const struct model_function *model;
    const struct effect *effect;
    bool is_watched; /* libc's own, but what it does to memory is looked at for races */
};
static struct env_function *functions;
static const struct model_table *models;

static bool is_dynamic(uint64_t index) { return index >= DYNAMIC_BASE; }

const struct model_function *__recut_env_model(uint64_t index) {
    return is_dynamic(index) ? __recut_dynamic(index)->model : functions[index].model;
}
const struct model_table *__recut_env_models(void) { return models; }
const struct effect *__recut_env_effect(uint64_t index) {
    return is_dynamic(index) ? __recut_dynamic(index)->effect : functions[index].effect;
}
const struct env_entry *__recut_env_entry(uint64_t index) {
    return is_dynamic(index) ? &__recut_dynamic(index)->entry : &__recut_env_entries[index];
}
void *__recut_env_real(uint64_t index) {
    if (is_dynamic(index))
        return __recut_dynamic(index)->real;
    return functions ? functions[index].real : __recut_env_slots[index];
}

void *__recut_env_find(const char *name) {
    for (uint64_t i = 0; i < __recut_env_count; i++)
        if (strcmp(__recut_env_entries[i].name, name) == 0)
            return __recut_env_real(i);
    uint64_t dynamic = __recut_dynamic_index(name, strlen(name));
    return dynamic == ENV_NONE ? NULL : __recut_env_real(dynamic);
}

uint64_t __recut_env_index(const char *name, size_t length) {
    uint64_t special = __recut_special_index(name, length);
    if (special != ENV_NONE)
        return special;
    for (uint64_t i = 0; i < __recut_env_count; i++)
        if (strncmp(__recut_env_entries[i].name, name, length) == 0 &&
            __recut_env_entries[i].name[length] == '\0')
            return i;
    return __recut_dynamic_index(name, length);
}

const char *__recut_env_name(uint64_t index) {
    if (index < SPECIAL_BASE || is_dynamic(index))
        return __recut_env_entry(index)->name;
    return __recut_special_name(index);
}

static bool is_caught; /* every call comes by __recut_env_arrive() */

static void call(struct env_frame *frame) {
    const struct model_function *model = __recut_env_model(frame->index);
    /* Recording ended in the meantime, or a library calls. */
    if (__recut_env_mode == ENV_OFF || !env_is_from_program(frame->return_address)) {
        const struct env_entry *entry = __recut_env_entry(frame->index);
        frame->x87 = entry->flags & ENV_RETURNS_X87;
        __recut_env_invoke(frame, __recut_env_real(frame->index), entry->stack_bytes);
    } else if (__recut_env_mode == ENV_RECORD) {
        if (model && model->class == MODEL_REFUSED) {
            __recut_env_stop(__recut_env_name(frame->index),
                             model_table_text(models, model->reason));
            call(frame);
        } else if (model) {
            __recut_record_modelled(frame, models, model);
        } else {
            __recut_record_unmodelled(frame);
        }
    } else if (model) {
        __recut_replay_modelled(frame, models, model);
    } else {
        __recut_replay_unmodelled(frame);
    }
}

void __recut_env_call(struct env_frame *frame) { call(frame); }

/* With threads; what is to be entered with the registers as they came, or NULL. */
static void *call_guarded(struct env_frame *frame) {
    uint64_t *return_slot = (uint64_t *)frame->stack - 1;
    void *function = is_dynamic(frame->index) ? NULL : functions[frame->index].guarded;
    if (__recut_env_mode == ENV_OFF || !__recut_self.env ||
        !env_is_from_program(frame->return_address)) {
        if (function)
            return __recut_special_stays(__recut_env_name(frame->index))
                       ? function
                       : __recut_env_real(frame->index);
        call(frame);
        return NULL;
    }
    __recut_section_enter(frame->return_address);
    bool is_answer = __builtin_expect(__recut_answers_kept, 0) && __recut_env_mode == ENV_REPLAY &&
                     __recut_answer_is_kept(frame->index);
    bool is_guarded = function && __recut_section_guard(return_slot, is_answer);
    if (is_answer)
        __recut_answer_before(frame);
    if (is_guarded)
        return function;
    call(frame);
    if (is_answer)
        __recut_answer_after(frame->rax, frame->rdx, frame->xmm0);
    __recut_section_leave();
    return NULL;
}

/* What is answered is kept for tests. */
static void *call_kept(struct env_frame *frame, void *function) {
    bool is_answer = __recut_answer_is_kept(frame->index);
    if (function && (!is_answer || !__recut_section_guard((uint64_t *)frame->stack - 1, true)))
        return function;
    if (is_answer)
        __recut_answer_before(frame);
    if (function)
        return function;
    call(frame);
    if (is_answer)
        __recut_answer_after(frame->rax, frame->rdx, frame->xmm0);
    return NULL;
}

void *__recut_env_arrive(struct env_frame *frame);
void *__recut_env_arrive(struct env_frame *frame) {
    if (__builtin_expect(__recut_race_is_on, 0) && !is_dynamic(frame->index) &&
        functions[frame->index].is_watched) {
        __recut_race_native(frame, models, functions[frame->index].model);
        return functions[frame->index].real;
    }
    if (is_caught && __recut_env_mode != ENV_OFF)
        __recut_async_at_call(frame->return_address);
    if (__builtin_expect(__recut_is_threaded, 0))
        return call_guarded(frame);
    if (__builtin_expect(__recut_answers_given, 0) && __recut_answer(frame))
        return NULL;
    void *function = is_dynamic(frame->index) ? NULL : functions[frame->index].guarded;
    if (__builtin_expect(__recut_answers_kept, 0) && __recut_env_mode == ENV_REPLAY)
        return call_kept(frame, function);
    if (is_caught && function)
        return function;
    call(frame);
    return NULL;
}

/* --- slots ---------------------------------------------------------------------- */

static void *second_entry(uint64_t index) {
    return __recut_env_stubs + index * ENV_STUB_SIZE + ENV_SECOND_ENTRY;
}

static bool is_native(const struct model_function *model) {
    return model->class == MODEL_DETERMINISTIC || model->class == MODEL_NATIVE ||
           model->class == MODEL_LOCALE;
}

static void set_slot(uint64_t index, bool records) {
    const char *name = __recut_env_entries[index].name;
    const struct model_function *model = functions[index].model;
    void *special = __recut_special_find(name);
    if (!special && records)
        special = __recut_fast_find(name, index);
    if (!functions[index].real)
        return; /* weak, and not there */
    if (special)
        __recut_env_slots[index] = special;
    else if (!model || !is_native(model))
        __recut_env_slots[index] = second_entry(index);
}

static uint64_t number_of(const char *name) {
    uint64_t i = 0;
    while (i < __recut_env_count && strcmp(__recut_env_entries[i].name, name) != 0)
        i++;
    return i;
}

void __recut_env_replace(const char *name, void *function) {
    uint64_t i = number_of(name);
    if (i < __recut_env_count && __recut_env_slots[i])
        __recut_env_slots[i] = function;
}

void __recut_env_intercept(const char *name) {
    uint64_t i = number_of(name);
    if (i == __recut_env_count)
        return;
    if (!functions) {
        functions = raw_scratch((__recut_env_count + 1) * sizeof *functions);
        for (uint64_t k = 0; functions && k < __recut_env_count; k++)
            functions[k].real = __recut_env_slots[k];
    }
    if (functions && functions[i].real)
        __recut_env_slots[i] = second_entry(i);
}

void *__recut_env_generic(const char *name) { return second_entry(number_of(name)); }

/* Where a slot leads that leads elsewhere from now on: with threads, by way of the guard. */
static void set_changed(uint64_t index, void *target) {
    bool is_guarded = __recut_is_threaded && target != functions[index].real;
    functions[index].guarded = is_guarded && target != second_entry(index) ? target : NULL;
    __recut_env_slots[index] = is_guarded ? second_entry(index) : target;
}

void __recut_env_locale(bool (*is_same)(const char *name)) {
    for (uint64_t i = 0; i < __recut_env_count; i++) {
        const char *name = __recut_env_entries[i].name;
        if (!functions[i].model || functions[i].model->class != MODEL_LOCALE || !functions[i].real)
            continue;
        void *special = __recut_special_find_locale(name);
        set_changed(i, is_same(name) ? functions[i].real : special ? special : second_entry(i));
    }
}

static bool set_slots(bool records) {
    long size = (long)((__recut_env_count + 1) * sizeof *functions);
    long at =
        raw_syscall6(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at < 0 && at > -4096)
        return false;
    functions = (struct env_function *)at;
    for (uint64_t i = 0; i < __recut_env_count; i++) {
        functions[i].real = __recut_env_slots[i];
        functions[i].model = model_table_find(models, __recut_env_entries[i].name);
        functions[i].effect = __recut_effect_find(__recut_env_entries[i].name);
    }
    for (uint64_t i = 0; i < __recut_env_count; i++)
        set_slot(i, records);
    return true;
}

/* Functions that run as they are in both runs, and share something that the program does
 * not see: with threads, who comes first decides what they return. */
static bool has_hidden_state(const char *name) {
    static const char *const names[] = {
#define HIDDEN(name) #name,
#include "format/hidden_state.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Functions that only work on memory of the program's. */
static bool is_to_watch(uint64_t index) {
    const char *name = __recut_env_entries[index].name;
    const struct env_function *function = &functions[index];
    return function->real && function->model && function->model->class == MODEL_DETERMINISTIC &&
           !(function->model->flags & MODEL_ORDERS) && function->model->param_count &&
           __recut_env_slots[index] == function->real && !has_hidden_state(name);
}

static void watch_for_races(void) {
    for (uint64_t i = 0; i < __recut_env_count; i++)
        if (is_to_watch(i)) {
            functions[i].is_watched = true;
            __recut_env_slots[i] = second_entry(i);
        }
}

/* Every call that is not libc's own comes by __recut_env_arrive(). */
static void come_by_here(void) {
    for (uint64_t i = 0; i < __recut_env_count; i++) {
        const char *name = __recut_env_entries[i].name;
        bool is_changed = __recut_env_slots[i] != functions[i].real;
        if (!functions[i].real || __recut_special_is_free(name) ||
            (!is_changed && !has_hidden_state(name)))
            continue;
        if (__recut_env_slots[i] != second_entry(i))
            functions[i].guarded = __recut_env_slots[i];
        __recut_env_slots[i] = second_entry(i);
    }
}

void __recut_env_catch(void) {
    if (is_caught || __recut_env_mode == ENV_OFF)
        return;
    is_caught = true;
    come_by_here();
}

void __recut_env_keep(void) { come_by_here(); }

void __recut_env_threads(void) {
    if (__recut_race_is_on && !__recut_is_threaded)
        watch_for_races();
    __recut_env_catch();
    __recut_is_threaded = true;
}

static void restore_slots(void) {
    for (uint64_t i = 0; i < __recut_env_count; i++)
        if (!__recut_special_stays(__recut_env_entries[i].name))
            __recut_env_slots[i] = functions[i].real;
    __recut_dynamic_restore();
}

void __recut_env_leave(void) {
    struct log_writer *log = &env_thread()->out;
    __recut_env_mode = ENV_OFF;
    __recut_baton_dissolve();
    restore_slots();
    __recut_log_drop(log);
}

void __recut_env_stop(const char *function, const char *reason) {
    if (__recut_cut_mode == CUT_RECORD)
        __recut_cut_stop(function, reason);
    if (__recut_env_mode != ENV_RECORD)
        return;
    SECTION(0); /* others may be about to look at the mode */
    if (__recut_env_mode != ENV_RECORD)
        return;
    struct log_writer *log = env_thread() ? &env_thread()->out : NULL;
    __recut_say("recording ends here: ", function ? function : "the log", ": ", reason, NULL);
    __recut_env_mode = ENV_OFF;
    __recut_baton_dissolve();
    restore_slots();
    if (!log) /* a thread of a library's, which has none */
        return;
    unsigned char *p = log->chunk ? log_begin(log, EVENT_LOST, 40 + strlen(reason)) : NULL;
    if (p)
        log_end(log, put_bytes(p, reason, strlen(reason)));
    __recut_log_close(log);
}

/* --- beginning -------------------------------------------------------------------- */

/* The program does not see what steers the runtime: it differs from mode to mode,
 * and what the program starts is not recorded. The names stand last (start.c). */
static void hide_ours(char **envp) {
    static const char *const names[] = {RECORD_ENV, REPLAY_ENV, OPTIONS_ENV, VARIANT_ENV};
    char **to = envp;
    for (; *envp; envp++) {
        bool ours = false;
        for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
            ours |=
                strncmp(*envp, names[i], strlen(names[i])) == 0 && (*envp)[strlen(names[i])] == '=';
        if (!ours)
            *to++ = *envp;
    }
    *to = NULL;
}

static uint64_t option(const char *options, const char *name) {
    size_t length = strlen(name);
    for (const char *at = options; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, name, length) == 0)
            return at[length] == '=' ? strtoull(at + length + 1, NULL, 10) : 1;
    return 0;
}

/* The last of the options. */
static const char *option_text(const char *options, const char *name) {
    const char *at = options ? strstr(options, name) : NULL;
    return at ? at + strlen(name) : NULL;
}

/* A file of the trace, mapped; NULL if it is not there. */
static const void *map_file(const char *directory, const char *name, size_t *ret_size) {
    char path[4096];
    size_t length = strlen(directory);
    if (length + strlen(name) + 2 > sizeof path)
        return NULL;
    memcpy(path, directory, length);
    path[length] = '/';
    strcpy(path + length + 1, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat now;
    void *at = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &now) == 0 && now.st_size > 0)
        at = mmap(NULL, (size_t)now.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    *ret_size = at == MAP_FAILED ? 0 : (size_t)now.st_size;
    return at == MAP_FAILED ? NULL : at;
}

static char trace_directory[4096], root_directory[4096];
static const struct trace_header *trace_header;

bool __recut_env_open_stream(struct env_thread *thread, uint32_t number) {
    if (__recut_env_mode == ENV_RECORD || __recut_cut_mode == CUT_RECORD)
        return __recut_log_create(&thread->out, trace_directory, number, trace_header);
    return __recut_log_open(&thread->in, trace_directory, number, trace_header) == NULL;
}

bool __recut_env_move(struct env_thread *thread, const char *directory) {
    memset(thread->fast, 0, sizeof thread->fast);
    memset(thread->sites.entries, 0, thread->sites.size * sizeof *thread->sites.entries);
    thread->sites.count = 0;
    strcpy(trace_directory, directory);
    return __recut_env_open_stream(thread, 0);
}

const char *__recut_env_directory(void) { return trace_directory; }
const char *__recut_env_root(void) { return root_directory; }

static const char *open_trace(const char *directory, const struct trace_header **ret) {
    size_t size;
    *ret = trace_header = map_file(directory, "trace", &size);
    if (!*ret || strlen(directory) >= sizeof trace_directory)
        return "it cannot be read";
    strcpy(trace_directory, directory);
    strcpy(root_directory, directory);
    if (size < sizeof **ret || (*ret)->magic != TRACE_MAGIC || (*ret)->version != LOG_VERSION)
        return "it is no trace of this version of recut";
    models = map_file(directory, "models", &size);
    const char *wrong = models ? model_table_check(models, size) : "it has no models";
    return wrong;
}

static bool is_for_this_program(const struct trace_header *trace) {
    return memcmp(trace->build_id, __recut_build_id, BUILD_ID_SIZE) == 0;
}

static void start_recording(const char *directory, const char *options) {
    const struct trace_header *trace;
    struct env_thread *thread = env_thread();
    const char *wrong = open_trace(directory, &trace);
    /* A program that the recorded one started is not recorded. */
    if (!wrong && !is_for_this_program(trace))
        return;
    if (!wrong && !__recut_log_create(&thread->out, directory, 0, trace)) {
        if (errno == EEXIST)
            return;
        wrong = strerror(errno);
    }
    if (!wrong && trace->cut)
        wrong = __recut_cut_record(models);
    else if (!wrong && !set_slots(true))
        wrong = strerror(ENOMEM);
    if (wrong) {
        __recut_say("cannot record to ", directory, ": ", wrong, NULL);
        return;
    }
    if (trace->cut)
        return;
    if (__recut_defines_malloc)
        __recut_say("the program brings its own malloc: what libc allocates from it is not "
                    "recorded, and a replay may differ",
                    NULL);
    if (trace->serial)
        __recut_baton_init(trace->serial - 1);
    __recut_process_begin(directory, &(struct process_origin){(pid_t)option(options, "parent"),
                                                              (uint32_t)option(options, "thread"),
                                                              option(options, "event")});
    __recut_process_tool(option_text(options, "tool="));
    __recut_env_mode = ENV_RECORD;
    __recut_state_every = option(options, "hash");
    __recut_env_shared_is_logged = option(options, "analysed");
    thread->out.next_hash = __recut_state_every ? 1 : 0;
}

static void start_replay(const char *directory, const char *options) {
    const struct trace_header *trace;
    struct env_thread *thread = env_thread();
    uint64_t report = option(options, "report");
    if (report)
        __recut_report_fd = (int)report;
    const char *wrong = open_trace(directory, &trace);
    if (!wrong && !is_for_this_program(trace))
        wrong = "it was recorded with another build of this program";
    if (!wrong)
        wrong = __recut_log_open(&thread->in, directory, 0, trace);
    if (!wrong && trace->cut) {
        thread->in.stop_at = option(options, "goto");
        wrong = __recut_cut_replay(models, option(options, "verify"));
    } else if (!wrong && !set_slots(false)) {
        wrong = strerror(ENOMEM);
    }
    if (wrong) {
        __recut_say("cannot replay ", directory, ": ", wrong, NULL);
        _exit(65);
    }
    uint64_t progress = option(options, "progress");
    if (progress) {
        void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, (int)progress, 0);
        __recut_progress = at == MAP_FAILED ? NULL : at;
    }
    if (trace->cut)
        return;
    if (trace->serial)
        __recut_baton_init(trace->serial - 1);
    __recut_process_become(directory);
    __recut_env_mode = ENV_REPLAY;
    __recut_echo_quiet = option(options, "quiet");
    __recut_state_verifies = option(options, "verify");
    __recut_process_follow(option_text(options, "follow="), option(options, "goto"));
    if (__recut_is_serial)
        __recut_async_expect();
    if (option(options, "races")) {
        __recut_env_same_code = false;
        __recut_race_init((int)option(options, "races"));
    }
    if (option(options, CAPTURE_OPTION)) {
        __recut_env_same_code = false;
        __recut_failure_by_exit = option(options, CAPTURE_EXITS_OPTION);
        __recut_shadow_init((int)option(options, CAPTURE_OPTION),
                            option_text(options, CAPTURE_ENTRIES_OPTION));
    }
}

void __recut_env_init(char **argv, char **envp) {
    const char *record = __recut_variable(envp, RECORD_ENV),
               *replay = __recut_variable(envp, REPLAY_ENV);
    const char *options = __recut_variable(envp, OPTIONS_ENV);
    __recut_self.env = &__recut_env_main;
    if (replay && *replay)
        start_replay(replay, options);
    else if (record && *record)
        start_recording(record, options);
    else
        __recut_invitation_accept(argv, envp);
    if (__recut_env_mode == ENV_OFF)
        return;
    __recut_crash_init();
}

void __recut_env_start(void) {
    if (__recut_env_mode == ENV_OFF && __recut_cut_mode == CUT_OFF)
        return;
    hide_ours(environ);
    if (__recut_cut_mode == CUT_REPLAY)
        __recut_cut_run();
    if (__recut_cut_mode == CUT_RECORD)
        return;
    if (__recut_env_mode == ENV_RECORD)
        __recut_imports_record(&env_thread()->out);
    else
        __recut_imports_replay(&env_thread()->in);
}
