/*
 * An executable is linked twice.
 *
 *   pass 1   clang and lld with --lto-emit-llvm, on the user's own command line:
 *            compiles sources, resolves symbols, and writes the bitcode of
 *            exactly what is linked, archive members included
 *   rewrite  src/program/canonical makes it canonical and generates one object
 *   pass 2   the same command line with that object in place of everything that
 *            was bitcode, and recut's runtime
 *
 * Whatever goes wrong, the user's build does not fail for it: the program is
 * then linked as clang would, from the machine code that the objects also
 * hold, and a warning says why it is not canonical.  If that link fails too,
 * its messages are the ones to show.
 */
#include "cc/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "program/objects.h"
#include "format/layout.h"
#include "cc/canonical_tool.h"

#define STRINGIFY(x) #x
#define TO_STRING(x) STRINGIFY(x)

struct words {
    char **data;
    size_t count, capacity;
};

struct link {
    const struct cc_args *args;
    char *directory;  /* temporary */
    char *bitcode;    /* merged */
    char *object;     /* canonical */
    char *embedded;
    char *trace;      /* files that pass 1 loaded, one a line, and who defines malloc */
    VEC(char *) others; /* by argument: object of a source without bitcode, else NULL */
    char *messages;     /* of the compiler, about these */
    struct canonical_result canonical;
};

struct natives {
    struct canonical_native *data;
    size_t count, capacity;
};

static void add(struct words *words, const char *word) { VEC_PUSH(words, mem_strdup(word)); }

static void words_deinit(struct words *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->data[i]);
    VEC_DEINIT(words);
}

static void add_arg(struct words *words, const struct arg *arg) {
    add(words, arg->text);
    if (arg->value)
        add(words, arg->value);
}

/* An input, after its language if that is another than the last one's. */
static void add_input(struct words *words, const struct arg *arg, const char **language) {
    if (arg->language != *language) {
        add(words, "-x");
        add(words, arg->language ? arg->language : "none");
        *language = arg->language;
    }
    add(words, arg->text);
}

static struct error *run(struct words *words, bool capture, struct io_child *ret) {
    VEC_PUSH(words, NULL);
    struct error *err = io_run(words->data, capture, ret);
    words->count--;
    return err;
}

