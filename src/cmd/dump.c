/*
 * recut dump: recut's own view of a program, or of a trace.
 */
#include "cmd/dump.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/contexts.h"
#include "cmd/cmd.h"
#include "trace/directory.h"

static const char help[] =
    "usage: recut dump [OPTION]... PROG\n"
    "       recut dump [--json|--check] [-p PID] [TRACE]\n"
    "\n"
    "Prints what recut knows of a program that recut-cc built (or of a bitcode\n"
    "file), by the ids that the other commands use.\n"
    "\n"
    "Of a trace (its directory, its name in `recut ls`, or a packed one; the last\n"
    "recording if nothing is named) prints the header and every event in full, of one\n"
    "process after the other; `recut events` is the readable form.\n"
    "\n"
    "what to print:\n"
    "      --functions      one line for each function (the default)\n"
    "      --ir             blocks and instructions, with operands and source lines\n"
    "      --cfg            blocks and edges\n"
    "      --memory         globals, thread-locals, frame slots, heap allocation sites\n"
    "      --variables      source variables and where they live\n"
    "      --types          source types with their fields\n"
    "      --points-to      what pointers may point to, what indirect calls may call\n"
    "      --environment    accesses to memory that the environment owns or writes\n"
    "      --calls          whom each call may enter, also by pointers and called back\n"
    "      --control        dominators, and which blocks decide about which\n"
    "      --threads        threads, and memory that more than one of them touches\n"
    "      --parallel       which threads may run at the same time as which code\n"
    "      --parts          memory as each function sees it: what it reads and writes\n"
    "      --sdg            the system dependence graph, with summary edges\n"
    "      --llvm           LLVM's text of the bitcode\n"
    "\n"
    "how:\n"
    "      --function NAME  of this function only; its symbol, or its name in the source\n"
    "      --copies         with the copies of functions by which slices tell callers apart\n"
    "      --model FILE     with --points-to, --environment: models of external functions\n"
    "      --json           as JSON (docs/formats.md)\n"
    "      --dot            as a graph for `dot`; with --cfg, --points-to and from\n"
    "                       --calls on\n"
    "      --check          check the model, or all processes of the trace, and print\n"
    "                       nothing\n"
    "  -p, --process PID    of a trace: this process only (`recut ps` lists them)\n"
    "  -h, --help           this text\n";

struct request {
    struct dump_options options;
    enum dump_format format;
    bool llvm, check;
    int chosen;   /* how many of the things to print */
    uint64_t pid; /* of a trace; 0: all processes */
    const char *path;
};

bool dump_wants(const struct program *program, const struct dump_options *options, function_id id) {
    const struct function *function = &program->functions.data[id];
    if (options->function)
        return strcmp(function->name, options->function) == 0 ||
               strcmp(function->source_name, options->function) == 0;
    return options->what == DUMP_FUNCTIONS || function->flags & FUNCTION_DEFINED;
}

char *dump_location_text(const struct program *program, location_id id) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (bool first = true; id != NO_ID; first = false) {
        const struct location *location = &program->locations.data[id];
        const char *file = location->file == NO_ID ? "?" : program->files.data[location->file].name;
        fprintf(out, "%s%s:%u:%u", first ? "" : " < ", file, location->line, location->column);
        id = location->inlined_at;
    }
    fclose(out);
    return text;
}

/* Prints LLVM's text of the module, or of each function of the name. */
static struct error *print_llvm(const struct request *request) {
    char *text CLEANUP_FREE = NULL;
    struct error *err;
    if (!request->options.function) {
        err = program_llvm_text(request->path, NULL, &text);
        if (!err)
            fputs(text, stdout);
        return err;
    }
    struct program *program;
    err = program_open(request->path, &program);
    if (err)
        return err;
    function_id id = program_find_function(program, request->options.function, 0);
    if (id == NO_ID)
        err =
            error_new(ERROR_FAILED, "%s: no function %s", request->path, request->options.function);
    for (; !err && id != NO_ID;
         id = program_find_function(program, request->options.function, id + 1)) {
        free(text);
        text = NULL;
        err = program_llvm_text(request->path, program->functions.data[id].name, &text);
        if (!err)
            fputs(text, stdout);
    }
    program_free(program);
    return err;
}

static struct error *print_model(const struct request *request) {
    struct program *program;
    struct error *err = program_open(request->path, &program);
    if (err)
        return err;
    const char *name = request->options.function;
    if (request->options.copies)
        contexts_tell_apart(program, CONTEXTS_MOST);
    if (request->check)
        err = program_check(program);
    else if (name && program_find_function(program, name, 0) == NO_ID)
        err = error_new(ERROR_FAILED, "%s: no function %s", request->path, name);
    else if (request->options.what >= DUMP_POINTS_TO)
        err = dump_analysis(program, &request->options, request->format, stdout);
    else if (request->format == DUMP_AS_JSON)
        dump_json(program, &request->options, stdout);
    else if (request->format == DUMP_AS_DOT)
        dump_dot(program, &request->options, stdout);
    else
        dump_text(program, &request->options, stdout);
    program_free(program);
    return err;
}

/* A program of this path goes before a trace of this name. */
static bool is_trace(const char *argument) {
    char *path CLEANUP_FREE = NULL;
    struct stat st;
    if (!argument) /* the last one */
        return true;
    if (stat(argument, &st) == 0)
        return S_ISDIR(st.st_mode) || trace_is_at(argument);
    struct error *err CLEANUP_ERROR = trace_resolve(argument, &path);
    return !err && stat(path, &st) == 0;
}

