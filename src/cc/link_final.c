/*
 * Pass 2 of a link: the executable.
 *
 * The user's command line again, with the canonical object in place of all that
 * was bitcode.  Of an archive only the native members remain.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cc/command_line.h"
#include "cc/link_pass.h"
#include "format/layout.h"
#include "program/objects.h"

/* The archive that pass 1 loaded for -lNAME, NULL if it was a shared library
 * or nothing of it was needed. */
static char *find_loaded_archive(const struct link *link, const char *library) {
    char *wanted CLEANUP_FREE =
        library[2] == ':' ? mem_strdup(library + 3) : mem_printf("lib%s.a", library + 2);
    for (const char *line = link->trace; *line;
         line += strcspn(line, "\n"), line += *line == '\n') {
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

/* Lines are "FILE: definition of malloc"; those of shared libraries and of archive
 * members not taken say so before "definition". */
bool link_defines_malloc(const struct link *link) {
    const char *trace = link->trace;
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
static struct error *add_archive(struct link *link, struct command_line *line, const char *path,
                                 const char *as_given) {
    size_t native, with_bitcode;
    char *filtered CLEANUP_FREE = mem_printf("%s/native-%zu.a", link->directory, line->count);
    struct error *err = archive_write_native(path, filtered, &native, &with_bitcode);
    if (err)
        return err;
    if (!with_bitcode)
        command_line_add(line, as_given);
    else if (native)
        command_line_add(line, filtered);
    return NULL;
}

static struct error *add_final_input(struct link *link, struct command_line *line,
                                     const struct arg *arg) {
    if (arg->kind == ARG_LIBRARY) {
        char *path CLEANUP_FREE = find_loaded_archive(link, arg->text);
        if (path)
            return add_archive(link, line, path, arg->text);
        command_line_add_arg(line, arg);
        return NULL;
    }
    enum object_kind kind;
    struct error *err = object_classify(arg->text, &kind);
    if (err)
        return err;
    if (kind == OBJECT_ARCHIVE)
        return add_archive(link, line, arg->text, arg->text);
    if (kind == OBJECT_NATIVE || kind == OBJECT_OTHER)
        command_line_add(line, arg->text);
    return NULL;
}

static void add_heap_options(const struct link *link, struct command_line *line) {
    static const char *const names[] = {"malloc",
                                        "calloc",
                                        "realloc",
                                        "free",
                                        "memalign",
                                        "aligned_alloc",
                                        "posix_memalign",
                                        "valloc",
                                        "pvalloc",
                                        "malloc_usable_size",
                                        NULL};
    static const char *const wrapped[] = {"free", "realloc", "malloc_usable_size", NULL};
    char option[128];
    if (link->canonical.defines_malloc)
        return;
    for (const char *const *name = link->args->is_static ? wrapped : names; *name; name++) {
        snprintf(option, sizeof option,
                 link->args->is_static ? "-Wl,--wrap=%s" : "-Wl,--export-dynamic-symbol=%s", *name);
        command_line_add(line, option);
    }
    if (!link->args->is_static)
        command_line_add(line, "-Wl,-u,malloc");
}

static struct error *add_runtime(const struct link *link, struct command_line *line) {
    char *runtime CLEANUP_FREE = NULL, *heap CLEANUP_FREE = NULL;
    struct error *err = io_find_installed("librecut-rt.a", &runtime);
    if (!err)
        err = io_find_installed(link->args->is_static ? "librecut-static.a" : "librecut-dynamic.a",
                                &heap);
    if (err)
        return err;
    /* The two call each other. */
    command_line_add(line, "-Wl,--start-group");
    command_line_add(line, runtime);
    command_line_add(line, heap);
    command_line_add(line, "-Wl,--end-group");
    return NULL;
}

struct error *link_final(struct link *link, struct io_child *ret) {
    struct command_line line = {0};
    struct error *err = NULL;
    command_line_add(&line, CLANG);
    /* Sources are in the bitcode by now; what they added to the link must not
     * be read again as C. */
    command_line_add(&line, link->object);
    command_line_add(&line, link->embedded);
    for (size_t i = 0; i < link->args->list.count && !err; i++) {
        const struct arg *arg = &link->args->list.data[i];
        if (arg->kind == ARG_OPTION || arg->kind == ARG_ONCE)
            command_line_add_arg(&line, arg);
        else if (arg->kind == ARG_OTHER)
            command_line_add(&line, link->others.data[i]);
        else if (arg->kind == ARG_FILE || arg->kind == ARG_LIBRARY)
            err = add_final_input(link, &line, arg);
    }
    command_line_add(&line, "--start-no-unused-arguments");
    command_line_add(&line, "-fuse-ld=lld");
    command_line_add(&line, "-no-pie");
    if (link->args->is_static)
        command_line_add(&line, "-static");
    char image_base[64];
    snprintf(image_base, sizeof image_base, "-Wl,--image-base=%#llx", RECUT_IMAGE_BASE);
    command_line_add(&line, image_base);
    command_line_add(&line, "-Wl,--wrap=__libc_start_main");
    command_line_add(&line, "-Wl,-u,__recut_init");
    /* Nothing of the program refers to it, and --gc-sections would drop it. */
    command_line_add(&line, "-Wl,-u,__recut_table");
    add_heap_options(link, &line);
    command_line_add(&line, "--end-no-unused-arguments");
    if (!err)
        err = add_runtime(link, &line);
    command_line_add(&line, "-o");
    command_line_add(&line, link->executable);
    if (!err)
        err = command_line_run(&line, true, ret);
    command_line_deinit(&line);
    return err;
}
