/*
 * What would others see?  See review.h.
 *
 * What was printed with a name is not printed again as bytes.  Cost: the size of the capture.
 */
#include "testgen/review.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "testgen/redact.h"
#include "testgen/test_impl.h"
#include "testgen/walk.h"

struct range_of_bytes {
    uint64_t address, size;
};

struct review {
    const struct program *program;
    const struct capture *capture;
    FILE *out;
    VEC(struct range_of_bytes) printed;
};

/* --- by name ------------------------------------------------------------------------------ */

static void print_number(const struct source_type *type, const uint8_t *bytes, uint64_t size,
                         FILE *out) {
    uint64_t word = 0;
    double real;
    float narrow;
    bool is_real = type && type->kind == SOURCE_BASE && type->name &&
                   (strcmp(type->name, "double") == 0 || strcmp(type->name, "float") == 0);
    memcpy(&word, bytes, size < 8 ? size : 8);
    memcpy(&real, &word, sizeof real);
    memcpy(&narrow, &word, sizeof narrow);
    if (is_real)
        fprintf(out, "%.17g", size == sizeof narrow ? (double)narrow : real);
    else if (type && type->kind == SOURCE_POINTER)
        fprintf(out, "%#" PRIx64, word);
    else if (type && type->is_signed && size && size <= 8)
        fprintf(out, "%" PRId64, (int64_t)(word << (64 - 8 * size)) >> (64 - 8 * size));
    else
        fprintf(out, "%" PRIu64, word);
}

/* The texts in it, or all of its bytes if it has others. */
static void print_bytes(const uint8_t *bytes, uint64_t size, FILE *out) {
    while (size && !bytes[size - 1])
        size--;
    char *text CLEANUP_FREE = test_text(bytes, size);
    fprintf(out, "%s", text);
}

/* One number, and not characters of a text.  The compiler may have left one byte of it. */
static bool is_number(const struct source_type *type, uint64_t size) {
    bool is_scalar = type && type->size && type->size <= 8 && type->kind != SOURCE_ARRAY &&
                     type->kind != SOURCE_STRUCT && type->kind != SOURCE_UNION;
    bool is_char = is_scalar && type->size == 1 && type->name && strstr(type->name, "char");
    return is_scalar && (!is_char || size == 1);
}

static void print_value(const struct walk_place *place, void *data) {
    struct review *review = data;
    const struct source_type *type =
        place->type == NO_ID ? NULL : &review->program->source_types.data[place->type];
    fprintf(review->out, "  %s = ", place->path);
    if (place->address && redact_is_hidden(review->capture, place->address, place->size))
        fprintf(review->out, "redacted");
    else if (is_number(type, place->size))
        print_number(type, place->bytes, type->size < place->size ? type->size : place->size,
                     review->out);
    else
        print_bytes(place->bytes, place->size, review->out);
    fprintf(review->out, "\n");
    if (place->address)
        VEC_PUSH(&review->printed, (struct range_of_bytes){place->address, place->size});
}

static void print_state(struct review *review, const struct capture_state *state) {
    struct walk walk = {.program = review->program,
                        .capture = review->capture,
                        .state = state,
                        .visit = print_value,
                        .data = review};
    fprintf(review->out, "%s() was called with\n",
            review->program->functions.data[state->frame.function].source_name);
    walk_parameters(&walk);
    walk_all(&walk);
    fprintf(review->out, "\nvariables, then\n");
    walk = (struct walk){.program = review->program,
                         .capture = review->capture,
                         .state = state,
                         .visit = print_value,
                         .data = review};
    walk_variables(&walk);
    walk_all(&walk);
    fprintf(review->out, "\n");
}

/* --- the rest ----------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b) {
    const struct range_of_bytes *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static void dump(uint64_t address, const uint8_t *bytes, uint64_t size, FILE *out) {
    enum { row = 16 };
    for (uint64_t at = 0; at < size; at += row) {
        uint64_t count = size - at < row ? size - at : row, zeros = 0;
        while (zeros < count && !bytes[at + zeros])
            zeros++;
        if (zeros == count)
            continue;
        fprintf(out, "  %#14" PRIx64 " ", address + at);
        for (uint64_t i = 0; i < row; i++)
            if (i < count)
                fprintf(out, " %02x", bytes[at + i]);
            else
                fprintf(out, "   ");
        fprintf(out, "  ");
        for (uint64_t i = 0; i < count; i++)
            fputc(isprint(bytes[at + i]) ? bytes[at + i] : '.', out);
        fputc('\n', out);
    }
}

static void print_rest(const struct review *review, const struct capture_memory *memory) {
    uint8_t *bytes CLEANUP_FREE = mem_alloc(memory->size + 1);
    memcpy(bytes, memory->bytes, memory->size);
    for (size_t i = 0; i < review->printed.count; i++) {
        const struct range_of_bytes *one = &review->printed.data[i];
        uint64_t from = one->address > memory->address ? one->address : memory->address;
        uint64_t end = one->address + one->size, last = memory->address + memory->size;
        end = end < last ? end : last;
        if (one->address >= last)
            break;
        if (from < end)
            memset(bytes + (from - memory->address), 0, end - from);
    }
    dump(memory->address, bytes, memory->size, review->out);
}

static void print_pieces(const struct review *review, const char *title,
                         const struct capture_memory *pieces, size_t count) {
    if (count)
        fprintf(review->out, "%s\n", title);
    for (size_t i = 0; i < count; i++)
        print_rest(review, &pieces[i]);
    if (count)
        fprintf(review->out, "\n");
}

void review_print(const struct program *program, const struct capture *capture, FILE *out) {
    struct review review = {.program = program, .capture = capture, .out = out};
    for (size_t i = 0; i < capture->states.count; i++)
        if (capture->states.data[i].frame.function < program->functions.count)
            print_state(&review, &capture->states.data[i]);
    char *hidden CLEANUP_FREE = redact_names(capture);
    if (hidden)
        fprintf(out, "redacted: %s\n\n", hidden);
    /* A long variable that begins early may reach over shorter ones. */
    if (review.printed.count)
        qsort(review.printed.data, review.printed.count, sizeof *review.printed.data, by_address);
    print_pieces(&review, "other memory at the crash", capture->memory.data, capture->memory.count);
    for (size_t i = 0; i < capture->states.count && !capture->memory.count; i++)
        print_pieces(&review, "other memory when a function began",
                     capture->states.data[i].memory.data, capture->states.data[i].memory.count);
    print_pieces(&review, "answers of the environment", capture->answers.data,
                 capture->answers.count);
    if (capture->crash && capture->memory.count) {
        struct capture_memory stack = {capture->crash->event.sp, capture->stack.count,
                                       capture->stack.data};
        struct capture_memory copies = {0, capture->copies.count, capture->copies.data};
        review.printed.count = 0;
        print_pieces(&review, "the machine stack", &stack, 1);
        print_pieces(&review, "copies", &copies, copies.size != 0);
    }
    VEC_DEINIT(&review.printed);
}
