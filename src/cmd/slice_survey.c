/*
 * How large are the slices of a program?  `recut slice --survey N`.
 *
 * Slices from N lines, evenly spread over all that have code, with and without calling context:
 * how much of the program they are on average, and how long one takes (Krinke, figure 4).  Besides,
 * how many nodes of the dependence graph they have, which is what others have counted.
 *
 *     lines     criteria  slice   without context  larger    ms  without context   nodes
 *     3376           500  41.0 %           69.1 %    69 %   1.3              1.9  30.2 %
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <time.h>

#include "cmd/cmd.h"
#include "cmd/slice.h"

struct sums {
    double part;  /* of the program's lines, summed up */
    double nodes; /* of the graph's nodes */
    double seconds;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void add(const struct sdg *sdg, const struct slice_options *options,
                const struct source_line *line, struct sums *sums) {
    const struct program *program = sdg->program;
    struct slice *slice = slice_new(sdg);
    for (uint32_t i = 0; i < line->instructions.count; i++) {
        instruction_id id = program->line_instructions.data[line->instructions.first + i];
        if (!(program->instructions.data[id].flags & INSTRUCTION_SYNTHETIC))
            slice_add(slice, id);
    }
    double begin = now();
    slice_run(slice, options);
    sums->seconds += now() - begin;
    bool *in = slice_table(slice);
    slice_lines lines = {0};
    slice_find_lines(sdg, in, &lines);
    sums->part += (double)lines.count / (double)program->lines.count;
    size_t count = 0;
    for (node_id n = 0; n < sdg->nodes.count; n++)
        count += in[n];
    sums->nodes += (double)count / (double)sdg->nodes.count;
    VEC_DEINIT(&lines);
    free(in);
    slice_free(slice);
}

static void print_json(const struct sdg *sdg, size_t count, const struct sums *with,
                       const struct sums *without, FILE *out) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "recut-slice-survey");
    cJSON_AddNumberToObject(root, "version", 1);
    cJSON_AddNumberToObject(root, "lines", (double)sdg->program->lines.count);
    cJSON_AddNumberToObject(root, "instructions", (double)sdg->program->instructions.count);
    cJSON_AddNumberToObject(root, "criteria", (double)count);
    cJSON_AddNumberToObject(root, "part", with->part / (double)count);
    cJSON_AddNumberToObject(root, "part_without_context", without->part / (double)count);
    cJSON_AddNumberToObject(root, "part_of_nodes", with->nodes / (double)count);
    cJSON_AddNumberToObject(root, "seconds", with->seconds / (double)count);
    cJSON_AddNumberToObject(root, "seconds_without_context", without->seconds / (double)count);
    char *text = cJSON_Print(root);
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(root);
}

static void print_text(const struct sdg *sdg, size_t count, const struct sums *with,
                       const struct sums *without, FILE *out) {
    double n = (double)count;
    fputs("   lines  criteria   slice  without context  larger       ms  without context   nodes\n",
          out);
    fprintf(out,
            "%8zu  %8zu  %4.1f %%           %4.1f %%  %4.0f %%  %7.2f          %7.2f  %4.1f %%\n",
            sdg->program->lines.count, count, 100 * with->part / n, 100 * without->part / n,
            with->part > 0 ? 100 * (without->part / with->part - 1) : 0.0, 1000 * with->seconds / n,
            1000 * without->seconds / n, 100 * with->nodes / n);
}

void slice_survey(const struct sdg *sdg, const struct slice_options *options, size_t wanted,
                  bool is_json, FILE *out) {
    const struct program *program = sdg->program;
    struct slice_options without = *options;
    without.no_context = true;
    struct sums sums[2] = {0};
    size_t count = wanted < program->lines.count ? wanted : program->lines.count;
    for (size_t i = 0; i < count; i++) {
        const struct source_line *line = &program->lines.data[i * program->lines.count / count];
        cmd_progress("slice %zu of %zu", i + 1, count);
        add(sdg, options, line, &sums[0]);
        add(sdg, &without, line, &sums[1]);
    }
    cmd_progress(NULL);
    if (!count)
        return;
    (is_json ? print_json : print_text)(sdg, count, &sums[0], &sums[1], out);
}
