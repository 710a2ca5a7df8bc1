/*
 * Functions outside the program.
 *
 * With a model (format/model.h), pointers flow as it says:
 *
 *   result handle           the environment's memory, or what it only holds
 *   result argument, into   the argument, or anywhere in what it points to
 *   result static, owned    memory whose contents the model describes
 *   result new              a heap object
 *   in, out                 a message of constant size may carry pointers, which come
 *                           back by an `out` of a function that is not deterministic
 *   kept                    out: the environment writes there when it likes; else
 *                           it hands the pointer back, as a result or to callbacks
 *   copies, stores, loads, calls, returns
 *
 * Text is taken to hold no pointers.  Functions of recut's runtime are in a table
 * here: what stands behind them makes objects, threads and contexts.
 *
 * Without a model, or with `refused`: everything that the arguments lead to is in
 * the environment's reach for good, and the result is anything that it has seen.
 */
#include <string.h>

#include "analysis/model_length.h"
#include "analysis/pta_impl.h"

enum { NOT = -1 };

enum builtin_flag {
    BUILTIN_NEW = 1,      /* returns an object that it made */
    BUILTIN_HANDLERS = 2, /* sets and returns handlers of signals */
    BUILTIN_CONTEXT = 4,  /* calls with the arguments behind the next one */
    BUILTIN_HOLDS = 8,    /* keeps the argument that is `passed`, to hand it back */
    BUILTIN_HELD = 16,    /* hands such a one back: as its result, through what is `passed`, or to
                             what is `called` */
};

static const struct builtin {
    const char *name;
    uint8_t flags;
    int8_t given_back;     /* argument that it may return */
    int8_t out;            /* argument that an object's address is stored through */
    int8_t called, passed; /* argument that is a function, argument that it gets */
} builtins[] = {
    {"malloc", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"calloc", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"realloc", BUILTIN_NEW, 0, NOT, NOT, NOT},
    {"reallocarray", BUILTIN_NEW, 0, NOT, NOT, NOT},
    {"memalign", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"aligned_alloc", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"posix_memalign", 0, NOT, 0, NOT, NOT},
    {"valloc", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"pvalloc", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"free", 0, NOT, NOT, NOT, NOT},
    {"cfree", 0, NOT, NOT, NOT, NOT},
    {"malloc_usable_size", 0, NOT, NOT, NOT, NOT},
    {"strdup", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"__strdup", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"strndup", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"__strndup", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"wcsdup", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"asprintf", 0, NOT, 0, NOT, NOT},
    {"vasprintf", 0, NOT, 0, NOT, NOT},
    {"__asprintf_chk", 0, NOT, 0, NOT, NOT},
    {"__vasprintf_chk", 0, NOT, 0, NOT, NOT},
    {"getline", 0, NOT, 0, NOT, NOT},
    {"getdelim", 0, NOT, 0, NOT, NOT},
    {"__getdelim", 0, NOT, 0, NOT, NOT},
    {"realpath", BUILTIN_NEW, 1, NOT, NOT, NOT},
    {"__realpath_chk", BUILTIN_NEW, 1, NOT, NOT, NOT},
    {"canonicalize_file_name", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"getcwd", BUILTIN_NEW, 0, NOT, NOT, NOT},
    {"__getcwd_chk", BUILTIN_NEW, 0, NOT, NOT, NOT},
    {"get_current_dir_name", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"tempnam", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"mmap", BUILTIN_NEW, 0, NOT, NOT, NOT},
    {"mmap64", BUILTIN_NEW, 0, NOT, NOT, NOT},
    {"munmap", 0, NOT, NOT, NOT, NOT},
    {"mremap", BUILTIN_NEW, 0, NOT, NOT, NOT},
    {"shmat", BUILTIN_NEW, 1, NOT, NOT, NOT},
    {"sbrk", BUILTIN_NEW, NOT, NOT, NOT, NOT},
    {"brk", 0, NOT, NOT, NOT, NOT},
    {"makecontext", BUILTIN_CONTEXT, NOT, NOT, 1, NOT},
    {"swapcontext", 0, NOT, NOT, NOT, NOT},
    {"pthread_create", 0, NOT, NOT, 2, 3},
    {"thrd_create", 0, NOT, NOT, 1, 2},
    {"pthread_exit", BUILTIN_HOLDS, NOT, NOT, NOT, 0},
    {"pthread_join", BUILTIN_HELD, NOT, NOT, NOT, 1},
    {"pthread_tryjoin_np", BUILTIN_HELD, NOT, NOT, NOT, 1},
    {"pthread_timedjoin_np", BUILTIN_HELD, NOT, NOT, NOT, 1},
    {"pthread_setspecific", BUILTIN_HOLDS, NOT, NOT, NOT, 1},
    {"pthread_getspecific", BUILTIN_HELD, NOT, NOT, NOT, NOT},
    {"tss_set", BUILTIN_HOLDS, NOT, NOT, NOT, 1},
    {"tss_get", BUILTIN_HELD, NOT, NOT, NOT, NOT},
    {"pthread_key_create", BUILTIN_HELD, NOT, NOT, 1, NOT},
    {"__pthread_key_create", BUILTIN_HELD, NOT, NOT, 1, NOT},
    {"tss_create", BUILTIN_HELD, NOT, NOT, 1, NOT},
    {"sigaction", BUILTIN_HANDLERS, NOT, NOT, NOT, NOT},
    {"signal", BUILTIN_HANDLERS, NOT, NOT, 1, NOT},
    {"bsd_signal", BUILTIN_HANDLERS, NOT, NOT, 1, NOT},
    {"sysv_signal", BUILTIN_HANDLERS, NOT, NOT, 1, NOT},
    {"__sysv_signal", BUILTIN_HANDLERS, NOT, NOT, 1, NOT},
    {"sigset", BUILTIN_HANDLERS, NOT, NOT, 1, NOT},
    /* No redirections, but part of the language. */
    {"setjmp", 0, NOT, NOT, NOT, NOT},
    {"_setjmp", 0, NOT, NOT, NOT, NOT},
    {"__sigsetjmp", 0, NOT, NOT, NOT, NOT},
    {"longjmp", 0, NOT, NOT, NOT, NOT},
    {"_longjmp", 0, NOT, NOT, NOT, NOT},
    {"siglongjmp", 0, NOT, NOT, NOT, NOT},
    {"__longjmp_chk", 0, NOT, NOT, NOT, NOT},
    {"llvm.eh.sjlj.setjmp", 0, NOT, NOT, NOT, NOT},
    {"llvm.eh.sjlj.longjmp", 0, NOT, NOT, NOT, NOT},
    {"exit", 0, NOT, NOT, NOT, NOT},
    {"_exit", 0, NOT, NOT, NOT, NOT},
    {"_Exit", 0, NOT, NOT, NOT, NOT},
    {"abort", 0, NOT, NOT, NOT, NOT},
};

