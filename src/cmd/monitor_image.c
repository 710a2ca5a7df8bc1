/* Where is the variant that monitors?  See monitor_image.h. */
#include "cmd/monitor_image.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/variant_cache.h"
#include "instrument/monitor.h"
#include "models/models.h"
#include "program/embedded.h"

struct error *monitor_image(const char *program, const char *choices, char **ret) {
    struct embedded embedded = {0};
    struct error *err = embedded_open(program, &embedded);
    if (err)
        return err;
    /* The build id does not cover where the linker put things. */
    uint64_t choice = XXH3_64bits(embedded.table, embedded.table_count * sizeof(uint64_t)) ^
                      XXH3_64bits(choices, strlen(choices));
    char *path = variant_cache_path(embedded.build_id, "monitor", choice);
    struct model_table *models CLEANUP_FREE = NULL;
    bool is_there = access(path, R_OK) == 0;
    if (!is_there)
        err = models_load(NULL, 0, &models);
    if (!err && !is_there) {
        struct monitor_result result;
        struct monitor_options options = {choices, program, &embedded, models, path};
        cmd_progress("building a shadow stack into %s, once ...", program);
        err = monitor_build(&options, &result);
        cmd_progress(NULL);
    }
    embedded_deinit(&embedded);
    if (err)
        free(path);
    else
        *ret = path;
    return err;
}