/* Languages are given with each input, and the bitcode is embedded our way. */
static bool is_replaced(const char *option) {
    static const char *const prefixes[] = {"-x", "-flto", "-fembed-bitcode"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(option, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static struct error *run_clang(const struct cc_args *args, const char *const *extra, bool capture,
                               struct io_child *ret) {
    struct words words = {0};
    add(&words, CLANG);
    const char *language = NULL;
    for (size_t i = 0; i < args->list.count; i++) {
        const struct arg *arg = &args->list.data[i];
        if (arg->kind == ARG_C || arg->kind == ARG_OTHER || arg->kind == ARG_FILE)
            add_input(&words, arg, &language);
        else if (!is_replaced(arg->text))
            add_arg(&words, arg);
    }
    for (; extra && *extra; extra++)
        add(&words, *extra);
    struct error *err = run(&words, capture, ret);
    words_deinit(&words);
    return err;
}

struct error *cc_run_clang(const struct cc_args *args, const char *const *extra, int *ret_exit) {
    struct io_child child;
    struct error *err = run_clang(args, extra, false, &child);
    if (!err)
        *ret_exit = child.exit_code;
    return err;
}

/* The first line of what a tool printed, for a one-line reason. */
static struct error *tool_failed(const char *what, const struct io_child *child) {
    const char *text = child->err ? child->err : "";
    const char *error = strstr(text, "error: ");
    if (error)
        text = error + 7;
    return error_new(ERROR_FAILED, "%s: %.*s", what, (int)strcspn(text, "\n"), text);
}

static struct error *compile_other(struct link *link, const struct arg *source, const char *object) {
    struct words words = {0};
    add(&words, CLANG);
    add(&words, "--start-no-unused-arguments");
    for (size_t i = 0; i < link->args->list.count; i++)
        if (link->args->list.data[i].kind == ARG_OPTION)
            add_arg(&words, &link->args->list.data[i]);
    add(&words, "--end-no-unused-arguments");
    const char *language = NULL;
    add(&words, "-c");
    add_input(&words, source, &language);
    add(&words, "-o");
    add(&words, object);
    struct io_child child = {0};
    struct error *err = run(&words, true, &child);
    if (!err && child.exit_code != 0)
        err = tool_failed(source->text, &child);
    if (!err) {
        char *before = link->messages;
        link->messages = mem_printf("%s%s", before ? before : "", child.err);
        free(before);
    }
    io_child_deinit(&child);
    words_deinit(&words);
    return err;
}

/* Sources without bitcode become objects first, for both passes. */
static struct error *compile_others(struct link *link) {
    for (size_t i = 0; i < link->args->list.count; i++) {
        const struct arg *arg = &link->args->list.data[i];
        char *object = NULL;
        if (arg->kind == ARG_OTHER) {
            object = mem_printf("%s/other-%zu.o", link->directory, i);
            struct error *err = compile_other(link, arg, object);
            if (err)
                return err;
        }
        VEC_PUSH(&link->others, object);
    }
    return NULL;
}

/* Native code of the program's own: what recut-canonical must look at. */
static void list_native(const struct link *link, struct natives *ret) {
    for (size_t i = 0; i < link->args->list.count; i++) {
        const struct arg *arg = &link->args->list.data[i];
        const char *object = arg->kind == ARG_FILE ? arg->text : link->others.data[i];
        if (object)
            VEC_PUSH(ret, (struct canonical_native){object, arg->text});
    }
}

/* Objects that hold several modules are merged first: lld wants one. */
static struct error *add_object(struct link *link, struct words *words, const char *path) {
    enum object_kind kind = OBJECT_OTHER;
    struct error *err CLEANUP_ERROR = object_classify(path, &kind);
    if (err || kind != OBJECT_SEVERAL) {
        add(words, path); /* a file that is missing is the linker's to report */
        return NULL;
    }
    char *merged CLEANUP_FREE = mem_printf("%s/several-%zu.bc", link->directory, words->count);
    struct error *failed = canonical_tool_merge(path, merged);
    if (!failed)
        add(words, merged);
    return failed;
}

static struct error *add_file(struct link *link, struct words *words, const char *path) {
    enum object_kind kind = OBJECT_OTHER;
    struct error *unreadable CLEANUP_ERROR = object_classify(path, &kind);
    char **files = NULL;
    size_t count = 0;
    struct error *err = NULL;
    if (kind == OBJECT_ARCHIVE)
        err = archive_expand_several(path, link->directory, &files, &count);
    if (count == 0 && !err)
        return add_object(link, words, path);
    add(words, "-Wl,--start-lib");
    for (size_t i = 0; i < count; i++) {
        if (!err)
            err = add_object(link, words, files[i]);
        free(files[i]);
    }
    add(words, "-Wl,--end-lib");
    free(files);
    return err;
}

static struct error *gather(struct link *link, const char *extra, struct io_child *ret) {
    static const char *const options[] = {
        "-flto",          "-ffat-lto-objects",    "-fuse-ld=lld", "-no-pie",
        "-Wl,--lto-emit-llvm", "-Wl,--lto-O0", "-Wl,--trace", "-Wl,--trace-symbol=malloc", NULL};
    struct words words = {0};
    struct error *err = NULL;
    const char *language = NULL;
    add(&words, CLANG);
    for (size_t i = 0; i < link->args->list.count && !err; i++) {
        const struct arg *arg = &link->args->list.data[i];
        if (language && (arg->kind == ARG_OTHER || arg->kind == ARG_FILE)) {
            language = NULL;
            add(&words, "-x");
            add(&words, "none");
        }
        switch (arg->kind) {
        case ARG_OPTION:
        case ARG_LIBRARY:
            add_arg(&words, arg);
            break;
        case ARG_C:
            add_input(&words, arg, &language);
            break;
        case ARG_OTHER:
            add(&words, link->others.data[i]);
            break;
        case ARG_FILE:
            err = add_file(link, &words, arg->text);
            break;
        case ARG_OUTPUT:
        case ARG_ONCE:
        case ARG_DROP:
            break;
        }
    }
    add(&words, "--start-no-unused-arguments");
    if (link->args->is_static)
        add(&words, "-static");
    for (const char *const *option = options; *option; option++)
        add(&words, *option);
    if (extra)
        add(&words, extra);
    add(&words, "--end-no-unused-arguments");
    /* clang names dependency files and the like after the executable. */
    add(&words, "-o");
    add(&words, link->args->output ? link->args->output : "a.out");
    add(&words, "-Xlinker");
    add(&words, "-o");
    add(&words, "-Xlinker");
    add(&words, link->bitcode);
    if (!err)
        err = run(&words, true, ret);
    words_deinit(&words);
    return err;
}

/* The archive that pass 1 loaded for -lNAME, NULL if it was a shared library
 * or nothing of it was needed. */
static char *find_loaded_archive(const struct link *link, const char *library) {
    char *wanted CLEANUP_FREE =
        library[2] == ':' ? mem_strdup(library + 3) : mem_printf("lib%s.a", library + 2);
    for (const char *line = link->trace; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t length = strcspn(line, "\n");
        size_t path = strcspn(line, "(\n");
        if (path == length)
            continue;
        char *file = mem_strndup(line, path);
        const char *base = strrchr(file, '/');
        if (strcmp(base ? base + 1 : file, wanted) == 0)
            return file;
        free(file);
    }
    return NULL;
}

/* Does an object other than libc's bring a heap? Lines are "FILE: definition of malloc"; those of
 * shared libraries and of archive members not taken say so before "definition". */
static bool defines_malloc(const char *trace) {
    static const char definition[] = ": definition of malloc\n", libc[] = "/libc.a";
    for (const char *at = trace; (at = strstr(at, definition)); at++) {
        const char *line = at;
        while (line > trace && line[-1] != '\n')
            line--;
        const char *found = strstr(line, libc);
        if (!found || found > at)
            return true;
    }
    return false;
}

/* What an archive adds to pass 2: itself if it has no bitcode, else one of its
 * native members, from which the linker still takes what it needs. */
static struct error *add_archive(struct link *link, struct words *words, const char *path,
                                 const char *as_given) {
    size_t native, with_bitcode;
    char *filtered CLEANUP_FREE = mem_printf("%s/native-%zu.a", link->directory, words->count);
    struct error *err = archive_write_native(path, filtered, &native, &with_bitcode);
    if (err)
        return err;
    if (!with_bitcode)
        add(words, as_given);
    else if (native)
        add(words, filtered);
    return NULL;
}

static struct error *add_final_input(struct link *link, struct words *words, const struct arg *arg) {
    if (arg->kind == ARG_LIBRARY) {
        char *path CLEANUP_FREE = find_loaded_archive(link, arg->text);
        if (path)
            return add_archive(link, words, path, arg->text);
        add_arg(words, arg);
        return NULL;
    }
    enum object_kind kind;
    struct error *err = object_classify(arg->text, &kind);
    if (err)
        return err;
    if (kind == OBJECT_ARCHIVE)
        return add_archive(link, words, arg->text, arg->text);
    if (kind == OBJECT_NATIVE || kind == OBJECT_OTHER)
        add(words, arg->text);
    return NULL;
}

static void add_heap_options(const struct link *link, struct words *words) {
    static const char *const names[] = {"malloc",        "calloc",         "realloc",
                                        "free",          "memalign",       "aligned_alloc",
                                        "posix_memalign", "valloc",        "pvalloc",
                                        "malloc_usable_size", NULL};
    static const char *const wrapped[] = {"free", "realloc", "malloc_usable_size", NULL};
    char option[128];
    if (link->canonical.defines_malloc)
        return;
    for (const char *const *name = link->args->is_static ? wrapped : names; *name; name++) {
        snprintf(option, sizeof option,
                 link->args->is_static ? "-Wl,--wrap=%s" : "-Wl,--export-dynamic-symbol=%s", *name);
        add(words, option);
    }
    if (!link->args->is_static)
        add(words, "-Wl,-u,malloc");
}

static struct error *add_runtime(const struct link *link, struct words *words) {
    char *runtime CLEANUP_FREE = NULL, *heap CLEANUP_FREE = NULL;
    struct error *err = io_find_installed("librecut-rt.a", &runtime);
    if (!err)
        err = io_find_installed(link->args->is_static ? "librecut-static.a" : "librecut-dynamic.a",
                                &heap);
    if (err)
        return err;
    /* The two call each other. */
    add(words, "-Wl,--start-group");
    add(words, runtime);
    add(words, heap);
    add(words, "-Wl,--end-group");
    return NULL;
}

static struct error *link_final(struct link *link, struct io_child *ret) {
    struct words words = {0};
    struct error *err = NULL;
    add(&words, CLANG);
    /* Sources are in the bitcode by now; what they added to the link must not
     * be read again as C. */
    add(&words, link->object);
    add(&words, link->embedded);
    for (size_t i = 0; i < link->args->list.count && !err; i++) {
        const struct arg *arg = &link->args->list.data[i];
        if (arg->kind == ARG_OPTION || arg->kind == ARG_ONCE)
            add_arg(&words, arg);
        else if (arg->kind == ARG_OTHER)
            add(&words, link->others.data[i]);
        else if (arg->kind == ARG_FILE || arg->kind == ARG_LIBRARY)
            err = add_final_input(link, &words, arg);
    }
    add(&words, "--start-no-unused-arguments");
    add(&words, "-fuse-ld=lld");
    add(&words, "-no-pie");
    if (link->args->is_static)
        add(&words, "-static");
    char image_base[64];
    snprintf(image_base, sizeof image_base, "-Wl,--image-base=%#llx", RECUT_IMAGE_BASE);
    add(&words, image_base);
    add(&words, "-Wl,--wrap=__libc_start_main");
    add(&words, "-Wl,-u,__recut_init");
    add_heap_options(link, &words);
    add(&words, "--end-no-unused-arguments");
    if (!err)
        err = add_runtime(link, &words);
    add(&words, "-o");
    add(&words, link->args->output ? link->args->output : "a.out");
    if (!err)
        err = run(&words, true, ret);
    words_deinit(&words);
    return err;
}

static bool is_bitcode_file(const char *path) {
    enum object_kind kind;
    struct error *err CLEANUP_ERROR = object_classify(path, &kind);
    return !err && kind == OBJECT_BITCODE;
}

static struct error *build_canonical(struct link *link, bool import_data, struct io_child *ret_child) {
    struct natives natives = {0};
    list_native(link, &natives);
    struct canonical_options options = {
        .bitcode_path = link->bitcode,
        .object_path = link->object,
        .embedded_path = link->embedded,
        .opt_level = link->args->opt_level,
        .import_data = import_data,
        .native = natives.data,
        .native_count = natives.count,
        .wrapped = link->args->wrapped.data,
        .defines_malloc = defines_malloc(link->trace),
    };
    struct error *err = canonical_tool_build(&options, &link->canonical);
    VEC_DEINIT(&natives);
    return err ? err : link_final(link, ret_child);
}

/* NULL when the executable was linked with its canonical program. */
static struct error *link_canonical(struct link *link) {
    struct io_child first = {0}, last = {0};
    struct error *err = compile_others(link);
    if (!err)
        err = gather(link, NULL, &first);
    if (!err && first.exit_code != 0 && strstr(first.err, "unable to execute command")) {
        /* lld of LLVM 19 crashes over constants that name an ifunc, while it
         * looks for what is unused. */
        io_child_deinit(&first);
        err = gather(link, "-Wl,-mllvm,-compute-dead=false", &first);
    }
    if (!err && first.exit_code != 0)
        err = tool_failed("the objects cannot be merged", &first);
    if (!err && !is_bitcode_file(link->bitcode))
        err = error_new(ERROR_FAILED, "no object in it carries bitcode");
    if (!err) {
        link->trace = first.out;
        err = build_canonical(link, true, &last);
        if (!err && last.exit_code != 0) {
            /* A library may not let its variables be placed in the executable. */
            io_child_deinit(&last);
            err = build_canonical(link, false, &last);
        }
        if (!err && last.exit_code != 0)
            err = tool_failed("the canonical program cannot be linked", &last);
    }
    if (!err) {
        fputs(link->messages ? link->messages : "", stderr);
        fputs(first.err, stderr);
        fputs(last.out, stdout);
        fputs(last.err, stderr);
    }
    io_child_deinit(&first);
    io_child_deinit(&last);
    return err;
}

static void pass_on(const struct io_child *child) {
    fputs(child->out, stdout);
    fputs(child->err, stderr);
}

/* As clang would.  GNU's archives index objects with bitcode by what a plugin
 * finds in them; where it finds nothing, lld, which reads the members
 * themselves, still links.  If both fail, the messages are the usual ones. */
static struct error *link_plain(const struct cc_args *args, int *ret_exit) {
    static const char *const lld[] = {"-fuse-ld=lld", NULL};
    struct io_child usual = {0}, other = {0};
    struct error *err = run_clang(args, NULL, true, &usual);
    if (!err && usual.exit_code != 0)
        err = run_clang(args, lld, true, &other);
    if (!err) {
        bool use_other = usual.exit_code != 0 && other.exit_code == 0;
        pass_on(use_other ? &other : &usual);
        *ret_exit = use_other ? 0 : usual.exit_code;
    }
    io_child_deinit(&usual);
    io_child_deinit(&other);
    return err;
}

struct error *cc_link(const struct cc_args *args, int *ret_exit) {
    struct link link = {.args = args};
    struct error *err = NULL;
    if (args->no_start_files)
        err = error_new(ERROR_FAILED, "it is linked without the C library's start files");
    if (!err)
        err = io_make_temp_dir(&link.directory);
    if (!err) {
        link.bitcode = mem_printf("%s/merged.bc", link.directory);
        link.object = mem_printf("%s/canonical.o", link.directory);
        link.embedded = mem_printf("%s/program.o", link.directory);
        err = link_canonical(&link);
        if (!getenv("RECUT_CC_KEEP"))
            io_remove_tree(link.directory);
        for (size_t i = 0; i < link.others.count; i++)
            free(link.others.data[i]);
        VEC_DEINIT(&link.others);
        free(link.messages);
        free(link.bitcode);
        free(link.object);
        free(link.embedded);
        free(link.directory);
    }
    const char *name = args->output ? args->output : "a.out";
    if (!err) {
        *ret_exit = 0;
        if (link.canonical.whole_reason[0])
            fprintf(stderr, "recut-cc: warning: %s: locals stay on the machine stack: %s\n", name,
                    link.canonical.whole_reason);
        return NULL;
    }
    struct error *plain = link_plain(args, ret_exit);
    if (!plain && *ret_exit == 0)
        fprintf(stderr, "recut-cc: warning: %s: linked without its canonical program: %.*s\n",
                name, (int)strcspn(err->message, "\n"), err->message);
    error_free(err);
    return plain;
}