static value_id argument(const struct pta *pta, uint32_t call, uint32_t number) {
    return pta_operand(pta, &pta->program->instructions.data[pta->calls.data[call].instruction],
                       number);
}

/* The functions that `function` points to are called with what `parameter` holds. */
static void calls(struct pta *pta, uint32_t function, uint32_t parameter, uint32_t returned) {
    VEC_PUSH(&pta->callbacks, (struct callback){parameter, returned});
    andersen_watch(pta->solver, function,
                   pta_datum(WATCH_CALLBACK, (uint32_t)pta->callbacks.count - 1));
}

void pta_unknown(struct pta *pta, uint32_t id) {
    const struct call *call = &pta->calls.data[id];
    const struct instruction *instruction = &pta->program->instructions.data[call->instruction];
    pta_show_names(pta);
    for (uint32_t i = 0; i < instruction->operands.count; i++)
        andersen_copy(pta->solver, pta->reach, pta_operand(pta, instruction, i));
    if (call->plain != NO_ID)
        andersen_copy(pta->solver, call->plain, pta->seen);
}

/* It runs in replay too, so nothing escapes; but it may mix all that it gets. */
void pta_assembly(struct pta *pta, const struct instruction *instruction) {
    uint32_t node = andersen_node(pta->solver);
    for (uint32_t i = 0; i < instruction->operands.count; i++)
        andersen_shift(pta->solver, node, pta_operand(pta, instruction, i), 0, ANYWHERE, 0);
    uint32_t call = pta->call_of[instruction - pta->program->instructions.data];
    uint32_t result = call == NO_ID ? instruction->result : pta->calls.data[call].plain;
    if (result != NO_ID)
        andersen_copy(pta->solver, result, node);
    andersen_watch(pta->solver, node, pta_datum(WATCH_ASSEMBLY, node));
}

