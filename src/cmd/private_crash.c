/* How does what is private stay out of a crash file?  See private_crash.h. */
#include "cmd/private_crash.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/monitor_image.h"
#include "cmd/variant_cache.h"
#include "program/embedded.h"
#include "testgen/capture.h"

/* A file for each build says whether anything in it is private: to look takes as long as loading
 * the program. */
static struct error *is_private(const char *program, const char *redact, bool *ret) {
    uint8_t build_id[BUILD_ID_SIZE];
    struct error *err = embedded_build_id(program, build_id);
    if (err)
        return err;
    char *path CLEANUP_FREE =
        variant_cache_path(build_id, "private", XXH3_64bits(redact, strlen(redact)));
    char *text CLEANUP_FREE = NULL;
    size_t size;
    if (access(path, R_OK) != 0) {
        cmd_progress("looking for what is private in %s, once ...", program);
        err = monitor_arm((const char *const[]){"private", program, path, redact, NULL}, NULL);
        cmd_progress(NULL);
    }
    if (!err)
        err = io_read_file(path, &text, &size);
    if (!err)
        *ret = *text == '1';
    return err;
}

struct error *private_crash_begin(const char *program, const char *redact,
                                  struct private_crash *ret) {
    bool is_any = false;
    *ret = (struct private_crash){0};
    struct error *err = is_private(program, redact ? redact : "", &is_any);
    if (err || !is_any)
        return err;
    char *directory = mem_strdup("/dev/shm/recut-crash-XXXXXX");
    if (!mkdtemp(directory)) {
        free(directory);
        err = io_make_temp_dir(&directory);
    }
    if (err)
        return err;
    ret->directory = directory;
    ret->path = mem_printf("%s/crash", directory);
    return NULL;
}

static struct error *move(const char *from, const char *to) {
    char *bytes CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = io_read_file(from, &bytes, &size);
    return err ? err : io_write_file(to, bytes, size);
}

struct error *private_crash_end(struct private_crash *crash, const char *program, const char *image,
                                const char *redact, const char *choices, const char *output) {
    DIR *directory = opendir(crash->directory);
    const struct dirent *entry;
    struct error *err = NULL;
    while (!err && directory && (entry = readdir(directory))) {
        if (strncmp(entry->d_name, "crash", 5) != 0)
            continue;
        char *from CLEANUP_FREE = mem_printf("%s/%s", crash->directory, entry->d_name);
        char *to CLEANUP_FREE = mem_printf("%s%s", output, entry->d_name + strlen("crash"));
        cmd_progress("taking out what is private ...");
        err = monitor_arm(
            (const char *const[]){"redact", from, program, redact ? redact : "", image, NULL},
            NULL);
        cmd_progress(NULL);
        if (!err)
            err = capture_pack(from, choices);
        if (!err)
            err = move(from, to);
    }
    if (directory)
        closedir(directory);
    return err;
}

void private_crash_deinit(struct private_crash *crash) {
    if (crash->directory)
        io_remove_tree(crash->directory);
    free(crash->directory);
    free(crash->path);
    *crash = (struct private_crash){0};
}
