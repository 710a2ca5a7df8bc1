/*
 * recut slice: the part of a program that can influence a place, or be influenced
 * by it.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/contexts.h"
#include "base/nearest.h"
#include "cmd/cmd.h"
#include "cmd/graph_cache.h"
#include "cmd/slice.h"
#include "models/models.h"
#include "slice/chop.h"
#include "slice/criterion.h"
#include "slice/source.h"

static const char help[] =
    "usage: recut slice [OPTION]... PROG --at CRITERION...\n"
    "\n"
    "Prints the source lines that can influence a place in a program that recut-cc\n"
    "built (or in a bitcode file), without running it.\n"
    "\n"
    "criteria (--at may be given several times):\n"
    "  FILE:LINE            everything on that line\n"
    "  FILE:LINE:VAR        the value of a variable there: what the line reads of it and leaves\n"
    "  FILE:LINE:VAR.FIELD  what the line itself reads and writes of a field; also P->FIELD\n"
    "  FUNCTION:return      what a function returns\n"
    "  FUNCTION:PARAMETER   a parameter, when the function begins\n"
    "  call:FUNCTION        all calls of a function\n"
    "\n"
    "what:\n"
    "      --at CRITERION   where to begin\n"
    "      --forward        what can be influenced, instead of what can influence\n"
    "      --chop CRITERION only what lies on a way from --at to here\n"
    "      --data           follow values only, not what decides whether code runs\n"
    "      --termination    what follows a loop or a call depends on whether that ends\n"
    "      --no-context     ignore which call a function was entered by\n"
    "      --no-copies      tell callers apart by summary edges alone\n"
    "      --no-threads     ignore what other threads write\n"
    "      --no-order       let ways between threads go back in time\n"
    "      --by-definition  threads by Krinke's algorithm 1: slower, the same slice\n"
    "      --depth N        at most N lines away\n"
    "      --within NAME    print only what is in this function or file; may be given several "
    "times\n"
    "\n"
    "how:\n"
    "      --format FORMAT  text (the default), lines, json, dot, or html: a page for a\n"
    "                       browser\n"
    "      --bitcode FILE   write the slice as a program, in bitcode, instead\n"
    "      --source DIR     write the slice as C sources that compile and run, instead\n"
    "      --cflags FLAGS   how the sources are compiled: -I, -D and the like\n"
    "      --survey N       without --at: how large slices from N lines of the program are,\n"
    "                       and what processor time one takes, with and without calling context\n"
    "      --model FILE     models of external functions besides recut's own\n"
    "      --no-cache       analyse the program again, and keep nothing\n"
    "      --statistics     size of the program, of the graph and of the slice, on stderr\n"
    "  -h, --help           this text\n";

typedef VEC(const char *) texts;

struct request {
    const char *path, *models, *chop;
    texts at, within;
    const bool *only; /* by function: what --within means; NULL: all */
    enum slice_format format;
    const char *output, *source;
    texts cflags;
    bool statistics, no_order, no_cache, no_copies, termination;
    size_t survey; /* how many lines; 0: it is not asked for */
    struct slice_options options;
};

static void run_slice(struct request *request, struct sliced *sliced) {
    const struct sdg *sdg = sliced->sdg;
    const node_vec *from = sliced->from, *to = sliced->to;
    struct slice *made = NULL;
    bool *in;
    if (request->chop) {
        in = chop_make(sdg, from->data, from->count, to->data, to->count,
                       &(struct chop_options){.data_only = request->options.data_only,
                                              .no_context = request->options.no_context,
                                              .no_threads = request->options.no_threads,
                                              .order = request->options.order,
                                              .by_definition = request->options.by_definition});
    } else {
        made = slice_new(sdg);
        for (size_t i = 0; i < from->count; i++)
            slice_add(made, from->data[i]);
        slice_run(made, &request->options);
        in = slice_table(made);
    }
    for (node_id n = 0; request->only && n < sdg->nodes.count; n++) {
        function_id function = sdg->nodes.data[n].function;
        if (function != NO_ID && sdg->program->functions.data[function].copy_of != NO_ID)
            function = sdg->program->functions.data[function].copy_of;
        in[n] &= function != NO_ID && request->only[function];
    }
    sliced->in = in;
    sliced->slice = made;
    slice_find_lines(sdg, in, &sliced->lines);
    criterion_add_lines(sliced->at, sdg, in, &sliced->lines);
    slice_print(sliced, request->format, stdout);
    size_t nodes = 0;
    for (node_id n = 0; n < sdg->nodes.count; n++)
        nodes += in[n];
    if (request->statistics)
        fprintf(stderr,
                "%zu instructions, %zu nodes, %llu edges, %u cells, %u hubs; slice: %zu nodes, "
                "%zu of %zu lines\n",
                sdg->program->instructions.count, sdg->nodes.count,
                (unsigned long long)sdg->in.start[sdg->nodes.count], (unsigned)sdg->figures.cells,
                (unsigned)sdg->figures.hubs, nodes, sliced->lines.count, sdg->program->lines.count);
    VEC_DEINIT(&sliced->lines);
    slice_free(made);
    free(in);
}