/* Handlers come in by a struct or an argument, and go out the same ways. */
static void sets_handlers(struct pta *pta, uint32_t id, const struct builtin *builtin) {
    const struct call *call = &pta->calls.data[id];
    if (builtin->called != NOT) {
        andersen_copy(pta->solver, pta->handlers, argument(pta, id, (uint32_t)builtin->called));
        if (call->plain != NO_ID)
            andersen_copy(pta->solver, call->plain, pta->handlers);
        return;
    }
    andersen_copy(pta->solver, pta->handlers, pta_contents_of(pta, argument(pta, id, 1)));
    pta_fill_contents(pta, argument(pta, id, 2), pta->handlers);
}

static void call_builtin(struct pta *pta, uint32_t id, const struct builtin *builtin) {
    const struct instruction *instruction =
        &pta->program->instructions.data[pta->calls.data[id].instruction];
    int most = builtin->called > builtin->passed ? builtin->called : builtin->passed;
    if (builtin->flags & BUILTIN_HANDLERS && builtin->called == NOT)
        most = 2;
    if ((int)instruction->operands.count <= most ||
        (int)instruction->operands.count <= builtin->out)
        return; /* called by a wrong type: it fails anyhow */
    if (builtin->flags & BUILTIN_NEW)
        pta_allocates(pta, id, (struct move){0});
    if (builtin->given_back != NOT)
        pta_returns_argument(pta, id, (uint32_t)builtin->given_back);
    if (builtin->out != NOT)
        pta_allocates_behind(pta, id, (uint32_t)builtin->out);
    if (builtin->flags & BUILTIN_HOLDS)
        andersen_copy(pta->solver, pta->held, argument(pta, id, (uint32_t)builtin->passed));
    if (builtin->flags & BUILTIN_HELD && builtin->passed != NOT)
        andersen_store(pta->solver, argument(pta, id, (uint32_t)builtin->passed), pta->held, 0,
                       GRANULE);
    else if (builtin->flags & BUILTIN_HELD && builtin->called == NOT &&
             pta->calls.data[id].plain != NO_ID)
        andersen_copy(pta->solver, pta->calls.data[id].plain, pta->held);
    if (builtin->flags & BUILTIN_HANDLERS)
        sets_handlers(pta, id, builtin);
    else if (builtin->called != NOT) {
        uint32_t passed = andersen_node(pta->solver);
        if (builtin->passed != NOT)
            andersen_copy(pta->solver, passed, argument(pta, id, (uint32_t)builtin->passed));
        if (builtin->flags & BUILTIN_HELD)
            andersen_copy(pta->solver, passed, pta->held);
        for (uint32_t i = (uint32_t)builtin->called + 2;
             builtin->flags & BUILTIN_CONTEXT && i < instruction->operands.count; i++)
            andersen_copy(pta->solver, passed, pta_operand(pta, instruction, i));
        calls(pta, argument(pta, id, (uint32_t)builtin->called), passed, pta->held);
    }
}

/* A call of a function with a model. */
struct modelled {
    struct pta *pta;
    uint32_t call;
    function_id function;
    const struct model_table *table;
    const struct model_function *model;
};

static bool is_replayed(const struct model_function *model) {
    return model->class == MODEL_DETERMINISTIC || model->class == MODEL_LOCALE ||
           model->class == MODEL_NATIVE;
}

static const struct model_param *param(const struct modelled *m, uint32_t number) {
    return number < m->model->param_count ? model_table_param(m->table, m->model, number) : NULL;
}

static const struct instruction *call_of(const struct modelled *m) {
    return &m->pta->program->instructions.data[m->pta->calls.data[m->call].instruction];
}

/* The node of a place of a model, NO_ID if the call does not have it. */
static uint32_t place(const struct modelled *m, uint32_t number) {
    if (number == MODEL_PLACE_RESULT)
        return m->pta->calls.data[m->call].result;
    return number == MODEL_PLACE_NONE ? NO_ID : argument(m->pta, m->call, number);
}

