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

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void add(const struct sdg *sdg, const struct slice_options *options,
                const struct source_line *line, struct slice_survey *sums) {
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

struct slice_survey slice_survey(const struct sdg *sdg, const struct slice_options *options,
                                 size_t wanted) {
    const struct program *program = sdg->program;
    size_t count = wanted < program->lines.count ? wanted : program->lines.count;
    struct slice_survey survey = {.lines = program->lines.count,
                                  .instructions = program->instructions.count,
                                  .criteria = count};
    for (size_t i = 0; i < count; i++) {
        cmd_progress("slice %zu of %zu", i + 1, count);
        add(sdg, options, &program->lines.data[i * program->lines.count / count], &survey);
    }
    cmd_progress(NULL);
    double n = count ? (double)count : 1;
    survey.part /= n;
    survey.nodes /= n;
    survey.seconds /= n;
    return survey;
}

static void print_json(const struct slice_survey *with, const struct slice_survey *without,
                       FILE *out) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "recut-slice-survey");
    cJSON_AddNumberToObject(root, "version", 1);
    cJSON_AddNumberToObject(root, "lines", (double)with->lines);
    cJSON_AddNumberToObject(root, "instructions", (double)without->instructions);
    cJSON_AddNumberToObject(root, "criteria", (double)with->criteria);
    cJSON_AddNumberToObject(root, "part", with->part);
    cJSON_AddNumberToObject(root, "part_without_context", without->part);
    cJSON_AddNumberToObject(root, "part_of_nodes", with->nodes);
    cJSON_AddNumberToObject(root, "seconds", with->seconds);
    cJSON_AddNumberToObject(root, "seconds_without_context", without->seconds);
    char *text = cJSON_Print(root);
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(root);
}

static void print_text(const struct slice_survey *with, const struct slice_survey *without,
                       FILE *out) {
    fputs("   lines  criteria   slice  without context  larger       ms  without context   nodes\n",
          out);
    fprintf(out,
            "%8zu  %8zu  %4.1f %%           %4.1f %%  %4.0f %%  %7.2f          %7.2f  %4.1f %%\n",
            with->lines, with->criteria, 100 * with->part, 100 * without->part,
            with->part > 0 ? 100 * (without->part / with->part - 1) : 0.0, 1000 * with->seconds,
            1000 * without->seconds, 100 * with->nodes);
}

void slice_survey_print(const struct slice_survey *with, const struct slice_survey *without,
                        bool is_json, FILE *out) {
    if (with->criteria)
        (is_json ? print_json : print_text)(with, without, out);
}