static int dump_trace_only(char **argv, const struct request *request) {
    if (request->chosen || request->options.function || request->options.copies ||
        request->format == DUMP_AS_DOT)
        return cmd_usage(argv[0], "%s is a trace: only --json, --check and --process go with it",
                         request->path);
    return dump_trace(&(struct dump_trace_options){.command = argv[0],
                                                   .argument = request->path,
                                                   .pid = request->pid,
                                                   .is_json = request->format == DUMP_AS_JSON,
                                                   .is_check = request->check});
}

enum {
    OPTION_PROCESS = 'p',
    OPTION_FUNCTION = 256,
    OPTION_JSON,
    OPTION_DOT,
    OPTION_LLVM,
    OPTION_CHECK,
    OPTION_COPIES,
    OPTION_MODELS,
    OPTION_WHAT
};

/* Returns -1 to go on, else the exit code. */
static int parse(int argc, char **argv, struct request *request) {
    static const struct option options[] = {
        {"functions", no_argument, NULL, OPTION_WHAT + DUMP_FUNCTIONS},
        {"ir", no_argument, NULL, OPTION_WHAT + DUMP_IR},
        {"cfg", no_argument, NULL, OPTION_WHAT + DUMP_CFG},
        {"memory", no_argument, NULL, OPTION_WHAT + DUMP_MEMORY},
        {"variables", no_argument, NULL, OPTION_WHAT + DUMP_VARIABLES},
        {"types", no_argument, NULL, OPTION_WHAT + DUMP_TYPES},
        {"points-to", no_argument, NULL, OPTION_WHAT + DUMP_POINTS_TO},
        {"environment", no_argument, NULL, OPTION_WHAT + DUMP_ENVIRONMENT},
        {"calls", no_argument, NULL, OPTION_WHAT + DUMP_CALLS},
        {"control", no_argument, NULL, OPTION_WHAT + DUMP_CONTROL},
        {"threads", no_argument, NULL, OPTION_WHAT + DUMP_THREADS},
        {"parallel", no_argument, NULL, OPTION_WHAT + DUMP_PARALLEL},
        {"parts", no_argument, NULL, OPTION_WHAT + DUMP_PARTS},
        {"sdg", no_argument, NULL, OPTION_WHAT + DUMP_SDG},
        {"model", required_argument, NULL, OPTION_MODELS},
        {"llvm", no_argument, NULL, OPTION_LLVM},
        {"function", required_argument, NULL, OPTION_FUNCTION},
        {"json", no_argument, NULL, OPTION_JSON},
        {"dot", no_argument, NULL, OPTION_DOT},
        {"copies", no_argument, NULL, OPTION_COPIES},
        {"check", no_argument, NULL, OPTION_CHECK},
        {"process", required_argument, NULL, OPTION_PROCESS},
        CMD_OPTION_HELP,
        {0},
    };
    int option;
    while ((option = getopt_long(argc, argv, ":p:h", options, NULL)) != -1)
        switch (option) {
        case OPTION_FUNCTION:
            request->options.function = optarg;
            break;
        case OPTION_MODELS:
            request->options.models = optarg;
            break;
        case OPTION_JSON:
            request->format = DUMP_AS_JSON;
            break;
        case OPTION_DOT:
            request->format = DUMP_AS_DOT;
            break;
        case OPTION_LLVM:
            request->llvm = true;
            request->chosen++;
            break;
        case OPTION_COPIES:
            request->options.copies = true;
            break;
        case OPTION_CHECK:
            request->check = true;
            break;
        case OPTION_PROCESS:
            if (!cmd_is_count(optarg) || strtoull(optarg, NULL, 10) == 0)
                return cmd_usage(argv[0], "--process wants a process id, not %s", optarg);
            request->pid = strtoull(optarg, NULL, 10);
            break;
        case 'h':
            return cmd_help(help);
        case '?':
        case ':':
            return cmd_bad_option(argv);
        default:
            request->options.what = (enum dump_what)(option - OPTION_WHAT);
            request->chosen++;
        }
    if (request->chosen > 1)
        return cmd_usage(argv[0], "one thing at a time");
    if (optind + 1 < argc)
        return cmd_usage(argv[0], "one program at a time");
    bool is_of_program = request->chosen || request->llvm || request->options.function ||
                         request->options.models || request->options.copies ||
                         request->format == DUMP_AS_DOT;
    if (optind == argc && is_of_program)
        return cmd_usage(argv[0], "which program?");
    if (request->format == DUMP_AS_DOT && request->options.what != DUMP_CFG &&
        request->options.what != DUMP_POINTS_TO && request->options.what < DUMP_CALLS)
        return cmd_usage(argv[0], "--dot goes with --cfg, --points-to, --calls, --control, "
                                  "--threads, --parallel, --parts and --sdg");
    if (request->llvm && request->options.copies)
        return cmd_usage(argv[0], "LLVM's text has no copies");
    if (request->llvm && request->format != DUMP_AS_TEXT)
        return cmd_usage(argv[0], "--llvm is text only");
    request->path = argv[optind];
    return -1;
}

int cmd_dump(int argc, char **argv) {
    struct request request = {0};
    int code = parse(argc, argv, &request);
    if (code >= 0)
        return code;
    if (is_trace(request.path))
        return dump_trace_only(argv, &request);
    if (request.pid)
        return cmd_usage(argv[0], "--process goes with a trace");
    struct error *err = request.llvm ? print_llvm(&request) : print_model(&request);
    return err ? cmd_fail(argv[0], err) : cmd_finish(argv[0]);
}