static uint32_t remembered(const struct modelled *m) {
    struct function_info *info = &m->pta->functions[m->function];
    if (info->remembered == NO_ID)
        info->remembered = andersen_node(m->pta->solver);
    return info->remembered;
}

static bool has_entry(const struct modelled *m, enum model_call_kind kind, uint32_t to) {
    for (uint32_t i = 0; i < m->model->call_count; i++) {
        const struct model_call *entry = model_table_call(m->table, m->model, i);
        if (entry->kind == kind && entry->to == to)
            return true;
    }
    return false;
}

static bool is_text(const struct modelled *m, uint32_t number) {
    const struct model_param *of = number == MODEL_PLACE_RESULT ? NULL : param(m, number);
    return of && (of->kind == MODEL_PARAM_STRING || of->kind == MODEL_PARAM_OUT_STRING ||
                  of->kind == MODEL_PARAM_INOUT_STRING);
}

static void keep(const struct modelled *m, uint32_t number, uint32_t kind, uint32_t node) {
    struct pta *pta = m->pta;
    bool is_result =
        (m->model->result == MODEL_RESULT_INTO || m->model->result == MODEL_RESULT_ARGUMENT) &&
        m->model->result_param == number;
    switch (kind) {
    case MODEL_PARAM_OUT:
    case MODEL_PARAM_INOUT:
    case MODEL_PARAM_OUT_STRING:
    case MODEL_PARAM_INOUT_STRING:
    case MODEL_PARAM_OUT_TYPE:
    case MODEL_PARAM_OUT_POINTER:
    case MODEL_PARAM_OUT_IOVEC:
        andersen_copy(pta->solver, is_result ? remembered(m) : pta->reach, node);
        break;
    default:
        andersen_copy(pta->solver, is_result ? remembered(m) : pta->held, node);
    }
}

/*
 * Bytes go out or come in, and a pointer may travel among them: to another thread
 * through a pipe, to a later call through epoll.  It is followed when it goes out
 * in a message of constant size; a buffer that is filled to a varying length is
 * taken to hold plain data.
 */
static void exchange(const struct modelled *m, const struct model_param *of, uint32_t node) {
    enum { LONGEST_MESSAGE = 512 };
    struct pta *pta = m->pta;
    uint64_t bytes;
    switch (of->kind) {
    case MODEL_PARAM_IN:
    case MODEL_PARAM_INOUT:
    case MODEL_PARAM_OUT:
    case MODEL_PARAM_OUT_TYPE:
        break;
    default:
        return;
    }
    if (is_replayed(m->model)) {
        if (of->kind == MODEL_PARAM_INOUT) /* it may sort them */
            pta_fill_contents(pta, node, pta_contents_of(pta, node));
        return;
    }
    bytes = model_length_of(pta->program, call_of(m), m->table, of);
    bool is_message = bytes && bytes <= LONGEST_MESSAGE;
    bool is_in = of->kind == MODEL_PARAM_IN || of->kind == MODEL_PARAM_INOUT;
    for (uint64_t k = 0; is_message && k + GRANULE <= bytes; k += GRANULE) {
        if (is_in)
            andersen_load(pta->solver, pta->data, node, (int64_t)k, GRANULE);
        if (of->kind != MODEL_PARAM_IN)
            andersen_store(pta->solver, node, pta->data, (int64_t)k, GRANULE);
    }
    if (!is_message && of->kind != MODEL_PARAM_IN)
        pta_fill_contents(pta, node, pta->data);
}

static void hand_out(const struct modelled *m, const struct model_param *of, uint32_t number,
                     uint32_t node) {
    struct pta *pta = m->pta;
    uint32_t address = andersen_node(pta->solver);
    if (of->type || of->kind == MODEL_PARAM_OUT_TYPE)
        andersen_address(pta->solver, address, pta_described(pta, m->function), 0);
    else if (has_entry(m, MODEL_STORES, number))
        return;
    else
        andersen_address(pta->solver, address, pta->handles, 0);
    if (of->kind == MODEL_PARAM_OUT_POINTER)
        andersen_store(pta->solver, node, address, 0, GRANULE);
    else if (model_table_type(m->table, of->type)->field_count)
        pta_fill_contents(pta, node, address);
}

