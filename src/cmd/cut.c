/*
 * recut cut: which part of a program is replayed, and what is logged for that.
 */
#include "cmd/cut.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/cmd.h"
#include "cmd/cut_crash.h"
#include "cut/target.h"
#include "models/models.h"

static const char help[] =
    "usage: recut cut [OPTION]... PROG --target WHAT...\n"
    "\n"
    "Chooses which functions of PROG are executed again in a replay, so that the\n"
    "targets are among them and as little as possible has to be logged. PROG must be\n"
    "built with recut-cc.\n"
    "\n"
    "  -t, --target WHAT    a function, a source file, a folder with a / behind it, or\n"
    "                       a pattern for one of these; may be repeated.\n"
    "                       whole: the program, without input that nobody reads.\n"
    "                       crash:TRACE: what the crash of a recording depends on\n"
    "  -p, --profile FILE   how often everything is executed (recut profile -o FILE)\n"
    "  -o, --output FILE    write the cut, for recut record --cut FILE\n"
    "  -n, --rows ROWS      rows of the table (default 20; 0 for all)\n"
    "      --format FORMAT  text, json or dot\n"
    "      --strategy NAME  mincut (default), eager or tight\n"
    "      --model FILE     models of external functions (docs/models.md)\n"
    "      --statistics     sizes and processor times, on standard error\n"
    "  -q, --quiet          print nothing\n"
    "  -h, --help           this text\n"
    "\n"
    "docs/module-replay.md has an example, and says what the columns mean.\n";

#define TARGET_WHOLE "whole"

struct request {
    VEC(const char *) targets;
    const char *path, *profile, *output, *models;
    enum cut_strategy strategy;
    enum cut_format format;
    size_t rows;
    bool quiet, statistics;
};

/* All that a cut is made from. */
struct parts {
    struct program *program;
    struct model_table *models;
    struct pta *pta;
    struct effects *effects;
    struct weights weights;
    struct graph *graph;
    struct choose_targets targets;
};

static void parts_deinit(struct parts *parts) {
    bitset_deinit(&parts->targets.wished);
    bitset_deinit(&parts->targets.all);
    graph_free(parts->graph);
    weights_deinit(&parts->weights);
    effects_free(parts->effects);
    pta_free(parts->pta);
    free(parts->models);
    program_free(parts->program);
}

/* --- statistics ------------------------------------------------------------------------------- */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Says how much processor time something took that began at *begin, where the next begins. */
static void tell_time(const struct request *request, const char *what, double *begin) {
    double end = now();
    if (request->statistics)
        fprintf(stderr, "%-24s %9.3f s\n", what, end - *begin);
    *begin = end;
}

static void tell_sizes(const struct request *request, const struct graph *graph,
                       const struct choice *choice) {
    if (!request->statistics)
        return;
    fprintf(stderr, "%-24s %9u\n%-24s %9u\n%-24s %9zu\n%-24s %9u\n%-24s %9lu\n", "operations",
            graph->operation_count, "values", graph->value_count, "edges",
            graph->sites.count + graph->ties.count, "nodes, contracted", choice->figures.nodes,
            "edges, contracted", (unsigned long)choice->figures.edges);
}

/* --- the cut ---------------------------------------------------------------------------------- */

/* Those that a name means are found before anything is analysed, the others behind it. */
static struct error *find_targets(const struct request *request, struct parts *parts) {
    for (size_t i = 0; i < request->targets.count; i++) {
        const char *text = request->targets.data[i];
        bool is_crash = cut_crash_is(text), is_whole = strcmp(text, TARGET_WHOLE) == 0;
        struct error *err = NULL;
        if (!parts->graph && !is_crash && !is_whole)
            err = target_add(parts->program, text, &parts->targets.all);
        else if (parts->graph && is_crash)
            err = cut_crash_targets(parts->pta, text, &parts->targets.all);
        if (err)
            return error_in(err, "--target %s", text);
    }
    /* Behind those that are named, which it does not leave out. */
    for (size_t i = 0; i < request->targets.count && parts->graph; i++)
        if (strcmp(request->targets.data[i], TARGET_WHOLE) == 0)
            choose_possible(parts->graph, &parts->weights, &parts->targets);
    return NULL;
}

