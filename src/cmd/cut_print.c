/*
 * A cut as text; as JSON and as a graph for dot: cut_json.c.
 *
 *     target mod_deflate.c (mincut): 14 of 2362 functions in replay space, 12 of them targets
 *       deflate_init                 mod_deflate.c:612  (with it)
 *       ...
 *     logged: 1.2 MB, as predicted; for the whole program 31.0 MB
 *           bytes        times  what
 *          512000         4000  load      deflate_out_filter  mod_deflate.c:640  head in create +8
 *       ...
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/cut.h"

/* --- rows ------------------------------------------------------------------------------------- */

static int by_weight(const void *a, const void *b) {
    const struct site *x = *(const struct site *const *)a, *y = *(const struct site *const *)b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return x < y ? -1 : x > y; /* the order in which they were found */
}

void cut_report_rows(struct cut_report *report) {
    const bool *at_sink = report->choice->at_sink;
    for (size_t i = 0; i < report->graph->sites.count; i++) {
        const struct site *site = &report->graph->sites.data[i];
        if (!at_sink[site->from] && at_sink[site->to])
            VEC_PUSH(&report->rows, site);
    }
    if (report->rows.count)
        qsort(report->rows.data, report->rows.count, sizeof *report->rows.data, by_weight);
}

void cut_report_deinit(struct cut_report *report) {
    VEC_DEINIT(&report->savings);
    VEC_DEINIT(&report->rows);
}

char *cut_place_text(const struct program *program, const struct site *site) {
    const struct function *function = &program->functions.data[site->function];
    file_id file = function->file;
    uint32_t line = function->line;
    if (site->instruction != NO_ID) {
        location_id at = program->instructions.data[site->instruction].location;
        if (at != NO_ID) {
            file = program->locations.data[at].file;
            line = program->locations.data[at].line;
        }
    }
    if (file == NO_ID)
        return mem_strdup("");
    const char *path = program->files.data[file].path, *slash = strrchr(path, '/');
    return mem_printf("%s:%" PRIu32, slash ? slash + 1 : path, line);
}

static bool is_cell(const struct graph *graph, graph_node node) {
    return node >= graph->first_cell &&
           node - graph->first_cell < cells_count(effects_cells(graph->effects));
}

/* A cell of a region that is on the wrong side: in it, or in a part of it that is on that side. */
static uint32_t find_cell(const struct cut_report *report, graph_node region, bool is_read) {
    const struct graph *graph = report->graph;
    for (bool moves = true; moves && !is_cell(graph, region);) {
        moves = false;
        for (size_t i = 0; i < graph->ties.count && !moves; i++) {
            const struct tie *tie = &graph->ties.data[i];
            graph_node part = is_read ? tie->from : tie->to;
            if ((is_read ? tie->to : tie->from) != region || tie->kind != TIE_FLOW ||
                report->choice->at_sink[part] == is_read || part < graph->first_cell)
                continue;
            region = part;
            moves = true;
        }
    }
    return is_cell(graph, region) ? region - graph->first_cell : NO_ID;
}

char *cut_memory_text(const struct cut_report *report, const struct site *site) {
    bool is_read = site->kind == SITE_LOAD;
    if (!is_read && site->kind != SITE_STORE)
        return NULL;
    uint32_t cell = find_cell(report, is_read ? site->from : site->to, is_read);
    return cell == NO_ID ? NULL : cells_text(effects_cells(report->graph->effects), cell);
}

/* --- text ------------------------------------------------------------------------------------- */