/* A function that the model does not say more of: called whenever. */
static void call_whenever(const struct modelled *m, uint32_t node) {
    struct pta *pta = m->pta;
    uint32_t passed = andersen_node(pta->solver);
    andersen_copy(pta->solver, passed, pta->seen);
    for (uint32_t i = 0; i < m->model->param_count; i++)
        if (param(m, i)->kind == MODEL_PARAM_POINTER && place(m, i) != NO_ID)
            andersen_copy(pta->solver, passed, place(m, i));
    calls(pta, node, passed, pta->held);
}

static void parameter(const struct modelled *m, uint32_t number) {
    const struct model_param *of = param(m, number);
    uint32_t node = place(m, number);
    if (node == NO_ID)
        return;
    switch (of->kind) {
    case MODEL_PARAM_FUNCTION:
        if (!has_entry(m, MODEL_CALLS, number))
            call_whenever(m, node);
        break;
    case MODEL_PARAM_OUT_TYPE:
    case MODEL_PARAM_OUT_POINTER:
        hand_out(m, of, number, node);
        exchange(m, of, node);
        break;
    default:
        exchange(m, of, node);
    }
    if (of->kept)
        keep(m, number, of->kind, node);
}

static void flow(const struct modelled *m, const struct model_call *entry) {
    struct pta *pta = m->pta;
    uint32_t from = place(m, entry->from), to = place(m, entry->to);
    if (entry->kind == MODEL_CALLS && to != NO_ID) {
        /* Without a word of what it is passed, that is the environment's: a path, a struct FTW. */
        uint32_t theirs = andersen_node(pta->solver);
        andersen_address(pta->solver, theirs, pta->handles, 0);
        calls(pta, to, from == NO_ID ? theirs : pta_anywhere(pta, from), NO_ID);
        return;
    }
    if (from == NO_ID || to == NO_ID)
        return;
    uint32_t loaded;
    switch (entry->kind) {
    case MODEL_COPIES:
        if (!is_text(m, entry->from))
            pta_fill_contents(pta, to, pta_contents_of(pta, from));
        break;
    case MODEL_STORES:
        andersen_store(pta->solver, to,
                       is_text(m, entry->from) ? pta_within(pta, from) : pta_anywhere(pta, from), 0,
                       GRANULE);
        break;
    case MODEL_LOADS: /* and it moves on, where it was stored */
        loaded = andersen_node(pta->solver);
        andersen_load(pta->solver, loaded, from, 0, GRANULE);
        loaded = pta_anywhere(pta, loaded);
        andersen_store(pta->solver, from, loaded, 0, GRANULE);
        if (entry->to == MODEL_PLACE_RESULT)
            andersen_copy(pta->solver, pta->calls.data[m->call].plain, loaded);
        else
            andersen_store(pta->solver, to, loaded, 0, GRANULE);
        break;
    case MODEL_RETURNS:
        pta_returns_argument(pta, m->call, entry->from);
        break;
    default:
        break;
    }
}

/* Handles that programs call. */
static bool is_code(const struct modelled *m) {
    const char *name = m->pta->program->functions.data[m->function].name;
    return strcmp(name, "dlsym") == 0 || strcmp(name, "dlvsym") == 0;
}

static void result(const struct modelled *m) {
    struct pta *pta = m->pta;
    uint32_t node = pta->calls.data[m->call].plain, from = place(m, m->model->result_param);
    if (node == NO_ID)
        return;
    switch (m->model->result) {
    case MODEL_RESULT_HANDLE:
        if (is_replayed(m->model)) { /* a table that replay fetches again */
            andersen_address(pta->solver, node, pta_described(pta, m->function), 0);
            break;
        }
        andersen_address(pta->solver, node, is_code(m) ? pta->environment : pta->handles, 0);
        andersen_copy(pta->solver, node, pta->held);
        break;
    case MODEL_RESULT_ARGUMENT:
        pta_returns_argument(pta, m->call, m->model->result_param);
        break;
    case MODEL_RESULT_INTO:
        if (from != NO_ID)
            andersen_copy(pta->solver, node,
                          is_text(m, m->model->result_param) ? pta_within(pta, from)
                                                             : pta_anywhere(pta, from));
        if (param(m, m->model->result_param) && param(m, m->model->result_param)->kept)
            andersen_shift(pta->solver, node, remembered(m), 0, ANYWHERE, 0);
        break;
    case MODEL_RESULT_STATIC_STRING:
        andersen_shift(pta->solver, node, pta->held, 0, ANYWHERE, 0); /* getenv after putenv */
        andersen_address(pta->solver, node, pta_described(pta, m->function), 0);
        break;
    case MODEL_RESULT_STATIC_TYPE:
    case MODEL_RESULT_LASTING_STRING:
    case MODEL_RESULT_OWNED_STRING:
        andersen_address(pta->solver, node, pta_described(pta, m->function), 0);
        break;
    case MODEL_RESULT_NEW:
        pta_allocates(pta, m->call, (struct move){0});
        break;
    default: /* a pointer that is only a value to the recorder: to errno, say */
        if (pta->program->types
                    .data[pta->program->values.data[pta->calls.data[m->call].result].type]
                    .kind == TYPE_POINTER &&
            !has_entry(m, MODEL_LOADS, MODEL_PLACE_RESULT))
            andersen_address(pta->solver, node,
                             is_replayed(m->model) || m->model->class == MODEL_SPECIAL
                                 ? pta_described(pta, m->function)
                                 : pta->handles,
                             0);
        break;
    }
}

