/*
 * recut replay: runs a recorded program again, with its environment from the
 * trace.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/replay_report.h"
#include "cmd/replay_run.h"
#include "cmd/run.h"

static const char usage[] =
    "usage: recut replay [OPTION]... [TRACE]\n"
    "\n"
    "Runs a recorded program again, exactly as it ran: same output, same crash. No file,\n"
    "no network and no other process is needed, only the trace, the executable and its\n"
    "libraries. TRACE is a directory, a packed trace or a name that `recut ls` shows; the\n"
    "last recording without one.\n"
    "\n"
    "  -g, --goto EVENT   stop at this event (`recut events` shows their numbers)\n"
    "  -p, --process PID  replay this child (`recut ps` lists them)\n"
    "      --part N       of a process that became other programs by exec() only the Nth,\n"
    "                     from 1 on; else all are replayed, one after the other, and\n"
    "                     --goto and --gdb are for the last\n"
    "      --gdb          replay in gdb\n"
    "      --verify       compare memory with the hashes that `recut record --hash` noted\n"
    "  -q, --quiet        no output of the program\n"
    "  -h, --help         this text\n"
    "\n"
    "The exit status is that of the recorded run; 1 if the replay left it, 65 if the\n"
    "trace is damaged or of another build.\n";

/* What gdb is told of the part of a cut, which is in an image of its own, and touches pages that
 * are made when it does.  The image is not there before the program has begun, so breakpoints in it
 * are set when it is: gdb does that when symbols come. */
static struct error *cut_script(const char *variant, char **ret_path) {
    int fd = memfd_create("recut-gdb", 0);
    if (fd < 0 || dprintf(fd,
                          "set confirm off\n"
                          "add-symbol-file '%s'\n"
                          "handle SIGSEGV nostop noprint pass\n"
                          "tbreak __recut_cut_run\n"
                          "commands\n"
                          "silent\n"
                          "set confirm off\n"
                          "remove-symbol-file '%s'\n"
                          "add-symbol-file '%s'\n"
                          "set confirm on\n"
                          "continue\n"
                          "end\n"
                          "set confirm on\n",
                          variant, variant, variant) < 0)
        return error_errno("cannot tell gdb of the part");
    *ret_path = mem_printf("/proc/self/fd/%d", fd);
    return NULL;
}

static struct error *run_gdb(const struct replay_run *run) {
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return error_errno("cannot find this program");
    self[length] = '\0';
    char *process CLEANUP_FREE = run->pid ? mem_printf(" -p %" PRIu64, run->pid) : mem_strdup("");
    char *wrapper CLEANUP_FREE =
        mem_printf("set exec-wrapper '%s' replay --exec --part %zu%s%s%s%s '%s' --", self,
                   run->part_number, run->verify ? " --verify" : "", run->goto_event ? " -g " : "",
                   run->goto_event ? run->goto_event : "", process, run->root);
    /* The way to a child is one real fork after the other. */
    char *follow =
        (char *)(run->follow ? "set follow-fork-mode child" : "set follow-fork-mode parent");
    bool is_cut = trace_info(run->trace)->cut;
    char *variant CLEANUP_FREE = is_cut ? replay_variant(run) : NULL, *script CLEANUP_FREE = NULL;
    struct error *err = variant ? cut_script(variant, &script) : NULL;
    if (err)
        return err;
    char *argv[] = {(char *)"gdb",
                    (char *)"-q",
                    (char *)"-iex",
                    (char *)"set startup-with-shell on",
                    (char *)"-ex",
                    wrapper,
                    (char *)"-ex",
                    follow,
                    (char *)run->program,
                    script ? (char *)"-x" : NULL,
                    script,
                    NULL};
    execvp("gdb", argv);
    return error_errno("cannot start gdb");
}

/* All parts of a process, each to the exec() that ends it. */
static struct error *replay_parts(struct replay_run *run, int *ret_status,
                                  struct replay_report *report) {
    struct error *err = replay_run(run, ret_status, report);
    while (!err && replay_has_next(run) && replay_report_ended(report, run->wanted)) {
        replay_report_deinit(report);
        err = replay_open_next(run);
        if (!err)
            err = replay_run(run, ret_status, report);
    }
    return err;
}

int cmd_replay(int argc, char **argv) {
    static const struct option options[] = {
        {"goto", required_argument, NULL, 'g'},
        {"gdb", no_argument, NULL, 'G'},
        {"verify", no_argument, NULL, 'v'},
        {"process", required_argument, NULL, 'p'},
        {"part", required_argument, NULL, 'P'},
        {"quiet", no_argument, NULL, 'q'},
        {"exec", no_argument, NULL, 'x'},
        CMD_OPTION_HELP,
        {0},
    };
    struct replay_run run = {.races_fd = -1};
    bool gdb = false, exec = false;
    int option;
    while ((option = getopt_long(argc, argv, "+:g:p:qh", options, NULL)) != -1)
        switch (option) {
        case 'g':
            if (!cmd_is_count(optarg))
                return cmd_usage(argv[0], "--goto wants the number of an event, not %s", optarg);
            run.goto_event = optarg;
            break;
        case 'p':
            if (!cmd_is_count(optarg) || strtoull(optarg, NULL, 10) == 0)
                return cmd_usage(argv[0], "--process wants a process id, not %s", optarg);
            run.pid = strtoull(optarg, NULL, 10);
            break;
        case 'P':
            if (!cmd_is_count(optarg) || strtoull(optarg, NULL, 10) == 0)
                return cmd_usage(argv[0], "--part wants a number from 1 on, not %s", optarg);
            run.part = strtoull(optarg, NULL, 10);
            break;
        case 'G':
            gdb = true;
            break;
        case 'v':
            run.verify = true;
            break;
        case 'q':
            run.quiet = true;
            break;
        case 'x':
            exec = true;
            break;
        case 'h':
            return cmd_help(usage);
        default:
            return cmd_bad_option(argv);
        }
    if (optind + 1 < argc && !exec)
        return cmd_usage(argv[0], "one trace at a time");
    run.is_last_part = gdb && !run.part;
    struct error *err = replay_open(&run, argv[optind]);
    int status = 0, code = 0;
    struct replay_report report = {0};
    if (!err && exec)
        err = replay_become(&run);
    else if (!err && gdb)
        err = run_gdb(&run);
    else if (!err)
        err = replay_parts(&run, &status, &report);
    if (!err)
        code = replay_report_print(&report, run.wanted, run.program);
    if (!err && code < 0 && run.goto_event) {
        struct trace_summary summary = {0};
        err = trace_summarise(run.wanted, &summary);
        if (!err)
            err = error_new(ERROR_FAILED, "event %s never came: the recording has %" PRIu64,
                            run.goto_event, summary.calls);
    }
    replay_report_deinit(&report);
    replay_close(&run);
    if (err)
        return cmd_fail(argv[0], err);
    return code < 0 ? run_end_like(status) : code;
}