static struct error *write_program(const struct request *request, const struct sdg *sdg,
                                   const node_vec *criteria) {
    struct executable executable;
    executable_find(sdg, criteria, &(struct executable_options){.order = request->options.order},
                    &executable);
    struct error *err = program_write_reduced(
        request->path, &(struct reduced){executable.keep, executable.jumps}, request->output);
    executable_deinit(&executable);
    return err;
}

/* All criteria, in the words of the command line; the caller frees. */
static char *name_criteria(const struct request *request) {
    char *all = mem_strdup(request->at.data[0]);
    for (size_t i = 1; i < request->at.count; i++) {
        char *before CLEANUP_FREE = all;
        all = mem_printf("%s, %s", before, request->at.data[i]);
    }
    return all;
}

static struct error *write_sources(const struct request *request, const struct sdg *sdg,
                                   const node_vec *criteria) {
    struct source_counts counts;
    char *criterion CLEANUP_FREE = name_criteria(request);
    struct error *err = source_write(sdg, criteria,
                                     &(struct source_options){
                                         .directory = request->source,
                                         .flags = request->cflags.data,
                                         .flag_count = (int)request->cflags.count,
                                         .criterion = criterion,
                                         .order = request->options.order,
                                     },
                                     &counts);
    if (!err && request->statistics)
        fprintf(stderr, "%zu file%s, %zu of %zu lines\n", counts.files,
                counts.files == 1 ? "" : "s", counts.kept, counts.lines);
    return err;
}

/* A dependence graph, and what it was made from. */
struct graph {
    struct sdg *sdg;
    struct pta *pta; /* NULL: it was made before */
};

/* Says that lines may be missing.  Not said again where the graph was kept. */
static void advise(const struct program *program) {
    size_t count = 0;
    file_id first = NO_ID;
    for (file_id f = 0; f < program->files.count; f++)
        if (program_is_optimised(program, f) && !count++)
            first = f;
    if (count)
        fprintf(stderr,
                "recut slice: %s%s optimised, so that lines are missing or in strange places; "
                "-O0 or -Og keeps more of them\n",
                program->files.data[first].name,
                count == 1   ? " was"
                : count == 2 ? " and another file were"
                             : " and other files were");
}

/* A slice that is a program can leave out of a function only what no call of it needs. */
static bool has_copies(const struct request *request) {
    return !request->output && !request->source && !request->options.no_context &&
           !request->no_copies;
}

/* One with probes is made for this slice alone. */
static struct graph make_graph(struct request *request, const struct program *program,
                               const struct model_table *models,
                               const struct criterion *criterion) {
    struct graph_choices choices = {.models_hash = models ? models->hash : 0,
                                    .data_only = request->options.data_only,
                                    .termination = request->termination,
                                    .has_copies = has_copies(request)};
    bool is_general = !criterion->probes.count && !request->no_cache;
    struct graph graph = {0};
    if (is_general && !request->output && !request->source)
        graph.sdg = graph_cache_find(program, &choices);
    if (graph.sdg)
        return graph;
    advise(program);
    cmd_progress("points-to analysis");
    graph.pta = pta_build(program, &(struct pta_options){.models = models});
    cmd_progress("dependence graph");
    graph.sdg =
        sdg_build(graph.pta, &(struct sdg_options){.probes = criterion->probes.data,
                                                   .probe_count = (uint32_t)criterion->probes.count,
                                                   .data_only = request->options.data_only,
                                                   .termination = request->termination});
    if (!request->no_order)
        request->options.order = order_build(graph.sdg);
    /* The order of threads is not in the file. */
    bool has_order =
        threads_count(graph.sdg->threads) > 1 && (request->no_order || request->options.order);
    if (is_general && !has_order)
        graph_cache_keep(graph.sdg, &choices);
    cmd_progress(NULL);
    return graph;
}

