/* The header of a trace: program, arguments, environment, machine; see header.h. */
#include "trace/header.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <xxhash.h>

#include "base/io.h"
#include "trace/trace_impl.h"

static uint64_t header_hash(struct bytes file) {
    struct trace_header header;
    memcpy(&header, file.data, sizeof header);
    header.hash = 0;
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    XXH3_64bits_update(state, &header, sizeof header);
    XXH3_64bits_update(state, file.data + sizeof header, file.size - sizeof header);
    uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return hash;
}

static struct error *damaged(const char *what) {
    return error_new(ERROR_INPUT, "%s: is damaged: %s", TRACE_HEADER_NAME, what);
}

/* The next string; NULL if it does not end. */
static const char *next_string(struct reader *reader) {
    const char *text = (const char *)reader->at;
    const uint8_t *end = memchr(reader->at, '\0', reader_left(reader));
    if (!end) {
        reader_fail(reader);
        return NULL;
    }
    reader->at = end + 1;
    return text;
}

/* A count is believed only if there are as many NULs left. */
static const char *const *next_strings(struct reader *reader, uint32_t count, struct arena *arena) {
    if (count > reader_left(reader)) {
        reader_fail(reader);
        return NULL;
    }
    const char **strings = arena_alloc(arena, ((size_t)count + 1) * sizeof *strings);
    for (uint32_t i = 0; i < count; i++)
        strings[i] = next_string(reader);
    return strings;
}

struct error *trace_header_parse(struct bytes file, struct arena *arena, struct trace_info *ret) {
    struct trace_header header;
    if (file.size < sizeof header.magic)
        return error_new(ERROR_INPUT, "%s: is cut off", TRACE_HEADER_NAME);
    memcpy(&header.magic, file.data, sizeof header.magic);
    if (header.magic != TRACE_MAGIC)
        return error_new(ERROR_INPUT, "%s: is not the header of a trace", TRACE_HEADER_NAME);
    if (file.size < sizeof header)
        return error_new(ERROR_INPUT, "%s: is cut off", TRACE_HEADER_NAME);
    memcpy(&header, file.data, sizeof header);
    if (header.version != LOG_VERSION)
        return error_new(ERROR_INPUT, "%s: has format version %u, this recut reads %u",
                         TRACE_HEADER_NAME, header.version, LOG_VERSION);
    if (header.size > file.size)
        return error_new(ERROR_INPUT, "%s: is cut off", TRACE_HEADER_NAME);
    if (header.size != file.size || file.size > TRACE_HEADER_MAX)
        return damaged("its size is wrong");
    if (header.hash != header_hash(file))
        return damaged("its checksum is wrong");
    struct reader reader = reader_of((struct bytes){file.data, file.size});
    reader_take(&reader, sizeof header);
    struct trace_info info = {
        .id = header.id,
        .start_time = header.start_time,
        .argument_count = header.argument_count,
        .environment_count = header.environment_count,
        .serial = header.serial,
        .cut = header.cut,
    };
    memcpy(info.build_id, header.build_id, BUILD_ID_SIZE);
    info.program = next_string(&reader);
    info.directory = next_string(&reader);
    info.libc = next_string(&reader);
    info.processor = next_string(&reader);
    info.arguments = next_strings(&reader, header.argument_count, arena);
    info.environment = next_strings(&reader, header.environment_count, arena);
    if (!reader_is_done(&reader))
        return damaged("its strings do not fit its counts");
    *ret = info;
    return NULL;
}

struct error *trace_make_header(const struct trace_info *info, char **ret_data, size_t *ret_size) {
    struct trace_header header = {
        .magic = TRACE_MAGIC,
        .version = LOG_VERSION,
        .id = info->id,
        .start_time = info->start_time,
        .argument_count = info->argument_count,
        .environment_count = info->environment_count,
        .serial = info->serial,
        .cut = info->cut,
    };
    memcpy(header.build_id, info->build_id, BUILD_ID_SIZE);
    char *data;
    size_t size;
    FILE *out = open_memstream(&data, &size);
    if (!out)
        return error_errno("cannot write a header");
    fwrite(&header, sizeof header, 1, out);
    const char *const first[] = {info->program, info->directory, info->libc, info->processor};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        fwrite(first[i], strlen(first[i]) + 1, 1, out);
    for (uint32_t i = 0; i < info->argument_count; i++)
        fwrite(info->arguments[i], strlen(info->arguments[i]) + 1, 1, out);
    for (uint32_t i = 0; i < info->environment_count; i++)
        fwrite(info->environment[i], strlen(info->environment[i]) + 1, 1, out);
    fclose(out);
    if (size > TRACE_HEADER_MAX) {
        free(data);
        return error_new(ERROR_FAILED, "arguments and environment are too large to record");
    }
    header.size = (uint32_t)size;
    memcpy(data, &header, sizeof header);
    header.hash = header_hash((struct bytes){(const uint8_t *)data, size});
    memcpy(data, &header, sizeof header);
    *ret_data = data;
    *ret_size = size;
    return NULL;
}

struct error *trace_write_header(const char *directory, const struct trace_info *info) {
    char *data CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = trace_make_header(info, &data, &size);
    if (err)
        return err;
    char *path CLEANUP_FREE = mem_printf("%s/%s", directory, TRACE_HEADER_NAME);
    return io_write_file(path, data, size);
}

/* "model name" of the first processor, as the kernel has it. */
static const char *processor_name(void) {
    static char name[256];
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[512];
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file)
        fclose(file);
    return *name ? name : "unknown";
}

struct error *trace_describe_machine(struct trace_info *info) {
    static char libc[64];
    uint64_t id;
    if (getrandom(&id, sizeof id, 0) != sizeof id)
        return error_errno("cannot make up a number for the trace");
    snprintf(libc, sizeof libc, "glibc %s", gnu_get_libc_version());
    info->libc = libc;
    info->processor = processor_name();
    info->start_time = (uint64_t)time(NULL);
    info->id = id;
    return NULL;
}