/* Does a format of scanf() ask for a block ("%ms")?  NULL: nothing is known of it. */
static bool asks_for_block(const char *format) {
    for (const char *at = format; at && (at = strchr(at, '%')); at++) {
        at += 1 + strspn(at + 1, "*'$0123456789");
        if (*at == 'm')
            return true;
        if (!*at)
            break;
    }
    return !format;
}

static const char *constant_text(const struct pta *pta, value_id value) {
    const struct program *program = pta->program;
    const struct value *of = value == NO_ID ? NULL : &program->values.data[value];
    if (!of || of->kind != VALUE_GLOBAL)
        return NULL;
    const struct memory *memory = &program->memory.data[of->definition];
    if (!(memory->flags & MEMORY_CONSTANT) || memory->initial == NO_ID)
        return NULL;
    return program->values.data[memory->initial].text;
}

/* Texts that scanf() makes blocks for; its format is the last parameter. */
static void scan(const struct modelled *m, const struct instruction *instruction) {
    uint32_t first = m->model->param_count;
    if (!first || !asks_for_block(constant_text(m->pta, place(m, first - 1))))
        return;
    for (uint32_t i = first; i < instruction->operands.count; i++)
        pta_allocates_behind(m->pta, m->call, i);
}

static void call_modelled(const struct modelled *m) {
    struct pta *pta = m->pta;
    const struct instruction *instruction =
        &pta->program->instructions.data[pta->calls.data[m->call].instruction];
    result(m);
    for (uint32_t i = 0; i < m->model->param_count; i++)
        parameter(m, i);
    for (uint32_t i = 0; i < m->model->call_count; i++)
        flow(m, model_table_call(m->table, m->model, i));
    /* printf reads behind the `...`; what is neither that nor scanf (ioctl) may fill. */
    bool is_format = m->model->class == MODEL_OUTPUT || m->model->flags & MODEL_SCANS ||
                     is_replayed(m->model) || m->model->class == MODEL_SPECIAL;
    for (uint32_t i = m->model->param_count;
         m->model->flags & MODEL_VARIADIC && !is_format && i < instruction->operands.count; i++)
        pta_fill_contents(pta, pta_operand(pta, instruction, i), pta->data);
    if (m->model->flags & MODEL_SCANS && m->model->flags & MODEL_VARIADIC)
        scan(m, instruction);
}

void pta_external(struct pta *pta, uint32_t call, function_id id) {
    const struct function *function = &pta->program->functions.data[id];
    const char *name = function->name;
    if (function->flags & FUNCTION_RUNTIME)
        name += strlen("__recut_");
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (strcmp(builtins[i].name, name) == 0) {
            call_builtin(pta, call, &builtins[i]);
            return;
        }
    if (pta_search(pta, call, id, name))
        return;
    const struct model_function *model = pta->functions[id].model;
    if (model && model->class != MODEL_REFUSED)
        call_modelled(&(struct modelled){pta, call, id, pta->options.models, model});
    else if (!(function->flags & FUNCTION_RUNTIME)) {
        pta->functions[id].is_unmodelled = true;
        pta_unknown(pta, call);
    }
}