static void free_graph(struct request *request, struct graph *graph) {
    order_free(request->options.order);
    request->options.order = NULL;
    sdg_free(graph->sdg);
    pta_free(graph->pta);
}

static struct slice_survey survey_once(struct request *request, struct program *program,
                                       const struct model_table *models) {
    struct criterion none = {0};
    if (has_copies(request))
        contexts_tell_apart(program, CONTEXTS_MOST);
    struct graph graph = make_graph(request, program, models, &none);
    struct slice_survey survey = slice_survey(graph.sdg, &request->options, request->survey);
    free_graph(request, &graph);
    return survey;
}

/* Without calling context is without copies of functions, too: that is another program. */
static struct error *survey(struct request *request, struct program *program,
                            const struct model_table *models) {
    struct program *plain;
    struct error *err = program_open(request->path, &plain);
    if (err)
        return err;
    struct slice_survey with = survey_once(request, program, models);
    request->options.no_context = true;
    struct slice_survey without = survey_once(request, plain, models);
    slice_survey_print(&with, &without, request->format == SLICE_JSON, stdout);
    program_free(plain);
    return NULL;
}

static struct error *slice(struct request *request, struct program *program,
                           const struct model_table *models) {
    struct criterion from = {0}, to = {0};
    struct error *err = NULL;
    for (size_t i = 0; !err && i < request->at.count; i++)
        err = criterion_parse(program, request->at.data[i], &from);
    if (!err && request->chop)
        err = criterion_parse(program, request->chop, &to);
    if (err) {
        criterion_deinit(&from);
        criterion_deinit(&to);
        return err;
    }
    /* What a forward slice from a variable on a line begins with is asked of the analysis. */
    if (!request->options.forward && !request->chop)
        criterion_prefer_accesses(program, &from);
    criterion_prefer_accesses(program, &to);
    if (has_copies(request))
        contexts_tell_apart(program, CONTEXTS_MOST);
    criterion_add_copies(program, &from);
    criterion_add_copies(program, &to);
    uint32_t first_of_to = (uint32_t)from.probes.count;
    for (size_t i = 0; i < to.probes.count; i++)
        VEC_PUSH(&from.probes, to.probes.data[i]);
    struct graph graph = make_graph(request, program, models, &from);
    struct sdg *sdg = graph.sdg;
    from.probes.count = first_of_to;
    node_vec sources = {0}, targets = {0};
    criterion_nodes(&from, sdg, 0, request->chop || request->options.forward, &sources);
    criterion_nodes(&to, sdg, first_of_to, false, &targets);
    if (request->output)
        err = write_program(request, sdg, &sources);
    else if (request->source)
        err = write_sources(request, sdg, &sources);
    else
        run_slice(request, &(struct sliced){.sdg = sdg,
                                            .forward = request->options.forward,
                                            .criteria = request->at.data,
                                            .criterion_count = request->at.count,
                                            .chop = request->chop,
                                            .at = &from,
                                            .from = &sources,
                                            .to = &targets,
                                            .data_only = request->options.data_only,
                                            .no_threads = request->options.no_threads});
    VEC_DEINIT(&sources);
    VEC_DEINIT(&targets);
    free_graph(request, &graph);
    criterion_deinit(&from);
    criterion_deinit(&to);
    return err;
}

