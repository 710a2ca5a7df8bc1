/*
 * Slices as text, as a list of lines, as JSON and as a graph for dot; as a page:
 * slice_html.c.
 *
 *     t.c
 *        5  static int id(int v) { return v; }        data for 10
 *       10      int x = id(argc);                     data for 18
 *       18      printf("%d\n", x);                    here
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/slice.h"

/* Prints a line, and returns how many columns it took. */
static int print_source_line(const struct slice_source *source, uint32_t line, FILE *out) {
    size_t length;
    const char *from = slice_source_line(source, line, &length);
    int columns = 0;
    enum { TAB = 8 };
    for (size_t i = 0; i < length; i++) {
        if (from[i] == '\t') {
            int next = (columns / TAB + 1) * TAB;
            fprintf(out, "%*s", next - columns, "");
            columns = next;
        } else if (from[i] != '\r') {
            fputc(from[i], out);
            columns += ((unsigned char)from[i] & 0xc0) != 0x80;
        }
    }
    return columns;
}

/* Why a line is in the slice: what it is needed for, on another line. */
struct reason {
    const char *kind; /* NULL: it is where the slice begins */
    file_id file;
    uint32_t line;
};

static struct reason find_reason(const struct sliced *sliced, const struct slice_line *line) {
    const struct sdg *sdg = sliced->sdg;
    struct reason reason = {NULL, line->file, line->line};
    enum { RANK_NONE, RANK_DATA, RANK_CALL, RANK_CONTROL } rank = RANK_NONE;
    if (!slice_has(sliced->slice, line->node))
        return (struct reason){"jump", line->file, line->line};
    for (node_id node = line->node; node < sdg->nodes.count;) {
        struct sdg_edge by = slice_reason(sliced->slice, node);
        if (by.node >= sdg->nodes.count)
            return (struct reason){NULL, NO_ID, 0};
        int this = by.kind == EDGE_CONTROL ? RANK_CONTROL
                   : by.kind == EDGE_CALL  ? RANK_CALL
                                           : RANK_DATA;
        rank = this > (int)rank ? (unsigned)this : rank;
        node = by.node;
        if (slice_line_of(sdg, node, &reason.file, &reason.line) &&
            (reason.file != line->file || reason.line != line->line))
            break;
    }
    static const char *const names[] = {"here", "data", "call", "control"};
    reason.kind = names[rank];
    return reason;
}

static void print_reason(const struct sliced *sliced, const struct slice_line *line, FILE *out) {
    struct reason reason = find_reason(sliced, line);
    const char *preposition = sliced->forward ? "from" : "for";
    if (!reason.kind)
        fputs("here", out);
    else if (reason.file == line->file && reason.line == line->line)
        fputs(reason.kind, out);
    else if (reason.file == line->file)
        fprintf(out, "%s %s %u", reason.kind, preposition, reason.line);
    else
        fprintf(out, "%s %s %s:%u", reason.kind, preposition,
                sliced->sdg->program->files.data[reason.file].name, reason.line);
}

static void print_text(const struct sliced *sliced, FILE *out) {
    struct slice_source source = {0};
    const char *dim = cmd_colour(out, COLOUR_DIM), *off = cmd_colour(out, COLOUR_OFF);
    enum { REASON_COLUMN = 64 };
    file_id file = NO_ID;
    for (size_t i = 0; i < sliced->lines.count; i++) {
        const struct slice_line *line = &sliced->lines.data[i];
        const struct source_file *of = &sliced->sdg->program->files.data[line->file];
        if (line->file != file) {
            slice_source_close(&source);
            slice_source_open(&source, of->path);
            fprintf(out, "%s%s%s%s\n", file == NO_ID ? "" : "\n", cmd_colour(out, COLOUR_BOLD),
                    of->name, off);
            file = line->file;
        }
        fprintf(out, "%6u  ", line->line);
        int columns = print_source_line(&source, line->line, out);
        if (sliced->slice) {
            fprintf(out, "%*s%s", columns < REASON_COLUMN ? REASON_COLUMN - columns : 2, "", dim);
            print_reason(sliced, line, out);
            fputs(off, out);
        }
        fputc('\n', out);
    }
    slice_source_close(&source);
}

