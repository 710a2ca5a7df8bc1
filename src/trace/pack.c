/*
 * What goes into a packed trace?
 *
 * The files of all processes, and of each program that they ran the executable and its
 * libraries.  Those the dynamic linker names itself (ld.so --list), asked with the
 * LD_LIBRARY_PATH of the recorded run.  Libraries that a program opens later (dlopen) belong to the
 * environment, which a replay does not execute; they are left out.
 */
#include "trace/pack.h"

#include <dirent.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "program/embedded.h"
#include "trace/archive.h"

/* One process on its way into the archive. */
struct packing {
    struct archive_writer *writer;
    const struct trace *trace;
    const char *where; /* its directory in the archive: "", or with a slash behind it */
};

static struct error *add(const struct packing *packing, const char *name, const char *path,
                         bool is_program) {
    char *whole CLEANUP_FREE = mem_printf("%s%s", packing->where, name);
    if (!archive_is_name(whole))
        return error_new(ERROR_FAILED, "%s cannot be packed under the name %s", path, whole);
    return archive_add(packing->writer, whole, path, is_program);
}

/* PT_INTERP of an executable; NULL if it is static. */
static struct error *find_linker(const char *program, char **ret) {
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno("cannot open %s", program);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    size_t count = 0, size = 0;
    const char *data = elf ? elf_rawfile(elf, &size) : NULL;
    char *linker = NULL;
    if (!data || elf_getphdrnum(elf, &count) != 0)
        count = 0;
    for (size_t i = 0; i < count && !linker; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_INTERP &&
            header.p_offset < size && header.p_filesz <= size - header.p_offset)
            linker = mem_strndup(data + header.p_offset,
                                 strnlen(data + header.p_offset, header.p_filesz));
    }
    elf_end(elf);
    close(fd);
    *ret = linker;
    return NULL;
}

static const char *recorded_variable(const struct trace_info *info, const char *name) {
    size_t length = strlen(name);
    for (uint32_t i = 0; i < info->environment_count; i++)
        if (strncmp(info->environment[i], name, length) == 0 && info->environment[i][length] == '=')
            return info->environment[i] + length + 1;
    return NULL;
}

static struct error *add_library(const struct packing *packing, const char *name,
                                 const char *path) {
    const char *base = strrchr(name, '/');
    char *inside CLEANUP_FREE = mem_printf("%s/%s", TRACE_LIBRARY_NAME, base ? base + 1 : name);
    return add(packing, inside, path, true);
}

/*
 * Lines of ld.so --list:
 *     libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x...)
 *     /lib64/ld-linux-x86-64.so.2 (0x...)
 *     linux-vdso.so.1 (0x...)
 *     libgone.so => not found
 * Libraries are packed under the names by which they are asked for.
 */
static struct error *add_listed(const struct packing *packing, char *line, const char *linker) {
    line += strspn(line, " \t");
    char *arrow = strstr(line, " => "), *path = arrow ? arrow + 4 : line;
    if (strcmp(path, "not found") == 0)
        return error_new(ERROR_FAILED, "library %.*s is not found", (int)(arrow - line), line);
    char *end = strstr(path, " (0x");
    if (!end || *path != '/')
        return NULL;
    *end = '\0';
    if (arrow)
        *arrow = '\0';
    /* The dynamic linker, which may be asked for by a path and listed by its name, is there. */
    if (strcmp(path, linker) == 0 || strcmp(line, linker) == 0)
        return NULL;
    return add_library(packing, line, path);
}

static struct error *add_libraries(const struct packing *packing) {
    char *linker CLEANUP_FREE = NULL;
    const char *program = trace_program(packing->trace);
    struct error *err = find_linker(program, &linker);
    if (err || !linker)
        return err;
    err = add_library(packing, linker, linker);
    if (err)
        return err;
    const char *where = recorded_variable(trace_info(packing->trace), "LD_LIBRARY_PATH");
    char *const plain[] = {linker, (char *)"--list", (char *)program, NULL};
    char *const with_path[] = {linker,           (char *)"--library-path", (char *)where,
                               (char *)"--list", (char *)program,          NULL};
    struct io_child child = {0};
    err = io_run(where && *where ? with_path : plain, true, &child);
    if (err)
        return err;
    if (child.exit_code != 0)
        err = error_new(ERROR_FAILED, "%s cannot list the libraries of %s", linker, program);
    char *rest = child.out, *line;
    while (!err && rest && (line = strsep(&rest, "\n")))
        if (*line)
            err = add_listed(packing, line, linker);
    io_child_deinit(&child);
    return err;
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* One that was unpacked brings its libraries along, if it needs any; those of this machine are
 * not the ones that were recorded. */
static struct error *add_packed_libraries(const struct packing *packing) {
    char *directory CLEANUP_FREE =
        mem_printf("%s/%s", trace_path(packing->trace), TRACE_LIBRARY_NAME);
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, is_visible, alphasort);
    struct error *err = NULL;
    for (int i = 0; i < count; i++) {
        char *path CLEANUP_FREE = mem_printf("%s/%s", directory, entries[i]->d_name);
        if (!err)
            err = add_library(packing, path, path);
        free(entries[i]);
    }
    free(entries);
    return err;
}

