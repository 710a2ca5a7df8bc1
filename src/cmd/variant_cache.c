/* Where is the variant that was built before?  See variant_cache.h. */
#include "cmd/variant_cache.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cache.h"
#include "cmd/cmd.h"
#include "format/variant.h"

char *variant_cache_path(const uint8_t build_id[BUILD_ID_SIZE], const char *kind,
                         uint64_t choices) {
    char *directory CLEANUP_FREE = cache_folder("variants");
    char id[2 * BUILD_ID_SIZE + 1];
    for (int i = 0; i < BUILD_ID_SIZE; i++)
        snprintf(id + 2 * i, 3, "%02x", build_id[i]);
    return mem_printf("%s/%s-%s%d-%016" PRIx64 ".variant", directory, id, kind, VARIANT_VERSION,
                      choices ^ cache_tool_identity());
}

bool variant_cache_is_writable(const char *path) {
    char *directory CLEANUP_FREE = mem_strdup(path);
    char *slash = strrchr(directory, '/');
    if (slash)
        *slash = '\0';
    return access(directory, W_OK | X_OK) == 0;
}

static const struct {
    uint64_t feature;
    const char *name; /* as `recut prepare` knows it */
} features[] = {
    {VARIANT_LOADS, "loads"},       {VARIANT_ATOMICS, "atomics"}, {VARIANT_TICKS, "ticks"},
    {VARIANT_ACCESSES, "accesses"}, {VARIANT_RACES, "races"},
};
enum { feature_count = sizeof features / sizeof *features };

static struct error *build(const struct variant_request *request, const char *image) {
    char *tool CLEANUP_FREE = NULL;
    struct error *err = io_find_installed("recut-program", &tool);
    if (err)
        return err;
    char *argv[6 + feature_count] = {tool, (char *)"prepare", (char *)request->program,
                                     (char *)request->models, (char *)image};
    for (size_t i = 0, count = 5; i < feature_count; i++)
        if (request->features & features[i].feature)
            argv[count++] = (char *)features[i].name;
    cmd_progress("%s %s, once ...", request->doing, request->program);
    struct io_child child;
    err = io_run(argv, false, &child);
    cmd_progress(NULL);
    if (!err && child.exit_code)
        err = error_new(ERROR_FAILED, "cannot build a variant of %s", request->program);
    return err;
}

struct error *variant_cache_get(const struct variant_request *request, char **ret) {
    struct stat program;
    if (stat(request->program, &program) != 0)
        return error_errno("cannot look at %s", request->program);
    uint64_t choices = (request->models_hash ^ (uint64_t)program.st_size) * 31 + request->features;
    char *image = variant_cache_path(request->build_id, "logging", choices);
    if (!variant_cache_is_writable(image)) {
        free(image);
        image = mem_strdup(request->own);
    }
    char *none CLEANUP_FREE = mem_printf("%s.none", image);
    struct error *err = NULL;
    if (access(none, F_OK) != 0 && access(image, R_OK) != 0)
        err = build(request, image);
    bool is_there = !err && access(none, F_OK) != 0;
    *ret = is_there ? image : NULL;
    if (!is_there)
        free(image);
    return err;
}

/* Its entry point is the header, and no address in it is to be believed. */
struct error *variant_cache_features(const char *image, uint64_t *ret) {
    char *bytes CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = io_read_file(image, &bytes, &size);
    if (err)
        return err;
    const Elf64_Ehdr *elf = (const void *)bytes;
    if (size >= sizeof *elf && memcmp(elf->e_ident, ELFMAG, SELFMAG) == 0 && elf->e_phoff <= size &&
        elf->e_phnum <= (size - elf->e_phoff) / sizeof(Elf64_Phdr))
        for (unsigned i = 0; i < elf->e_phnum; i++) {
            Elf64_Phdr segment;
            memcpy(&segment, bytes + elf->e_phoff + i * sizeof segment, sizeof segment);
            uint64_t offset = elf->e_entry - segment.p_vaddr;
            struct variant_header header;
            if (segment.p_type != PT_LOAD || offset >= segment.p_filesz ||
                segment.p_offset > size || offset > size - segment.p_offset ||
                sizeof header > size - segment.p_offset - offset)
                continue;
            memcpy(&header, bytes + segment.p_offset + offset, sizeof header);
            if (header.magic != VARIANT_MAGIC || header.kind != VARIANT_LOGGING)
                break;
            *ret = header.features;
            return NULL;
        }
    return error_new(ERROR_INPUT, "%s: not a variant", image);
}
