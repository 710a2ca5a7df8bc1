/* Which processes of a trace are shown, and what is missing from them?  See process_walk.h. */
#include "cmd/process_walk.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "trace/directory.h"

struct error *process_walk_open(struct process_walk *walk, const char *argument) {
    struct error *err = trace_resolve(argument, &walk->path);
    if (!err)
        err = trace_open(walk->path, &walk->trace); /* a packed one is unpacked now */
    if (!err)
        err = trace_processes_read(trace_path(walk->trace), &walk->processes);
    if (!err && walk->pid && !trace_process_find(&walk->processes, walk->pid))
        err = error_new(ERROR_FAILED, "%s: has no process %" PRIu64 " (`recut ps` lists them)",
                        walk->path, walk->pid);
    return err;
}

static void end_process(struct process_walk *walk) {
    if (walk->process)
        trace_view_close(&walk->view);
    walk->process = NULL;
}

void process_walk_close(struct process_walk *walk) {
    end_process(walk);
    trace_processes_free(&walk->processes);
    trace_close(walk->trace);
    free(walk->path);
}

static void tell(struct process_walk *walk, struct error *err) {
    fflush(stdout);
    walk->code = cmd_fail(walk->command, err);
}

void process_walk_fail(struct process_walk *walk, struct error *err) {
    if (err)
        tell(walk, error_in(err, "%s", walk->view.path));
}

static bool is_wanted(const struct process_walk *walk, size_t at) {
    if (walk->pid && walk->processes.list[at].pid != walk->pid)
        return false;
    return !walk->is_first_only || walk->pid || at == 0;
}

bool process_walk_next(struct process_walk *walk) {
    end_process(walk);
    while (walk->next < walk->processes.count) {
        size_t at = walk->next++;
        const struct trace_process *process = &walk->processes.list[at];
        if (!is_wanted(walk, at))
            continue;
        /* The first by the name that the user has for it, which may be that of a packed one. */
        struct error *err = trace_view_open(at == 0 ? walk->path : process->path, &walk->view);
        if (err) {
            tell(walk, err);
            continue;
        }
        walk->process = process;
        if (process->wrong)
            process_walk_fail(walk, error_new(ERROR_INPUT, "%s", process->wrong));
        process_walk_fail(walk, trace_find_missing(walk->view.trace));
        return true;
    }
    return false;
}
