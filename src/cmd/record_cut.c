/*
 * Where does the variant of a cut come from?  It is built once for each cut, program and models,
 * kept in the cache, and copied into the trace, for the replay must run the same code; see
 * record_cut.h.
 */
#include "cmd/record_cut.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/variant_cache.h"
#include "trace/trace.h"

static struct error *build(const struct record_cut *record, const char *image) {
    char *tool CLEANUP_FREE = NULL;
    char *models CLEANUP_FREE = mem_printf("%s/%s", record->trace, TRACE_MODELS_NAME);
    char *cut CLEANUP_FREE = mem_printf("cut:%s", record->path);
    struct error *err = io_find_installed("recut-program", &tool);
    if (err)
        return err;
    char *argv[] = {tool,
                    (char *)"prepare",
                    (char *)record->program,
                    models,
                    (char *)image,
                    cut,
                    (char *)"hashes",
                    NULL};
    if (!record->hashes)
        argv[6] = NULL;
    cmd_progress("building the cut of %s, once ...", record->program);
    struct io_child child;
    err = io_run(argv, true, &child);
    cmd_progress(NULL);
    if (err)
        return err;
    if (child.exit_code) {
        /* It said why, as "recut prepare: why". */
        const char *why = strstr(child.err, "prepare: ");
        child.err[strcspn(child.err, "\n")] = '\0';
        err = error_new(child.exit_code == ERROR_INPUT ? ERROR_INPUT : ERROR_FAILED, "%s",
                        why ? why + strlen("prepare: ") : child.err);
    }
    io_child_deinit(&child);
    return err;
}

struct error *record_cut_variant(const struct record_cut *record) {
    char *text CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = io_read_file(record->path, &text, &size);
    if (err)
        return err;
    char *copy CLEANUP_FREE = mem_printf("%s/%s", record->trace, TRACE_VARIANT_NAME);
    char *kept CLEANUP_FREE = mem_printf("%s/%s", record->trace, TRACE_CUT_NAME);
    struct stat program;
    if (stat(record->program, &program) != 0)
        return error_errno("cannot look at %s", record->program);
    /* One program may be linked with this runtime and that. */
    uint64_t seed = record->models_hash ^ (uint64_t)program.st_size * 31 ^
                    (uint64_t)program.st_mtim.tv_sec * 1000000007 ^
                    (uint64_t)program.st_mtim.tv_nsec;
    uint64_t choices = XXH3_64bits_withSeed(text, size, seed) + record->hashes;
    char *image CLEANUP_FREE = variant_cache_path(record->build_id, "cut", choices);
    if (!variant_cache_is_writable(image)) {
        free(image);
        image = mem_strdup(copy);
    }
    if (access(image, R_OK) != 0)
        err = build(record, image);
    if (!err && strcmp(image, copy) != 0)
        err = io_share_program(image, copy);
    return err ? err : io_write_file(kept, text, size);
}