/* Marks the functions that --within means. */
static struct error *find_within(const struct request *request, const struct program *program,
                                 bool *within) {
    for (size_t i = 0; i < request->within.count; i++) {
        const char *name = request->within.data[i];
        struct nearest nearest = nearest_to(name);
        bool found = false;
        for (function_id f = 0; f < program->functions.count; f++) {
            const struct function *function = &program->functions.data[f];
            bool is_it =
                strcmp(function->source_name, name) == 0 || strcmp(function->name, name) == 0;
            for (file_id at = program_find_file(program, name, 0); !is_it && at != NO_ID;
                 at = program_find_file(program, name, at + 1))
                is_it = function->file == at;
            within[f] |= is_it;
            found |= is_it;
            nearest_consider(&nearest, function->source_name);
            if (function->file != NO_ID)
                nearest_consider(&nearest, program->files.data[function->file].name);
        }
        if (!found && nearest_is_near(&nearest))
            return error_new(ERROR_USAGE, "--within %s: no such function or file; did you mean %s?",
                             name, nearest.name);
        if (!found)
            return error_new(ERROR_USAGE, "--within %s: no such function or file", name);
    }
    return NULL;
}

static struct error *run(struct request *request) {
    struct program *program;
    struct model_table *models CLEANUP_FREE = NULL;
    struct error *err = models_load(&request->models, request->models ? 1 : 0, &models);
    if (!err)
        err = program_open(request->path, &program);
    if (err)
        return err;
    bool *within CLEANUP_FREE = mem_zalloc(program->functions.count + 1, sizeof *within);
    err = find_within(request, program, within);
    if (request->within.count)
        request->only = within;
    if (!err)
        err = (request->survey ? survey : slice)(request, program, models);
    program_free(program);
    return err;
}

enum {
    OPTION_AT = 256,
    OPTION_FORWARD,
    OPTION_CHOP,
    OPTION_NO_THREADS,
    OPTION_NO_ORDER,
    OPTION_NO_CACHE,
    OPTION_NO_COPIES,
    OPTION_TERMINATION,
    OPTION_BY_DEFINITION,
    OPTION_DATA,
    OPTION_NO_CONTEXT,
    OPTION_DEPTH,
    OPTION_WITHIN,
    OPTION_FORMAT,
    OPTION_MODELS,
    OPTION_STATISTICS,
    OPTION_BITCODE,
    OPTION_SURVEY,
    OPTION_SOURCE,
    OPTION_CFLAGS,
};

static enum slice_format find_format(const char *name) {
    static const char *const names[SLICE_FORMAT_COUNT] = {"text", "lines", "json", "dot", "html"};
    int format = 0;
    while (format < SLICE_FORMAT_COUNT && strcmp(names[format], name) != 0)
        format++;
    return (enum slice_format)format;
}

