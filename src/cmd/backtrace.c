/* How did the program come here?  See backtrace.h. */
#include "cmd/backtrace.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/cmd.h"
#include "format/layout.h"

enum { most_lines = 40 };

/* The library that was mapped there, from the text of /proc/self/maps. */
static void print_foreign(FILE *out, const struct bytes *mappings, uint64_t address) {
    char text[4096], *line = text;
    for (size_t at = 0; at < mappings->size; at += strlen(line) + 1) {
        size_t left = mappings->size - at;
        const void *end = memchr(mappings->data + at, '\n', left);
        size_t length = end ? (size_t)((const uint8_t *)end - mappings->data) - at : left;
        length = length < sizeof text ? length : sizeof text - 1;
        memcpy(text, mappings->data + at, length);
        text[length] = '\0';
        uint64_t low, high;
        const char *path = strchr(text, '/');
        if (sscanf(text, "%" SCNx64 "-%" SCNx64, &low, &high) == 2 && address >= low &&
            address < high && path) {
            fprintf(out, "in %s", source_base_name(path));
            return;
        }
    }
    fprintf(out, "%#" PRIx64, address);
}

static void print_frame(FILE *out, const struct source_frame *frame) {
    const char *bold = cmd_colour(out, COLOUR_BOLD), *off = cmd_colour(out, COLOUR_OFF);
    fprintf(out, "%s%s%s", bold, frame->function ? frame->function : "?", off);
    if (frame->file)
        fprintf(out, " at %s:%d", source_base_name(frame->file), frame->line);
}

void backtrace_print(FILE *out, const struct trace *trace, struct source *source,
                     const struct trace_event *event, uint64_t from, int indent) {
    struct unwind_frame stack[UNWIND_MOST];
    struct unwind_files files = {trace_program(trace), trace_path(trace), NULL, NULL};
    size_t count = unwind_crash(&files, event, stack);
    unsigned lines = 0;
    bool in_program = false;
    size_t first = 0;
    while (from && first < count && stack[first].address != from)
        first++;
    for (size_t i = first < count ? first : 0; i < count && lines < most_lines; i++) {
        uint64_t address = stack[i].address;
        if (address >= RECUT_ARGS_BASE) {
            if (in_program)
                break; /* libc's part before main */
            fprintf(out, "%*s#%-2u ", indent, "", lines++);
            print_foreign(out, &event->crash.mappings, address);
            fputc('\n', out);
            continue;
        }
        const struct source_frame *frames;
        size_t inlined = source ? (i ? source_call(source, address, &frames)
                                     : source_find(source, address, &frames))
                                : 0;
        /* The runtime's own steps before main are nobody's business. */
        if (inlined && frames[0].function && strncmp(frames[0].function, "__recut_", 8) == 0)
            continue;
        for (size_t k = 0; k < inlined && lines < most_lines; k++) {
            fprintf(out, "%*s#%-2u ", indent, "", lines++);
            print_frame(out, &frames[k]);
            fputc('\n', out);
        }
        if (!inlined)
            fprintf(out, "%*s#%-2u %#" PRIx64 "\n", indent, "", lines++, address);
        in_program = true;
    }
    if (lines == most_lines)
        fprintf(out, "%*s...\n", indent, "");
}
