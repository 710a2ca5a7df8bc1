/* A cut as JSON (docs/formats.md) and as a graph for dot; see cut.h. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cut.h"
#include "cmd/dump_graph.h"

static void add_function(cJSON *json, const struct program *program, function_id id) {
    const struct function *function = &program->functions.data[id];
    cJSON_AddStringToObject(json, "function", function->name);
    if (function->file != NO_ID) {
        cJSON_AddStringToObject(json, "file", program->files.data[function->file].path);
        cJSON_AddNumberToObject(json, "line", function->line);
    }
}

static cJSON *function_json(const struct cut_report *report, function_id id) {
    cJSON *json = cJSON_CreateObject();
    add_function(json, report->program, id);
    cJSON_AddBoolToObject(json, "target", bitset_has(report->targets, id));
    return json;
}

static cJSON *row_json(const struct cut_report *report, const struct site *site) {
    const struct program *program = report->program;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "kind", site_kind_name(site->kind));
    cJSON_AddStringToObject(json, "function", program->functions.data[site->function].name);
    if (site->instruction != NO_ID) {
        const struct function *function = &program->functions.data[site->function];
        char *place CLEANUP_FREE = cut_place_text(program, site);
        cJSON_AddNumberToObject(json, "instruction",
                                site->instruction - function->instructions.first);
        cJSON_AddStringToObject(json, "place", place);
        cJSON_AddNumberToObject(json, "times", (double)report->weights->count[site->instruction]);
    }
    if (site->other != NO_ID && site->kind != SITE_CALLBACK)
        cJSON_AddStringToObject(json, "other", program->functions.data[site->other].name);
    char *memory CLEANUP_FREE = cut_memory_text(report, site);
    if (memory)
        cJSON_AddStringToObject(json, "memory", memory);
    cJSON_AddNumberToObject(json, "bytes", (double)site->weight / WEIGHT_BYTE);
    return json;
}

void cut_print_json(const struct cut_report *report, FILE *out) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "recut-cut");
    cJSON_AddNumberToObject(root, "version", 1);
    cJSON_AddStringToObject(root, "program", report->program->path);
    cJSON_AddStringToObject(root, "target", report->cut->target);
    cJSON_AddStringToObject(root, "strategy", cut_strategy_name(report->cut->strategy));
    cJSON_AddBoolToObject(root, "profiled", report->weights->is_profiled);
    cJSON_AddNumberToObject(root, "bytes", (double)report->choice->cost / WEIGHT_BYTE);
    cJSON_AddNumberToObject(root, "whole_bytes", (double)report->whole_cost / WEIGHT_BYTE);
    cJSON_AddNumberToObject(root, "least_bytes", (double)report->least_cost / WEIGHT_BYTE);
    cJSON *functions = cJSON_AddArrayToObject(root, "replay");
    BITSET_EACH(f, &report->cut->replay)
    cJSON_AddItemToArray(functions, function_json(report, f));
    cJSON *left_out = cJSON_AddArrayToObject(root, "left_out");
    BITSET_EACH(f, report->targets)
    if (!bitset_has(&report->cut->replay, f))
        cJSON_AddItemToArray(left_out, function_json(report, f));
    cJSON *rows = cJSON_AddArrayToObject(root, "logged");
    for (size_t i = 0; i < report->rows.count; i++)
        cJSON_AddItemToArray(rows, row_json(report, report->rows.data[i]));
    cJSON *savings = cJSON_AddArrayToObject(root, "without");
    for (size_t i = 0; i < report->savings.count; i++) {
        cJSON *json = cJSON_CreateObject();
        function_id function = report->savings.data[i].function;
        cJSON_AddStringToObject(json, "function", report->program->functions.data[function].name);
        cJSON_AddNumberToObject(json, "bytes", (double)report->savings.data[i].cost / WEIGHT_BYTE);
        cJSON_AddItemToArray(savings, json);
    }
    char *text = cJSON_Print(root);
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(root);
}

/* --- dot -------------------------------------------------------------------------------------- */

/* What is on the other side of the function at a row: a function, or memory. */
static char *other_text(const struct cut_report *report, const struct site *site) {
    char *memory = cut_memory_text(report, site);
    if (memory)
        return memory;
    return mem_strdup(site->kind == SITE_CALLBACK || site->other == NO_ID
                          ? "environment"
                          : report->program->functions.data[site->other].source_name);
}

static void print_edge(const struct cut_report *report, const struct site *site, FILE *out) {
    char *other CLEANUP_FREE = other_text(report, site);
    const char *function = report->program->functions.data[site->function].source_name;
    bool is_in = site->kind == SITE_LOAD || site->kind == SITE_RETURN ||
                 site->kind == SITE_EXTERNAL || site->kind == SITE_CALLBACK;
    fputs("    ", out);
    dump_label(is_in ? other : function, out);
    fputs(" -> ", out);
    dump_label(is_in ? function : other, out);
    fprintf(out, " [label=\"%s %.0f\"];\n", site_kind_name(site->kind),
            (double)site->weight / WEIGHT_BYTE);
}

void cut_print_dot(const struct cut_report *report, FILE *out) {
    fputs("digraph cut {\n    rankdir=LR;\n    node [shape=ellipse];\n"
          "    subgraph cluster_replay {\n        label=\"replay space\";\n",
          out);
    BITSET_EACH(f, &report->cut->replay) {
        fputs("        ", out);
        dump_label(report->program->functions.data[f].source_name, out);
        fputs(bitset_has(report->targets, f) ? " [peripheries=2];\n" : ";\n", out);
    }
    fputs("    }\n", out);
    size_t count = report->rows.count;
    size_t shown = report->most_rows && report->most_rows < count ? report->most_rows : count;
    for (size_t i = 0; i < shown; i++)
        print_edge(report, report->rows.data[i], out);
    fputs("}\n", out);
}
