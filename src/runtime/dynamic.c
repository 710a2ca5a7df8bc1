/* What does dlsym() give a program that is recorded or replayed?  See dynamic.h. */
#include "runtime/dynamic.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "format/layout.h"
#include "format/model_table.h"
#include "runtime/effect.h"
#include "runtime/heap.h"
#include "runtime/raw.h"
#include "runtime/shared.h"
#include "runtime/special_data.h"

enum { most = 1024, stub_size = 32, second_entry = 6, name_size = 128, argument_bytes = 128 };

#define STUBS_AREA (RECUT_TABLES_END - RECUT_MIB)
#define SLOTS ((void **)STUBS_AREA)          /* [0] is __recut_env_enter */
#define CODE (STUBS_AREA + (most + 512) * 8) /* a page boundary */
#define CODE_END (CODE + most * stub_size)

static struct dynamic *entries; /* mapped with the first one */
static char (*names)[name_size];
static unsigned count;

/* Not there where the program has a malloc of its own. */
#pragma weak __recut_malloc
#pragma weak __recut_calloc
#pragma weak __recut_realloc
#pragma weak __recut_reallocarray
#pragma weak __recut_free
#pragma weak __recut_memalign
#pragma weak __recut_aligned_alloc
#pragma weak __recut_posix_memalign
#pragma weak __recut_malloc_usable_size

/* A program that is linked statically has neither, and no library. */
#pragma weak dlsym
#pragma weak dladdr

void __recut_env_enter(void);

/* --- stubs ------------------------------------------------------------------------------ */

static void write_stub(unsigned char *at, unsigned number) {
    static const unsigned char jump[] = {0xff, 0x25}, push = 0x68;
    uint32_t index = DYNAMIC_BASE + number;
    int32_t slot = (int32_t)((uint64_t)&SLOTS[1 + number] - ((uint64_t)at + 6));
    int32_t enter = (int32_t)((uint64_t)&SLOTS[0] - ((uint64_t)at + 17));
    memcpy(at, jump, 2);
    memcpy(at + 2, &slot, 4);
    at[6] = push;
    memcpy(at + 7, &index, 4);
    memcpy(at + 11, jump, 2);
    memcpy(at + 13, &enter, 4);
}

static bool make_stubs(void) {
    uint64_t table = CODE_END, table_size = most * (sizeof *entries + sizeof *names);
    if (entries)
        return true;
    if (raw_map_at(STUBS_AREA, table - STUBS_AREA + table_size) != 0)
        return false;
    for (unsigned i = 0; i < most; i++)
        write_stub((unsigned char *)CODE + i * stub_size, i);
    if (raw_syscall3(SYS_mprotect, CODE, CODE_END - CODE, PROT_READ | PROT_EXEC) != 0)
        return false;
    SLOTS[0] = (void *)__recut_env_enter;
    entries = (struct dynamic *)table;
    names = (char(*)[name_size])(entries + most);
    return true;
}

static void *stub_of(unsigned number) { return (void *)(CODE + number * stub_size); }

/* --- entries ----------------------------------------------------------------------------- */

const struct dynamic *__recut_dynamic(uint64_t index) { return &entries[index - DYNAMIC_BASE]; }

uint64_t __recut_dynamic_index(const char *name, size_t length) {
    for (unsigned i = 0; i < count; i++)
        if (strncmp(entries[i].entry.name, name, length) == 0 &&
            entries[i].entry.name[length] == '\0')
            return DYNAMIC_BASE + i;
    return ENV_NONE;
}

void __recut_dynamic_restore(void) {
    for (unsigned i = 0; i < count; i++)
        SLOTS[1 + i] = entries[i].real;
}

/* Where the calls of a stub go. */
static void set_slot(unsigned number) {
    const struct dynamic *entry = &entries[number];
    void *special = __recut_special_find(entry->entry.name);
    if (special)
        SLOTS[1 + number] = special;
    else if (entry->model && entry->model->class == MODEL_NATIVE && entry->real)
        SLOTS[1 + number] = entry->real;
    else
        SLOTS[1 + number] = (char *)stub_of(number) + second_entry;
}

static bool is_taken(const char *name) {
    uint64_t index = __recut_env_index(name, strlen(name));
    return index < SPECIAL_BASE || (index >= DYNAMIC_BASE && index != ENV_NONE);
}

/* Functions of several libraries may have one name; the log tells them apart.  `is_other`:
 * whatever is known of the name is not about this function. */
static bool unique_name(const char *name, bool is_other, char *text) {
    char digits[24];
    if (strlen(name) + sizeof digits >= name_size)
        return false;
    strcpy(text, name);
    for (uint64_t k = 2; is_other || is_taken(text); k++, is_other = false)
        strcat(strcat(strcpy(text, name), "#"), __recut_decimal(k, digits));
    return true;
}

