/*
 * A slice as a page for a browser: whole sources, what is in the slice, what depends on what.
 *
 * slice_page.html says what the page looks like, with {{names}} where the functions below write;
 * slice_page.css and slice_page.js are put into it, so that it is one file that needs no other.
 *
 * Sources, names and criteria are somebody's text: all of it goes through put_text().
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/slice.h"
#include "slice/dependences.h"

/* slice_page.S */
extern const char slice_page_html[], slice_page_css[], slice_page_js[];

enum { SHORTEST_RUN = 4 }; /* lines that are worth folding */

struct page {
    const struct sliced *sliced;
    slice_lines here; /* lines of the criteria, ascending */
    FILE *out;
};

/* The length of the character that the text begins with; 0 if it is no UTF-8 (Unicode 15,
 * table 3-7). */
static size_t utf8_length(const unsigned char *text, size_t size) {
    unsigned char first = text[0], low = 0x80, high = 0xbf;
    size_t length = first < 0x80                    ? 1
                    : first >= 0xc2 && first < 0xe0 ? 2
                    : first >= 0xe0 && first < 0xf0 ? 3
                    : first >= 0xf0 && first < 0xf5 ? 4
                                                    : 0;
    if (!length || length > size)
        return 0;
    if (first == 0xe0)
        low = 0xa0;
    else if (first == 0xed)
        high = 0x9f;
    else if (first == 0xf0)
        low = 0x90;
    else if (first == 0xf4)
        high = 0x8f;
    for (size_t i = 1; i < length; i++, low = 0x80, high = 0xbf)
        if (text[i] < low || text[i] > high)
            return 0;
    return length;
}

/* Text for an element or a quoted attribute.  What is no UTF-8 becomes U+FFFD, as do controls
 * above ASCII; those of ASCII, which HTML has no way to write, become their pictures (U+2400). */
static void put_text(FILE *out, const char *text, size_t size) {
    const unsigned char *at = (const unsigned char *)text, *end = at + size;
    while (at < end) {
        size_t length = utf8_length(at, (size_t)(end - at));
        bool is_high_control = length == 2 && at[0] == 0xc2 && at[1] < 0xa0;
        if (*at == '&')
            fputs("&amp;", out);
        else if (*at == '<')
            fputs("&lt;", out);
        else if (*at == '>')
            fputs("&gt;", out);
        else if (*at == '"')
            fputs("&quot;", out);
        else if (*at == 0x7f)
            fputs("\xe2\x90\xa1", out);
        else if (*at < ' ' && *at != '\t')
            fprintf(out, "\xe2\x90%c", 0x80 + *at);
        else if (!length || is_high_control)
            fputs("\xef\xbf\xbd", out);
        else if (length == 1)
            putc_unlocked(*at, out);
        else
            fwrite(at, 1, length, out);
        at += length ? length : 1;
    }
}

static void put_string(FILE *out, const char *text) { put_text(out, text, strlen(text)); }