struct error *pack_check_program(const struct trace *trace) {
    uint8_t id[BUILD_ID_SIZE];
    struct error *err = embedded_build_id(trace_program(trace), id);
    if (err)
        return err;
    if (memcmp(id, trace_info(trace)->build_id, BUILD_ID_SIZE) != 0)
        return error_new(ERROR_FAILED, "%s was built anew since it was recorded",
                         trace_program(trace));
    return NULL;
}

static struct error *add_program(const struct packing *packing) {
    const char *program = trace_program(packing->trace);
    char *packed CLEANUP_FREE = mem_printf("%s/%s", trace_path(packing->trace), TRACE_PROGRAM_NAME);
    bool is_packed = strcmp(program, packed) == 0;
    struct error *err = add(packing, TRACE_PROGRAM_NAME, program, true);
    if (!err)
        err = is_packed ? add_packed_libraries(packing) : add_libraries(packing);
    return err;
}

/* A file of the trace, if it is there. */
static struct error *add_file(const struct packing *packing, const char *name) {
    char *path CLEANUP_FREE = mem_printf("%s/%s", trace_path(packing->trace), name);
    return access(path, F_OK) == 0 ? add(packing, name, path, false) : NULL;
}

/* Of a child, what it shares with its parent is there already. */
static struct error *add_trace(const struct packing *packing, bool is_child) {
    static const char *const names[] = {TRACE_PROCESS_NAME, TRACE_HEADER_NAME, TRACE_MODELS_NAME,
                                        TRACE_VARIANT_NAME, TRACE_CUT_NAME};
    const size_t count = is_child ? 1 : sizeof names / sizeof *names;
    struct error *err = NULL;
    for (size_t i = 0; !err && i < count; i++)
        err = add_file(packing, names[i]);
    for (size_t i = 0; !err && i < trace_stream_count(packing->trace); i++) {
        char *name CLEANUP_FREE =
            mem_printf("%s%u", TRACE_LOG_PREFIX, trace_stream_slot(packing->trace, i));
        err = add_file(packing, name);
    }
    return err;
}

static struct error *add_process(struct archive_writer *writer,
                                 const struct trace_processes *processes, size_t at) {
    const struct trace_process *process = &processes->list[at];
    struct trace *trace = NULL;
    struct error *err = trace_open(process->path, &trace);
    if (err)
        return err;
    const char *inside = process->path + strlen(processes->list[0].path);
    char *where CLEANUP_FREE = *inside ? mem_printf("%s/", inside + 1) : mem_strdup("");
    struct packing packing = {writer, trace, where};
    err = add_trace(&packing, process->is_child);
    if (!err && !process->is_child) {
        struct error *missing CLEANUP_ERROR = at ? pack_check_program(trace) : NULL;
        err = missing ? NULL : add_program(&packing);
    }
    trace_close(trace);
    return err;
}

static struct error *add_all(struct archive_writer *writer,
                             const struct trace_processes *processes) {
    struct error *err = NULL;
    for (size_t i = 0; !err && i < processes->count; i++)
        err = add_process(writer, processes, i);
    return err ? err : archive_finish(writer);
}

struct error *pack_write(const struct trace_processes *processes, const char *output) {
    struct error *err = NULL;
    char *temp CLEANUP_FREE = mem_printf("%s.%ld.tmp", output, (long)getpid());
    /* As private as the directory that it comes from. */
    int fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (!out) {
        err = error_errno("cannot write %s", output);
        if (fd >= 0)
            close(fd);
        return err;
    }
    struct archive_writer *writer = archive_writer_new(out);
    err = add_all(writer, processes);
    archive_writer_free(writer);
    if (fclose(out) != 0 && !err)
        err = error_errno("cannot write %s", output);
    if (!err && rename(temp, output) != 0)
        err = error_errno("cannot write %s", output);
    if (err)
        unlink(temp);
    return err;
}