/* `name`: as unique_name() made it. */
static bool add_entry(const char *name, void *real) {
    if (strlen(name) >= name_size)
        return false;
    struct dynamic *entry = &entries[count];
    entry->model = model_table_find(__recut_env_models(), name);
    entry->effect = __recut_effect_find(name);
    entry->real = real;
    bool x87 = entry->model && entry->model->result == MODEL_RESULT_LONGDOUBLE;
    entry->entry =
        (struct env_entry){strcpy(names[count], name), argument_bytes, x87 ? ENV_RETURNS_X87 : 0};
    set_slot(count++);
    return true;
}

/* --- what an address is ------------------------------------------------------------------- */

struct search {
    uint64_t address;
    bool is_code;
};

static int look(struct dl_phdr_info *info, size_t size, void *data) {
    struct search *search = data;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uint64_t low = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && search->address >= low &&
            search->address < low + part->p_memsz)
            search->is_code = part->p_flags & PF_X;
    }
    return search->is_code;
}

static bool is_function(const void *address) {
    struct search search = {(uint64_t)address, false};
    dl_iterate_phdr(look, &search);
    return search.is_code;
}

/* The program's heap is the runtime's under every name. */
static void *heap_function(const char *name) {
    static const struct {
        const char *name;
        void *function;
    } functions[] = {
        {"malloc", (void *)__recut_malloc},
        {"calloc", (void *)__recut_calloc},
        {"realloc", (void *)__recut_realloc},
        {"reallocarray", (void *)__recut_reallocarray},
        {"free", (void *)__recut_free},
        {"memalign", (void *)__recut_memalign},
        {"aligned_alloc", (void *)__recut_aligned_alloc},
        {"posix_memalign", (void *)__recut_posix_memalign},
        {"malloc_usable_size", (void *)__recut_malloc_usable_size},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    return NULL;
}

/* The stub of the executable, if it has one for this very function. */
static void *static_stub(const char *name, const void *real) {
    for (uint64_t i = 0; i < __recut_env_count; i++)
        if (strcmp(__recut_env_entries[i].name, name) == 0 && __recut_env_real(i) == real)
            return __recut_env_stubs + i * ENV_STUB_SIZE;
    return NULL;
}

/* Is there a function of that name that every library sees, and this is another?  A plugin
 * may well have a `write` of its own. */
static bool is_other(const char *name, const void *real) {
    const void *common = dlsym ? dlsym(RTLD_DEFAULT, name) : NULL;
    if (!common && dlsym)
        dlerror(); /* the program is not to hear of it */
    return common && common != real;
}

/* A program that names no function without a model was not analysed for what they do. */
static void tell_unknown(const char *name) {
    static bool is_said;
    if (is_said || __recut_env_shared_is_logged || model_table_find(__recut_env_models(), name))
        return;
    is_said = true;
    __recut_say(name, "() has no model: what such functions write to memory, or keep there, is ",
                "recorded with `recut record --shared` only", NULL);
}

/* What the program gets for what dlsym() found. */
static void *stand_in(const char *name, void *real) {
    if (!real || (uint64_t)real < RECUT_ARGS_BASE || !is_function(real))
        return real; /* the program's own, or data */
    void *known = heap_function(name);
    if (!known)
        known = static_stub(name, real);
    if (known)
        return known;
    for (unsigned i = 0; i < count; i++)
        if (entries[i].real == real)
            return stub_of(i);
    char unique[name_size];
    tell_unknown(name);
    if (count == most || !make_stubs() || !unique_name(name, is_other(name, real), unique) ||
        !add_entry(unique, real)) {
        __recut_env_stop("dlsym", "too many functions are looked up by name");
        return real;
    }
    return stub_of(count - 1);
}

/* --- dlsym ---------------------------------------------------------------------------------- */

struct lookup {
    enum special special;
    uint64_t from;
    void *library;
    const char *name, *version;
};

/* The name under which calls of a stub of ours are logged. */
static const char *name_of(const void *stub) {
    uint64_t at = (uint64_t)stub;
    return at >= CODE && at < CODE_END ? entries[(at - CODE) / stub_size].entry.name : NULL;
}

static void log_given(const struct lookup *lookup, void *given, int old) {
    if (__recut_env_mode != ENV_RECORD)
        return;
    unsigned char *p =
        __recut_special_write(lookup->special, lookup->from, old,
                              100 + __recut_special_text_bound(lookup->name) +
                                  __recut_special_text_bound(lookup->version) + name_size);
    if (!p)
        return;
    p = put_svarint(p, (intptr_t)lookup->library);
    p = __recut_special_put_text(p, lookup->name);
    if (lookup->version)
        p = __recut_special_put_text(p, lookup->version);
    p = __recut_special_result(p, (intptr_t)given, old);
    const char *logged = name_of(given);
    p = put_varint(p, logged != NULL);
    if (logged)
        p = put_bytes(put_varint(p, OUTPUT_TEXT), logged, strlen(logged));
    __recut_special_end(p);
}

static void *record(const struct lookup *lookup) {
    int old = errno;
    void *real = lookup->version ? REAL(dlvsym)(lookup->library, lookup->name, lookup->version)
                                 : REAL(dlsym)(lookup->library, lookup->name);
    int error = errno;
    void *given = stand_in(lookup->name, real);
    errno = error;
    log_given(lookup, given, old);
    return given;
}

/* Functions that a replay calls, too, are libc's and there without any library. */
static void add_replayed(struct log_reader *log, const char *name) {
    const struct model_function *model = model_table_find(__recut_env_models(), name);
    bool is_called = model && model->class == MODEL_NATIVE;
    void *real = is_called && dlsym ? dlsym(RTLD_DEFAULT, name) : NULL;
    if ((is_called && !real) || !make_stubs() || !add_entry(name, real))
        __recut_replay_damaged(log);
}

static void *replay(const struct lookup *lookup) {
    struct log_reader *log = __recut_special_read(lookup->special, lookup->from);
    __recut_special_input(log, "library", (intptr_t)lookup->library);
    __recut_special_text(log, "name", lookup->name);
    if (lookup->version)
        __recut_special_text(log, "version", lookup->version);
    uint64_t given = (uint64_t)__recut_special_take_result(log);
    char logged[name_size] = "";
    uint64_t outputs = get_varint(log);
    if (outputs == 1 && get_varint(log) == OUTPUT_TEXT) {
        size_t length;
        const unsigned char *text = get_bytes(log, &length);
        if (length < sizeof logged)
            memcpy(logged, text, length);
    } else if (outputs) {
        log->damaged = true;
    }
    if (given >= CODE && given < CODE_END && (given - CODE) / stub_size >= count) {
        int saved = errno;
        add_replayed(log, logged);
        errno = saved;
    }
    __recut_special_done(log);
    return (void *)given;
}

static void *look_up(const struct lookup *lookup) {
    return __recut_env_mode == ENV_RECORD ? record(lookup) : replay(lookup);
}

void *__recut_special_dlsym(void *, const char *),
    *__recut_special_dlvsym(void *, const char *, const char *);

void *__recut_special_dlsym(void *library, const char *name) {
    struct lookup lookup = {SPECIAL_dlsym, HERE, library, name, NULL};
    return look_up(&lookup);
}

void *__recut_special_dlvsym(void *library, const char *name, const char *version) {
    struct lookup lookup = {SPECIAL_dlvsym, HERE, library, name, version};
    return look_up(&lookup);
}

/* --- functions that libraries keep in their structures --------------------------------------- */

/* The same ones again and again; another that falls on the same place is looked up again, in
 * both runs. */
enum { most_targets = 64 };
static _Thread_local struct {
    const void *address;
    void *given;
} targets[most_targets];

/* Its symbol; or its library and where it is there, if it is one that nobody is to see. */
static void name_target(const void *address, char *ret) {
    Dl_info info;
    bool is_known = dladdr && dladdr(address, &info) && info.dli_fname;
    if (is_known && info.dli_saddr == address && strlen(info.dli_sname) < name_size / 2) {
        strcpy(ret, info.dli_sname);
        return;
    }
    const char *slash = is_known ? strrchr(info.dli_fname, '/') : NULL;
    uint64_t at = is_known ? (uint64_t)address - (uint64_t)info.dli_fbase : 0;
    snprintf(ret, name_size / 2, "%.40s+0x%" PRIx64, slash ? slash + 1 : "library", at);
}

static void *find_target(void *address, uint64_t from) {
    SECTION(from);
    struct lookup lookup = {SPECIAL_dlsym, from, address, "", NULL};
    if (__recut_env_mode == ENV_REPLAY)
        return replay(&lookup);
    char name[name_size];
    name_target(address, name);
    void *given = stand_in(name, address);
    log_given(&lookup, given, errno);
    return given;
}

void *__recut_target(void *address) {
    if ((uint64_t)address < RECUT_ARGS_BASE || __recut_env_mode == ENV_OFF || !__recut_self.env)
        return address;
    uint64_t hash = (uint64_t)address * 0x9e3779b97f4a7c15ULL;
    unsigned at = (unsigned)(hash >> 32) % most_targets;
    if (targets[at].address != address) {
        int saved = errno;
        targets[at].given = find_target(address, HERE);
        targets[at].address = address;
        errno = saved;
    }
    return targets[at].given;
}