static int compare_lines(const void *a, const void *b) {
    const struct slice_line *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static bool add_line_of(struct page *page, node_id node) {
    struct slice_line line = {.node = node};
    if (!slice_line_of(page->sliced->sdg, node, &line.file, &line.line))
        return false;
    VEC_PUSH(&page->here, line);
    return true;
}

/* The lines of a criterion.  What a function returns is on the lines that return it, and a
 * parameter where the function begins. */
static void add_here(struct page *page, const node_vec *nodes) {
    const struct sdg *sdg = page->sliced->sdg;
    for (size_t i = 0; i < nodes->count; i++) {
        node_id node = nodes->data[i];
        if (node == NO_ID || add_line_of(page, node))
            continue;
        size_t before = page->here.count;
        if (sdg->nodes.data[node].kind == NODE_FORMAL_OUT)
            for (uint64_t e = sdg->in.start[node]; e < sdg->in.start[node + 1]; e++)
                add_line_of(page, sdg->in.edges[e].node);
        function_id id = sdg->nodes.data[node].function;
        if (page->here.count > before || id == NO_ID)
            continue;
        const struct function *function = &sdg->program->functions.data[id];
        if (function->file != NO_ID)
            VEC_PUSH(&page->here, (struct slice_line){function->file, function->line, node});
    }
}

static bool is_here(const struct page *page, const struct slice_line *line) {
    return page->here.count &&
           bsearch(line, page->here.data, page->here.count, sizeof *page->here.data, compare_lines);
}

static void put_criteria(const struct page *page) {
    const struct sliced *sliced = page->sliced;
    for (size_t i = 0; i < sliced->criterion_count; i++) {
        if (i)
            fputs(i + 1 == sliced->criterion_count ? " and " : ", ", page->out);
        put_string(page->out, sliced->criteria[i]);
    }
}

static void put_heading(const struct page *page) {
    FILE *out = page->out;
    fputs(page->sliced->chop      ? "How "
          : page->sliced->forward ? "What is influenced by "
                                  : "What influences ",
          out);
    put_criteria(page);
    if (page->sliced->chop) {
        fputs(" influences ", out);
        put_string(out, page->sliced->chop);
    }
}

static const char *program_name(const struct page *page) {
    const char *path = page->sliced->sdg->program->path, *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void put_title(const struct page *page) {
    put_string(page->out, program_name(page));
    fputs(": ", page->out);
    put_heading(page);
}

/* The lines of the file that begins at `first`, in the list of the slice's. */
static size_t count_in_file(const struct page *page, size_t first) {
    const slice_lines *lines = &page->sliced->lines;
    size_t end = first;
    while (end < lines->count && lines->data[end].file == lines->data[first].file)
        end++;
    return end - first;
}

static void put_summary(const struct page *page) {
    const slice_lines *lines = &page->sliced->lines;
    size_t files = 0;
    for (size_t i = 0; i < lines->count; i += count_in_file(page, i))
        files++;
    put_string(page->out, program_name(page));
    fprintf(page->out, ": %zu %s in %zu %s%s", lines->count, lines->count == 1 ? "line" : "lines",
            files, files == 1 ? "file" : "files", page->sliced->data_only ? ", values only" : "");
}

static const struct source_file *file_of(const struct page *page, size_t line) {
    return &page->sliced->sdg->program->files.data[page->sliced->lines.data[line].file];
}

static void put_files(const struct page *page) {
    FILE *out = page->out;
    size_t number = 0;
    for (size_t i = 0, count; i < page->sliced->lines.count; i += count, number++) {
        count = count_in_file(page, i);
        fprintf(out, "<li><a href=\"#F%zu\" title=\"", number);
        put_string(out, file_of(page, i)->path);
        fputs("\"><span>", out);
        put_string(out, file_of(page, i)->name);
        fprintf(out, "</span> <small>%zu %s</small></a></li>\n", count,
                count == 1 ? "line" : "lines");
    }
}

static void put_line(const struct page *page, size_t file, const struct slice_line *line,
                     const struct slice_source *source, bool is_in) {
    FILE *out = page->out;
    bool here = is_here(page, line);
    size_t length;
    const char *text = slice_source_line(source, line->line, &length);
    /* Nothing depends on a jump in the graph (lines.h). */
    bool is_jump = is_in && !page->sliced->in[line->node];
    fprintf(out, "<span id=\"L%zu-%" PRIu32 "\" data-n=\"%" PRIu32 "\"", file, line->line,
            line->line);
    if (is_in)
        fprintf(out, " class=\"in%s%s\"", here ? " here" : "", is_jump ? " jump" : "");
    else if (here)
        fputs(" class=\"here\"", out);
    fputc('>', out);
    put_text(out, text, length);
    fputs("</span>", out);
}

/* Lines from one to before another, none of which is in the slice. */
static void put_run(const struct page *page, size_t file, struct slice_line line, uint32_t end,
                    const struct slice_source *source) {
    bool is_long = end - line.line >= SHORTEST_RUN;
    if (is_long)
        fprintf(page->out, "<span class=\"run\" data-count=\"%" PRIu32 "\">", end - line.line);
    for (; line.line < end; line.line++)
        put_line(page, file, &line, source, false);
    if (is_long)
        fputs("</span>", page->out);
}

static void put_source(const struct page *page, size_t file, size_t first, size_t count) {
    FILE *out = page->out;
    const struct slice_line *lines = page->sliced->lines.data + first;
    struct slice_source source = {0};
    bool is_open = slice_source_open(&source, file_of(page, first)->path);
    fprintf(out, "<section id=\"F%zu\" data-file=\"", file);
    put_string(out, file_of(page, first)->name);
    fputs("\"><h2><span>", out);
    put_string(out, file_of(page, first)->name);
    fprintf(out, "<small>%zu of %zu lines</small></span></h2>\n", count,
            is_open ? source.starts.count : count);
    if (!is_open)
        fputs("<p>This file cannot be read; these are the numbers of its lines in the slice.</p>",
              out);
    fputs("<pre>", out);
    struct slice_line next = {.file = lines[0].file, .line = 1};
    for (size_t i = 0; i < count; i++) {
        if (is_open && lines[i].line > next.line && next.line <= source.starts.count)
            put_run(page, file, next,
                    lines[i].line <= source.starts.count ? lines[i].line
                                                         : (uint32_t)source.starts.count + 1,
                    &source);
        put_line(page, file, &lines[i], &source, true);
        next.line = lines[i].line + 1;
    }
    if (next.line <= source.starts.count)
        put_run(page, file, next, (uint32_t)source.starts.count + 1, &source);
    fputs("</pre></section>\n", out);
    slice_source_close(&source);
}

static void put_sources(const struct page *page) {
    size_t file = 0;
    for (size_t i = 0, count; i < page->sliced->lines.count; i += count, file++) {
        count = count_in_file(page, i);
        put_source(page, file, i, count);
    }
}

/* One vertex; slice_page.js says how. */
static void put_dependences(FILE *out, const struct line_dependence *list, size_t count) {
    uint32_t last = 0;
    fputc('[', out);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && list[next].kinds == list[i].kinds &&
                           list[next].on == list[next - 1].on + 1;)
            next++;
        bool is_run = next - i > 1;
        fprintf(out, "%s%" PRIu64, i ? "," : "",
                (uint64_t)(list[i].on - last) * 32 + is_run * 16 + list[i].kinds);
        if (is_run)
            fprintf(out, ",%zu", next - i - 1);
        last = list[next - 1].on;
    }
    fputc(']', out);
}

