/*
 * Where is the variant that monitors?  See monitor_image.h.
 *
 * It is built once, by recut-program: LLVM takes longer to load than many programs run.
 */
#include "cmd/monitor_image.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/io.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/variant_cache.h"
#include "program/embedded.h"

/* What it says of a failure is ours to say. */
static struct error *failure_of(const struct io_child *child) {
    char *said = strchr(child->err, ':');
    said = said && said[1] ? said + 2 : child->err;
    said[strcspn(said, "\n")] = '\0';
    if (child->exit_code > ERROR_BUG || !*said)
        return error_new(ERROR_FAILED, "recut arm ended with %d", child->exit_code);
    return error_new((enum error_code)child->exit_code, "%s", said);
}

struct error *monitor_arm(const char *const *arguments, char **ret_said) {
    char *tool CLEANUP_FREE = NULL;
    struct error *err = io_find_installed("recut-program", &tool);
    if (err)
        return err;
    VEC(char *) argv = {0};
    VEC_PUSH(&argv, tool);
    VEC_PUSH(&argv, (char *)"arm");
    for (; *arguments; arguments++)
        VEC_PUSH(&argv, (char *)*arguments);
    VEC_PUSH(&argv, NULL);
    struct io_child child = {0};
    err = io_run(argv.data, true, &child);
    VEC_DEINIT(&argv);
    if (!err && child.exit_code)
        err = failure_of(&child);
    if (!err && ret_said) {
        *ret_said = child.out;
        child.out = NULL;
    }
    io_child_deinit(&child);
    return err;
}

struct error *monitor_image(const char *program, const char *choices, char **ret) {
    uint8_t build_id[BUILD_ID_SIZE];
    uint64_t places;
    struct error *err = embedded_layout(program, build_id, &places);
    if (err)
        return err;
    char *path =
        variant_cache_path(build_id, "monitor", places ^ XXH3_64bits(choices, strlen(choices)));
    if (access(path, R_OK) != 0) {
        cmd_progress("building a shadow stack into %s, once ...", program);
        err = monitor_arm((const char *const[]){"build", program, path, choices, NULL}, NULL);
        cmd_progress(NULL);
    }
    if (err)
        free(path);
    else
        *ret = path;
    return err;
}
