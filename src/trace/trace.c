/* Which files make a trace, and do they belong together?  See trace.h. */
#include "trace/trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/model_table.h"
#include "trace/directory.h"
#include "trace/finish.h"
#include "trace/pack.h"
#include "trace/trace_impl.h"

/* The slot of "log.SLOT"; false for another name. */
static bool slot_of(const char *name, uint32_t *ret) {
    size_t prefix = strlen(TRACE_LOG_PREFIX);
    if (strncmp(name, TRACE_LOG_PREFIX, prefix) != 0)
        return false;
    uint64_t slot = 0;
    const char *digit = name + prefix;
    for (; *digit >= '0' && *digit <= '9' && slot < UINT32_MAX; digit++)
        slot = 10 * slot + (uint64_t)(*digit - '0');
    if (*digit || digit == name + prefix || slot >= UINT32_MAX ||
        (name[prefix] == '0' && digit > name + prefix + 1))
        return false;
    *ret = (uint32_t)slot;
    return true;
}

static const struct trace_part *find_part(const struct trace_part *parts, size_t count,
                                          const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(parts[i].name, name) == 0)
            return &parts[i];
    return NULL;
}

static int by_slot(const void *a, const void *b) {
    const struct trace_stream *x = a, *y = b;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* Puts parts together; `trace` is closed by the caller also when this fails. */
static struct error *assemble(struct trace *trace, const struct trace_part *parts, size_t count) {
    const struct trace_part *header = find_part(parts, count, TRACE_HEADER_NAME);
    const struct trace_part *models = find_part(parts, count, TRACE_MODELS_NAME);
    if (!header)
        return error_new(ERROR_INPUT, "not a trace: there is no file %s", TRACE_HEADER_NAME);
    struct error *err = trace_header_parse(header->bytes, &trace->arena, &trace->info);
    if (err)
        return err;
    if (!models)
        return error_new(ERROR_INPUT, "the file %s is missing", TRACE_MODELS_NAME);
    const char *wrong = model_table_check(models->bytes.data, models->bytes.size);
    if (wrong)
        return error_new(ERROR_INPUT, "%s: %s", TRACE_MODELS_NAME, wrong);
    trace->models = (const struct model_table *)models->bytes.data;
    for (size_t i = 0; i < count; i++) {
        uint32_t slot;
        struct trace_stream stream;
        if (!slot_of(parts[i].name, &slot))
            continue;
        trace_stream_init(&stream, &trace->info, slot, parts[i].bytes);
        VEC_PUSH(&trace->streams, stream);
    }
    if (trace->streams.count)
        qsort(trace->streams.data, trace->streams.count, sizeof *trace->streams.data, by_slot);
    return NULL;
}

struct error *trace_from_parts(const struct trace_part *parts, size_t count, struct trace **ret) {
    struct trace *trace = mem_zalloc(1, sizeof *trace);
    struct error *err = assemble(trace, parts, count);
    if (err) {
        trace_close(trace);
        return err;
    }
    *ret = trace;
    return NULL;
}

void trace_close(struct trace *trace) {
    if (!trace)
        return;
    for (size_t i = 0; i < trace->streams.count; i++)
        trace_stream_deinit(&trace->streams.data[i]);
    VEC_DEINIT(&trace->streams);
    for (size_t i = 0; i < trace->maps.count; i++)
        munmap((void *)trace->maps.data[i].data, trace->maps.data[i].size);
    VEC_DEINIT(&trace->maps);
    arena_deinit(&trace->arena);
    free(trace->path);
    free(trace->program);
    free(trace);
}

static struct error *map_file(struct trace *trace, const char *name, struct bytes *ret) {
    uint32_t slot;
    /* A child that has lost its log does not have that of its parent instead. */
    char *path CLEANUP_FREE = slot_of(name, &slot) ? mem_printf("%s/%s", trace->path, name)
                                                   : trace_file(trace->path, name);
    /* Something that is not a file, like a FIFO, must not make us wait. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) {
        struct error *err = error_errno("cannot open %s", name);
        if (fd >= 0)
            close(fd);
        return err;
    }
    struct error *err = NULL;
    *ret = (struct bytes){NULL, 0};
    if (!S_ISREG(st.st_mode)) {
        err = error_new(ERROR_INPUT, "%s: is not a file", name);
    } else if (st.st_size > 0) {
        void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (data == MAP_FAILED) {
            err = error_errno("cannot map %s", name);
        } else {
            *ret = (struct bytes){data, (size_t)st.st_size};
            VEC_PUSH(&trace->maps, *ret);
        }
    }
    close(fd);
    return err;
}

static struct error *map_directory(struct trace *trace) {
    DIR *directory = opendir(trace->path);
    if (!directory)
        return error_errno("cannot open");
    VEC(struct trace_part) parts = {0};
    static const char *const shared[] = {TRACE_HEADER_NAME, TRACE_MODELS_NAME};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        char *path CLEANUP_FREE = trace_file(trace->path, shared[i]);
        if (access(path, F_OK) == 0)
            VEC_PUSH(&parts, (struct trace_part){.name = shared[i]});
    }
    const struct dirent *entry;
    while ((entry = readdir(directory))) {
        uint32_t slot;
        if (slot_of(entry->d_name, &slot))
            VEC_PUSH(&parts,
                     (struct trace_part){.name = arena_strdup(&trace->arena, entry->d_name)});
    }
    closedir(directory);
    struct error *err = NULL;
    for (size_t i = 0; !err && i < parts.count; i++)
        err = map_file(trace, parts.data[i].name, &parts.data[i].bytes);
    if (!err)
        err = assemble(trace, parts.data, parts.count);
    VEC_DEINIT(&parts);
    return err;
}

struct error *trace_open(const char *path, struct trace **ret) {
    struct stat st;
    if (stat(path, &st) != 0)
        return error_errno("cannot open %s", path);
    char *directory;
    if (S_ISDIR(st.st_mode)) {
        directory = mem_strdup(path);
    } else {
        struct error *err = pack_unpack(path, &directory);
        if (err)
            return err;
    }
    /* Where that cannot be done, the log is read as far as it goes. */
    struct error *unfinished CLEANUP_ERROR = trace_finish(directory);
    struct trace *trace = mem_zalloc(1, sizeof *trace);
    trace->path = directory;
    struct error *err = map_directory(trace);
    if (err) {
        trace_close(trace);
        return error_in(err, "%s", path);
    }
    trace->program = trace_file(trace->path, TRACE_PROGRAM_NAME);
    if (access(trace->program, F_OK) != 0) {
        free(trace->program);
        trace->program = mem_strdup(trace->info.program);
    }
    *ret = trace;
    return NULL;
}

const struct trace_info *trace_info(const struct trace *trace) { return &trace->info; }

const char *trace_path(const struct trace *trace) { return trace->path; }

const char *trace_program(const struct trace *trace) {
    return trace->program ? trace->program : trace->info.program;
}

const struct model_table *trace_models(const struct trace *trace) { return trace->models; }

size_t trace_stream_count(const struct trace *trace) { return trace->streams.count; }

uint32_t trace_stream_slot(const struct trace *trace, size_t stream) {
    return trace->streams.data[stream].slot;
}

struct error *trace_check_layout(const struct trace *trace) {
    struct error *err = NULL;
    for (size_t i = 0; !err && i < trace->streams.count; i++)
        err = trace_stream_error(&trace->streams.data[i]);
    return err;
}

const struct model_param *trace_parameter(const struct trace *trace,
                                          const struct model_function *model, uint32_t parameter) {
    BUG_IF(parameter >= model->param_count);
    return model_table_param(trace->models, model, parameter);
}

const char *trace_parameter_name(const struct trace *trace, const struct model_function *model,
                                 uint32_t parameter) {
    const struct model_param *param = trace_parameter(trace, model, parameter);
    const char *name = model_table_text(trace->models, param->name);
    return *name ? name : "?";
}