static void put_data(const struct page *page) {
    const struct sliced *sliced = page->sliced;
    struct line_dependences all;
    dependences_find(sliced->sdg, sliced->in, &sliced->lines,
                     &(struct dependence_options){sliced->data_only, sliced->no_threads}, &all);
    fputc('[', page->out);
    for (uint32_t v = 0; v < all.count; v++) {
        if (v)
            fputs(",\n", page->out);
        put_dependences(page->out, all.data + all.start[v], all.start[v + 1] - all.start[v]);
    }
    fputc(']', page->out);
    dependences_deinit(&all);
}

static void put_style(const struct page *page) { fputs(slice_page_css, page->out); }

static void put_script(const struct page *page) { fputs(slice_page_js, page->out); }

void slice_print_html(const struct sliced *sliced, FILE *out) {
    static const struct {
        const char *name;
        void (*put)(const struct page *page);
    } parts[] = {
        {"title", put_title}, {"heading", put_heading}, {"summary", put_summary},
        {"files", put_files}, {"sources", put_sources}, {"data", put_data},
        {"style", put_style}, {"script", put_script},
    };
    struct page page = {.sliced = sliced, .out = out};
    add_here(&page, sliced->from);
    add_here(&page, sliced->to);
    if (page.here.count)
        qsort(page.here.data, page.here.count, sizeof *page.here.data, compare_lines);
    const char *at = slice_page_html;
    for (const char *mark; (mark = strstr(at, "{{")); at = strstr(mark, "}}") + 2) {
        fwrite(at, 1, (size_t)(mark - at), out);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            if (strncmp(mark + 2, parts[i].name, strlen(parts[i].name)) == 0)
                parts[i].put(&page);
    }
    fputs(at, out);
    VEC_DEINIT(&page.here);
}