static struct error *read_weights(const struct request *request, struct parts *parts) {
    if (request->profile)
        return weights_read(request->profile, parts->program, &parts->weights);
    fprintf(
        stderr,
        "recut cut: without a profile everything weighs the same, and the log can be many times as "
        "large; --profile\n");
    weights_init(parts->program, &parts->weights);
    return NULL;
}

static struct error *make_parts(const struct request *request, struct parts *parts) {
    double begin = now();
    struct error *err = models_load(&request->models, request->models ? 1 : 0, &parts->models);
    if (!err)
        err = program_open(request->path, &parts->program);
    if (!err)
        err = find_targets(request, parts);
    if (!err)
        err = read_weights(request, parts);
    if (err)
        return err;
    tell_time(request, "reading", &begin);
    cmd_progress("points-to analysis");
    parts->pta = pta_build(parts->program, &(struct pta_options){.models = parts->models});
    tell_time(request, "points-to analysis", &begin);
    cmd_progress("memory");
    parts->effects = effects_build(parts->pta);
    tell_time(request, "effects and cells", &begin);
    cmd_progress("flow graph");
    parts->graph = graph_build(parts->effects, &parts->weights);
    tell_time(request, "flow graph", &begin);
    cmd_progress(NULL);
    return NULL;
}

/* Of the targets that cost most, which would it help to leave out? */
static void find_savings(struct parts *parts, struct cut_report *report) {
    enum { MOST = 3 };
    uint64_t *costs CLEANUP_FREE = mem_zalloc(parts->program->functions.count + 1, sizeof *costs);
    for (size_t i = 0; i < report->rows.count; i++)
        costs[report->rows.data[i]->function] += report->rows.data[i]->weight;
    const struct bitset *all = &parts->targets.all;
    for (int i = 0; i < MOST && bitset_count(all) > 1; i++) {
        function_id dearest = NO_ID;
        BITSET_EACH(f, all)
        if (costs[f] && (dearest == NO_ID || costs[f] > costs[dearest]))
            dearest = f;
        if (dearest == NO_ID)
            return;
        costs[dearest] = 0;
        struct choose_targets others = {.wished = parts->targets.wished};
        BITSET_EACH(f, all)
        if (f != dearest)
            bitset_add(&others.all, f);
        struct choice choice;
        struct error *err = choose(parts->graph, &others, CUT_MINCUT, &choice);
        BUG_IF(err); /* with more targets there was a cut */
        VEC_PUSH(&report->savings, (struct cut_saving){dearest, choice.cost});
        choice_deinit(&choice);
        bitset_deinit(&others.all);
    }
}

static void report_cut(const struct request *request, struct parts *parts, const struct cut *cut,
                       const struct choice *choice) {
    struct cut_report report = {.program = parts->program,
                                .graph = parts->graph,
                                .weights = &parts->weights,
                                .cut = cut,
                                .choice = choice,
                                .targets = &parts->targets.all,
                                .least_cost = choice->cost,
                                .most_rows = request->rows};
    struct choice other;
    choose_whole(parts->graph, &other);
    report.whole_cost = other.cost;
    choice_deinit(&other);
    cut_report_rows(&report);
    if (request->strategy != CUT_MINCUT) {
        struct error *err = choose(parts->graph, &parts->targets, CUT_MINCUT, &other);
        BUG_IF(err);
        report.least_cost = other.cost;
        choice_deinit(&other);
    } else if (request->format != CUT_DOT) {
        cmd_progress("what would make it smaller");
        find_savings(parts, &report);
        cmd_progress(NULL);
    }
    cut_print(&report, request->format, stdout);
    cut_report_deinit(&report);
}

static char *targets_text(const struct request *request) {
    char *text = mem_strdup(request->targets.data[0]);
    for (size_t i = 1; i < request->targets.count; i++) {
        char *longer = mem_printf("%s, %s", text, request->targets.data[i]);
        free(text);
        text = longer;
    }
    return text;
}