static void print_lines(const struct sliced *sliced, FILE *out) {
    for (size_t i = 0; i < sliced->lines.count; i++)
        fprintf(out, "%s:%u\n", sliced->sdg->program->files.data[sliced->lines.data[i].file].name,
                sliced->lines.data[i].line);
}

static void print_json(const struct sliced *sliced, FILE *out) {
    const struct program *program = sliced->sdg->program;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "recut-slice");
    cJSON_AddNumberToObject(root, "version", 1);
    cJSON_AddStringToObject(root, "program", program->path);
    cJSON *criteria = cJSON_AddArrayToObject(root, "criteria");
    for (size_t i = 0; i < sliced->criterion_count; i++)
        cJSON_AddItemToArray(criteria, cJSON_CreateString(sliced->criteria[i]));
    if (sliced->chop)
        cJSON_AddStringToObject(root, "chop", sliced->chop);
    cJSON_AddBoolToObject(root, "forward", sliced->forward);
    cJSON *lines = cJSON_AddArrayToObject(root, "lines");
    for (size_t i = 0; i < sliced->lines.count; i++) {
        const struct slice_line *line = &sliced->lines.data[i];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "file", program->files.data[line->file].path);
        cJSON_AddNumberToObject(item, "line", line->line);
        struct reason reason = {0};
        if (sliced->slice && (reason = find_reason(sliced, line)).kind) {
            cJSON *because = cJSON_AddObjectToObject(item, "because");
            cJSON_AddStringToObject(because, "kind", reason.kind);
            cJSON_AddStringToObject(because, "file", program->files.data[reason.file].path);
            cJSON_AddNumberToObject(because, "line", reason.line);
        }
        cJSON_AddItemToArray(lines, item);
    }
    char *text = cJSON_Print(root);
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(root);
}

/* Lines as boxes; what only carries a dependence from one to another as points. */
static void print_dot(const struct sliced *sliced, FILE *out) {
    const struct sdg *sdg = sliced->sdg;
    fputs("digraph slice {\n  node [shape=box, fontname=monospace];\n", out);
    for (node_id n = 0; n < sdg->nodes.count; n++) {
        file_id file;
        uint32_t line;
        if (!sliced->in[n])
            continue;
        if (slice_line_of(sdg, n, &file, &line))
            fprintf(out, "  n%u [label=\"%s:%u\"];\n", n, sdg->program->files.data[file].name,
                    line);
        else if (sdg->nodes.data[n].kind == NODE_ENTRY)
            fprintf(out, "  n%u [label=\"%s()\", shape=ellipse];\n", n,
                    sdg->program->functions.data[sdg->nodes.data[n].function].source_name);
        else
            fprintf(out, "  n%u [shape=point];\n", n);
    }
    for (node_id n = 0; n < sdg->nodes.count; n++)
        for (uint64_t i = sdg->out.start[n]; sliced->in[n] && i < sdg->out.start[n + 1]; i++) {
            struct sdg_edge edge = sdg->out.edges[i];
            static const char *const styles[EDGE_KIND_COUNT] = {
                [EDGE_CONTROL] = " [style=dashed]",   [EDGE_CALL] = " [style=dotted]",
                [EDGE_SUMMARY] = " [style=bold]",     [EDGE_HUB] = " [color=gray]",
                [EDGE_INTERFERENCE] = " [color=red]",
            };
            if (sliced->in[edge.node])
                fprintf(out, "  n%u -> n%u%s;\n", n, edge.node,
                        styles[edge.kind] ? styles[edge.kind] : "");
        }
    fputs("}\n", out);
}

void slice_print(const struct sliced *sliced, enum slice_format format, FILE *out) {
    switch (format) {
    case SLICE_LINES:
        print_lines(sliced, out);
        break;
    case SLICE_JSON:
        print_json(sliced, out);
        break;
    case SLICE_DOT:
        print_dot(sliced, out);
        break;
    case SLICE_HTML:
        slice_print_html(sliced, out);
        break;
    default:
        print_text(sliced, out);
    }
}