static int parse(int argc, char **argv, struct request *request) {
    static const struct option options[] = {
        {"at", required_argument, NULL, OPTION_AT},
        {"forward", no_argument, NULL, OPTION_FORWARD},
        {"chop", required_argument, NULL, OPTION_CHOP},
        {"no-threads", no_argument, NULL, OPTION_NO_THREADS},
        {"no-order", no_argument, NULL, OPTION_NO_ORDER},
        {"no-cache", no_argument, NULL, OPTION_NO_CACHE},
        {"no-copies", no_argument, NULL, OPTION_NO_COPIES},
        {"termination", no_argument, NULL, OPTION_TERMINATION},
        {"by-definition", no_argument, NULL, OPTION_BY_DEFINITION},
        {"data", no_argument, NULL, OPTION_DATA},
        {"no-context", no_argument, NULL, OPTION_NO_CONTEXT},
        {"depth", required_argument, NULL, OPTION_DEPTH},
        {"within", required_argument, NULL, OPTION_WITHIN},
        {"format", required_argument, NULL, OPTION_FORMAT},
        {"model", required_argument, NULL, OPTION_MODELS},
        {"bitcode", required_argument, NULL, OPTION_BITCODE},
        {"source", required_argument, NULL, OPTION_SOURCE},
        {"cflags", required_argument, NULL, OPTION_CFLAGS},
        {"statistics", no_argument, NULL, OPTION_STATISTICS},
        {"survey", required_argument, NULL, OPTION_SURVEY},
        CMD_OPTION_HELP,
        {0},
    };
    int option;
    while ((option = getopt_long(argc, argv, CMD_SHORT_HELP, options, NULL)) != -1)
        switch (option) {
        case OPTION_AT:
            VEC_PUSH(&request->at, optarg);
            break;
        case OPTION_FORWARD:
            request->options.forward = true;
            break;
        case OPTION_CHOP:
            request->chop = optarg;
            break;
        case OPTION_NO_THREADS:
            request->options.no_threads = true;
            break;
        case OPTION_TERMINATION:
            request->termination = true;
            break;
        case OPTION_NO_CACHE:
            request->no_cache = true;
            break;
        case OPTION_NO_COPIES:
            request->no_copies = true;
            break;
        case OPTION_NO_ORDER:
            request->no_order = true;
            break;
        case OPTION_BY_DEFINITION:
            request->options.by_definition = true;
            break;
        case OPTION_DATA:
            request->options.data_only = true;
            break;
        case OPTION_NO_CONTEXT:
            request->options.no_context = true;
            break;
        case OPTION_DEPTH:
            if (!cmd_is_count(optarg) || strtoul(optarg, NULL, 10) == 0)
                return cmd_usage(argv[0], "--depth %s: a number from 1 on", optarg);
            request->options.depth = strtoul(optarg, NULL, 10) < UINT32_MAX
                                         ? (uint32_t)strtoul(optarg, NULL, 10)
                                         : UINT32_MAX;
            break;
        case OPTION_WITHIN:
            VEC_PUSH(&request->within, optarg);
            break;
        case OPTION_FORMAT:
            request->format = find_format(optarg);
            if (request->format == SLICE_FORMAT_COUNT)
                return cmd_usage(argv[0], "--format %s: text, lines, json, dot or html", optarg);
            break;
        case OPTION_MODELS:
            request->models = optarg;
            break;
        case OPTION_BITCODE:
            request->output = optarg;
            break;
        case OPTION_SURVEY:
            if (!cmd_is_count(optarg) || strtoul(optarg, NULL, 10) == 0)
                return cmd_usage(argv[0], "--survey %s: a number from 1 on", optarg);
            request->survey = strtoul(optarg, NULL, 10);
            break;
        case OPTION_SOURCE:
            request->source = optarg;
            break;
        case OPTION_CFLAGS:
            for (char *word = strtok(optarg, " \t\n"); word; word = strtok(NULL, " \t\n"))
                VEC_PUSH(&request->cflags, word);
            break;
        case OPTION_STATISTICS:
            request->statistics = true;
            break;
        case 'h':
            return cmd_help(help);
        default:
            return cmd_bad_option(argv);
        }
    if (optind + 1 != argc)
        return cmd_usage(argv[0], optind == argc ? "which program?" : "one program at a time");
    if (request->chop && (request->options.forward || request->options.depth))
        return cmd_usage(argv[0], "--chop has no --forward or --depth");
    if ((request->output || request->source) &&
        (request->chop || request->options.forward || request->options.depth ||
         request->options.data_only || request->within.count))
        return cmd_usage(argv[0], "--%s is for whole backward slices",
                         request->output ? "bitcode" : "source");
    if (request->output && request->source)
        return cmd_usage(argv[0], "--bitcode or --source, not both");
    if (request->cflags.count && !request->source)
        return cmd_usage(argv[0], "--cflags is for --source");
    if (request->survey &&
        (request->at.count || request->chop || request->output || request->source))
        return cmd_usage(argv[0], "--survey chooses its criteria by itself");
    if (!request->at.count && !request->survey)
        return cmd_usage(argv[0], "from where? --at FILE:LINE");
    request->path = argv[optind];
    return -1;
}

int cmd_slice(int argc, char **argv) {
    struct request request = {0};
    int code = parse(argc, argv, &request);
    if (code < 0) {
        struct error *err = run(&request);
        code = err ? cmd_fail(argv[0], err) : cmd_finish(argv[0]);
    }
    VEC_DEINIT(&request.at);
    VEC_DEINIT(&request.within);
    VEC_DEINIT(&request.cflags);
    return code;
}