static struct error *cut_parts(const struct request *request, struct parts *parts) {
    struct error *err = find_targets(request, parts);
    struct choice choice;
    double begin = now();
    if (!err)
        err = choose(parts->graph, &parts->targets, request->strategy, &choice);
    if (err)
        return err;
    tell_time(request, "cut", &begin);
    tell_sizes(request, parts->graph, &choice);
    struct cut cut;
    choice_to_cut(parts->graph, &choice, &cut);
    cut.strategy = request->strategy;
    cut.target = targets_text(request);
    if (request->output)
        err = cut_write(&cut, parts->program, request->output);
    if (!err && !request->quiet)
        report_cut(request, parts, &cut, &choice);
    cut_deinit(&cut);
    choice_deinit(&choice);
    return err;
}

static struct error *run(const struct request *request) {
    struct parts parts __attribute__((cleanup(parts_deinit))) = {0};
    struct error *err = make_parts(request, &parts);
    return err ? err : cut_parts(request, &parts);
}

/* --- the command line ------------------------------------------------------------------------- */

enum { OPTION_FORMAT = 256, OPTION_STRATEGY, OPTION_MODELS, OPTION_STATISTICS };

static int parse_named(char **argv, int option, struct request *request) {
    static const char *const formats[CUT_FORMAT_COUNT] = {"text", "json", "dot"};
    if (option == OPTION_FORMAT) {
        int format = 0;
        while (format < CUT_FORMAT_COUNT && strcmp(formats[format], optarg) != 0)
            format++;
        request->format = (enum cut_format)format;
        return format < CUT_FORMAT_COUNT
                   ? -1
                   : cmd_usage(argv[0], "--format %s: text, json or dot", optarg);
    }
    int strategy = 0;
    while (strategy < CUT_STRATEGY_COUNT &&
           strcmp(cut_strategy_name((enum cut_strategy)strategy), optarg) != 0)
        strategy++;
    request->strategy = (enum cut_strategy)strategy;
    return strategy < CUT_STRATEGY_COUNT
               ? -1
               : cmd_usage(argv[0], "--strategy %s: mincut, eager or tight", optarg);
}

static int parse(int argc, char **argv, struct request *request) {
    static const struct option options[] = {
        {"target", required_argument, NULL, 't'},
        {"profile", required_argument, NULL, 'p'},
        {"output", required_argument, NULL, 'o'},
        {"rows", required_argument, NULL, 'n'},
        {"quiet", no_argument, NULL, 'q'},
        {"format", required_argument, NULL, OPTION_FORMAT},
        {"strategy", required_argument, NULL, OPTION_STRATEGY},
        {"model", required_argument, NULL, OPTION_MODELS},
        {"statistics", no_argument, NULL, OPTION_STATISTICS},
        CMD_OPTION_HELP,
        {0},
    };
    int option, code;
    while ((option = getopt_long(argc, argv, CMD_SHORT_HELP "t:p:o:n:q", options, NULL)) != -1)
        switch (option) {
        case 't':
            VEC_PUSH(&request->targets, optarg);
            break;
        case 'p':
            request->profile = optarg;
            break;
        case 'o':
            request->output = optarg;
            break;
        case 'n':
            if (!cmd_is_count(optarg))
                return cmd_usage(argv[0], "--rows %s: a number", optarg);
            request->rows = strtoul(optarg, NULL, 10);
            break;
        case 'q':
            request->quiet = true;
            break;
        case OPTION_FORMAT:
        case OPTION_STRATEGY:
            if ((code = parse_named(argv, option, request)) >= 0)
                return code;
            break;
        case OPTION_MODELS:
            request->models = optarg;
            break;
        case OPTION_STATISTICS:
            request->statistics = true;
            break;
        case 'h':
            return cmd_help(help);
        default:
            return cmd_bad_option(argv);
        }
    if (optind == argc)
        return cmd_usage(argv[0], "which program?");
    request->path = argv[optind++];
    /* `--target a.c b.c`: what comes behind the program are targets, too. */
    for (; optind < argc && request->targets.count; optind++)
        VEC_PUSH(&request->targets, argv[optind]);
    if (!request->targets.count)
        return cmd_usage(argv[0], "which part of it? --target FILE, FUNCTION or whole");
    return -1;
}

int cmd_cut(int argc, char **argv) {
    struct request request = {.rows = 20};
    int code = parse(argc, argv, &request);
    if (code < 0) {
        struct error *err = run(&request);
        code = err ? cmd_fail(argv[0], err) : cmd_finish(argv[0]);
    }
    VEC_DEINIT(&request.targets);
    return code;
}