/* Without a profile a weight says how many places there are. */
static char *size_text(const struct cut_report *report, uint64_t weight) {
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    if (!report->weights->is_profiled)
        return mem_printf("%" PRIu64 " places", weight / WEIGHT_BYTE);
    double bytes = (double)weight / WEIGHT_BYTE;
    size_t unit = 0;
    for (; bytes >= 1000 && unit + 1 < sizeof units / sizeof *units; unit++)
        bytes /= 1000;
    return mem_printf(unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

static uint64_t times(const struct cut_report *report, const struct site *site) {
    return site->instruction == NO_ID ? report->weights->calls[site->function]
                                      : report->weights->count[site->instruction];
}

static void print_function(const struct cut_report *report, function_id id, FILE *out) {
    const struct function *function = &report->program->functions.data[id];
    struct site site = {.function = id, .instruction = NO_ID};
    char *place CLEANUP_FREE = cut_place_text(report->program, &site);
    fprintf(out, "  %-28s %s%s\n", function->source_name, place,
            bitset_has(report->targets, id) ? "" : "  (with it)");
}

static void print_functions(const struct cut_report *report, FILE *out) {
    size_t defined = 0, shown = 0;
    for (function_id f = 0; f < report->program->functions.count; f++)
        defined += (report->program->functions.data[f].flags & FUNCTION_DEFINED) != 0;
    uint32_t count = bitset_count(&report->cut->replay);
    fprintf(out, "%starget %s%s (%s): %u of %zu functions in replay space, %u of them targets\n",
            cmd_colour(out, COLOUR_BOLD), report->cut->target, cmd_colour(out, COLOUR_OFF),
            cut_strategy_name(report->cut->strategy), count, defined,
            bitset_count(report->targets));
    /* Targets are what was asked for; the others are news, and come first. */
    for (int is_target = 0; is_target < 2; is_target++)
        BITSET_EACH(f, &report->cut->replay)
    if (bitset_has(report->targets, f) == is_target &&
        (!report->most_rows || shown < report->most_rows)) {
        print_function(report, f, out);
        shown++;
    }
    if (shown < count)
        fprintf(out, "  and %zu more, with -n 0\n", count - shown);
}

/* Of a target that is all of the program. */
static void print_left_out(const struct cut_report *report, FILE *out) {
    size_t count = 0;
    BITSET_EACH(f, report->targets)
    if (!bitset_has(&report->cut->replay, f) && (!report->most_rows || count < report->most_rows))
        fprintf(out, "%s%s",
                count++ ? ", " : "left out: ", report->program->functions.data[f].source_name);
    if (count)
        fprintf(out, "\n  They never ran in the profile, and the log would be larger with them.\n");
}

static void print_row(const struct cut_report *report, const struct site *site, FILE *out) {
    const struct program *program = report->program;
    char *place CLEANUP_FREE = cut_place_text(program, site);
    char *memory CLEANUP_FREE = cut_memory_text(report, site);
    if (report->weights->is_profiled)
        fprintf(out, "%12" PRIu64 " %12" PRIu64 "  ", site->weight / WEIGHT_BYTE,
                times(report, site));
    else
        fputs("  ", out);
    fprintf(out, "%-8s  %s  %s", site_kind_name(site->kind),
            program->functions.data[site->function].source_name, place);
    if (site->other != NO_ID && site->kind != SITE_CALLBACK)
        fprintf(out, "  %s()", program->functions.data[site->other].source_name);
    if (memory)
        fprintf(out, "  %s", memory);
    fputc('\n', out);
}

static void print_rows(const struct cut_report *report, FILE *out) {
    char *size CLEANUP_FREE = size_text(report, report->choice->cost);
    char *whole CLEANUP_FREE = size_text(report, report->whole_cost);
    fprintf(out, "%slogged%s: %s, as predicted; for the whole program %s\n",
            cmd_colour(out, COLOUR_BOLD), cmd_colour(out, COLOUR_OFF), size, whole);
    size_t count = report->rows.count;
    size_t shown = report->most_rows && report->most_rows < count ? report->most_rows : count;
    if (report->weights->is_profiled && shown)
        fprintf(out, "%12s %12s  what\n", "bytes", "times");
    for (size_t i = 0; i < shown; i++)
        print_row(report, report->rows.data[i], out);
    if (shown < count)
        fprintf(out, "  and %zu more, with -n 0\n", count - shown);
}

/* --- what would make it smaller --------------------------------------------------------------- */

/* Loads of memory that functions without a model may write: what a model could save. */
static uint64_t cost_of_unmodelled(const struct cut_report *report) {
    const struct graph *graph = report->graph;
    bool *is_owned CLEANUP_FREE = mem_zalloc(graph->node_count, sizeof *is_owned);
    for (bool changes = true; changes;) { /* cells, words, chunks, regions: a few rounds */
        changes = false;
        for (size_t i = 0; i < graph->ties.count; i++) {
            const struct tie *tie = &graph->ties.data[i];
            bool is_new =
                !is_owned[tie->to] && tie->to >= graph->first_cell &&
                (tie->kind == TIE_OWNED || (tie->kind == TIE_FLOW && is_owned[tie->from]));
            is_owned[tie->to] |= is_new;
            changes |= is_new;
        }
    }
    uint64_t cost = 0;
    for (size_t i = 0; i < report->rows.count; i++) {
        const struct site *site = report->rows.data[i];
        cost += site->kind == SITE_LOAD && is_owned[site->from] ? site->weight : 0;
    }
    return cost;
}

static bool has_unmodelled(const struct cut_report *report) {
    for (function_id f = 0; f < report->program->functions.count; f++)
        if (pta_is_unmodelled(effects_pta(report->graph->effects), f))
            return true;
    return false;
}

static void print_unmodelled(const struct cut_report *report, FILE *out) {
    enum { MOST_NAMES = 8 };
    const struct pta *pta = effects_pta(report->graph->effects);
    size_t count = 0;
    for (function_id f = 0; f < report->program->functions.count; f++)
        if (pta_is_unmodelled(pta, f) && count++ < MOST_NAMES)
            fprintf(out, "%s%s", count == 1 ? " " : ", ", report->program->functions.data[f].name);
    if (count > MOST_NAMES)
        fprintf(out, " and %zu more", count - MOST_NAMES);
}

static void print_advice(const struct cut_report *report, FILE *out) {
    uint64_t cost = report->choice->cost, unmodelled = cost_of_unmodelled(report);
    const char *head = "smaller with:\n";
    if (report->least_cost < cost) {
        char *size CLEANUP_FREE = size_text(report, report->least_cost);
        fprintf(out, "%s  --strategy mincut: %s\n", head, size);
        head = "";
    }
    for (size_t i = 0; i < report->savings.count; i++) {
        const struct cut_saving *saving = &report->savings.data[i];
        if (saving->cost >= cost)
            continue;
        char *size CLEANUP_FREE = size_text(report, saving->cost);
        fprintf(out, "%s  without %s in the target: %s\n", head,
                report->program->functions.data[saving->function].source_name, size);
        head = "";
    }
    if (has_unmodelled(report) && unmodelled) {
        char *size CLEANUP_FREE = size_text(report, unmodelled);
        fprintf(out, "%s  models (--model) of functions whose memory costs %s:", head, size);
        print_unmodelled(report, out);
        fputc('\n', out);
    }
}

void cut_print(const struct cut_report *report, enum cut_format format, FILE *out) {
    if (format == CUT_JSON) {
        cut_print_json(report, out);
        return;
    }
    if (format == CUT_DOT) {
        cut_print_dot(report, out);
        return;
    }
    print_functions(report, out);
    print_left_out(report, out);
    print_rows(report, out);
    print_advice(report, out);
}
