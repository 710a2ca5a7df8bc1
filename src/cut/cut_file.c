/*
 * Cuts as text:
 *
 *     recut cut 1
 *     build 1f0c...
 *     strategy mincut
 *     target mod_deflate.c
 *     replay 17 deflate_out_filter        a function in replay space: id, and name for people
 *     logged 3 18 40                      instructions of it, as numbers within it
 *     unread 25
 *     environment 31 apr_bucket_create    one that is not, but has instructions that are logged
 *     logged 12
 *     end 5be2...                         XXH3-64 of all that is in front of this line
 *
 * Functions and instructions ascend, so one cut is one text.  The ids are those of one build, whose
 * id is checked first; then nothing is believed.  Cost: linear.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/hex.h"
#include "base/io.h"
#include "cut/cut.h"

static const char first_line[] = "recut cut 1\n";
static const char *const strategy_names[CUT_STRATEGY_COUNT] = {"mincut", "eager", "tight"};

const char *cut_strategy_name(enum cut_strategy strategy) { return strategy_names[strategy]; }

void cut_deinit(struct cut *cut) {
    free(cut->target);
    bitset_deinit(&cut->replay);
    bitset_deinit(&cut->logged);
    bitset_deinit(&cut->unread);
    bitset_deinit(&cut->blind);
    bitset_deinit(&cut->checked);
    *cut = (struct cut){0};
}

static void cut_cleanup(struct cut *cut) { cut_deinit(cut); }

/* --- writing ---------------------------------------------------------------------------------- */

/* The members of a set of instructions that are in a function, in a line; nothing if there are
 * none. */
static void write_set(FILE *out, const char *word, const struct bitset *set,
                      const struct function *function) {
    bool is_first = true;
    for (uint32_t n = 0; n < function->instructions.count; n++)
        if (bitset_has(set, function->instructions.first + n)) {
            fprintf(out, "%s %" PRIu32, is_first ? word : "", n);
            is_first = false;
        }
    if (!is_first)
        fputc('\n', out);
}

static bool has_any(const struct bitset *set, const struct function *function) {
    for (uint32_t n = 0; n < function->instructions.count; n++)
        if (bitset_has(set, function->instructions.first + n))
            return true;
    return false;
}

/* A symbol may be any bytes. */
static void write_line_of(FILE *out, const char *text) {
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? '?' : *text, out);
    fputc('\n', out);
}

struct error *cut_write(const struct cut *cut, const struct program *program, const char *path) {
    char *text CLEANUP_FREE = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return error_errno("cannot write %s", path);
    char build[HEX_SIZE(BUILD_ID_SIZE)];
    hex_format(cut->build_id, BUILD_ID_SIZE, build);
    fprintf(out, "%sbuild %s\nstrategy %s\ntarget ", first_line, build,
            cut_strategy_name(cut->strategy));
    write_line_of(out, cut->target);
    for (uint32_t f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        bool is_replay = bitset_has(&cut->replay, f);
        if (!is_replay && !has_any(&cut->logged, function))
            continue;
        fprintf(out, "%s %" PRIu32 " ", is_replay ? "replay" : "environment", f);
        write_line_of(out, function->name);
        write_set(out, "logged", &cut->logged, function);
        write_set(out, "unread", &cut->unread, function);
        write_set(out, "blind", &cut->blind, function);
        write_set(out, "checked", &cut->checked, function);
    }
    fflush(out);
    fprintf(out, "end %016" PRIx64 "\n", XXH3_64bits(text, size));
    fclose(out);
    return io_write_file(path, text, size);
}

/* --- reading ---------------------------------------------------------------------------------- */

struct reader {
    const char *at, *end; /* what is left */
    const char *name;
    uint32_t line;
    const struct program *program;
    struct cut *cut;
    function_id function; /* whose lines these are; NO_ID before the first */
    bool is_replay;
};

static struct error *damaged(const struct reader *reader, const char *what) {
    return error_new(ERROR_INPUT, "%s: line %" PRIu32 ": %s", reader->name, reader->line, what);
}

/* The rest of the line, without its end, which is gone then. */
static struct error *take_line(struct reader *reader, const char **ret, size_t *ret_size) {
    reader->line++;
    const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    if (!newline)
        return error_new(ERROR_INPUT, "%s is cut off", reader->name);
    *ret = reader->at;
    *ret_size = (size_t)(newline - reader->at);
    reader->at = newline + 1;
    return NULL;
}

/* Takes a word and the space behind it off the front of a line. */
static bool take_word(const char **line, size_t *size, const char *word) {
    size_t length = strlen(word);
    if (*size <= length || memcmp(*line, word, length) != 0 || (*line)[length] != ' ')
        return false;
    *line += length + 1;
    *size -= length + 1;
    return true;
}

/* A number below `limit`, and a space if there is one. */
static bool take_number(const char **line, size_t *size, uint32_t limit, uint32_t *ret) {
    uint64_t number = 0;
    size_t digits = 0;
    for (; digits < *size && digits < 10 && (*line)[digits] >= '0' && (*line)[digits] <= '9';
         digits++)
        number = number * 10 + (uint64_t)((*line)[digits] - '0');
    if (digits == 0 || number >= limit || (digits < *size && (*line)[digits] != ' '))
        return false;
    size_t taken = digits + (digits < *size);
    *line += taken;
    *size -= taken;
    *ret = (uint32_t)number;
    return true;
}

static struct error *read_function(struct reader *reader, const char *line, size_t size,
                                   bool is_replay) {
    uint32_t id;
    if (!take_number(&line, &size, (uint32_t)reader->program->functions.count, &id) ||
        (reader->function != NO_ID && id <= reader->function) ||
        !(reader->program->functions.data[id].flags & FUNCTION_DEFINED))
        return damaged(reader, "no function of the program, or not in order");
    reader->function = id;
    reader->is_replay = is_replay;
    if (is_replay)
        bitset_add(&reader->cut->replay, id);
    return NULL;
}

/* Can the instruction be in the set? */
static bool fits(const struct reader *reader, const struct bitset *set, instruction_id id) {
    const struct instruction *i = &reader->program->instructions.data[id];
    bool is_call = i->flags & INSTRUCTION_CALL;
    if (set == &reader->cut->checked)
        return reader->is_replay;
    if (set != &reader->cut->logged)
        return is_call && reader->is_replay;
    uint32_t access = reader->is_replay ? INSTRUCTION_READS : INSTRUCTION_WRITES;
    return is_call || i->flags & access || i->intrinsic != INTRINSIC_NONE;
}

static struct error *read_set(struct reader *reader, const char *line, size_t size,
                              struct bitset *set) {
    if (reader->function == NO_ID)
        return damaged(reader, "instructions of no function");
    const struct function *function = &reader->program->functions.data[reader->function];
    for (uint32_t least = 0; size > 0;) {
        uint32_t number;
        if (!take_number(&line, &size, function->instructions.count, &number) || number < least)
            return damaged(reader, "no instruction of the function, or not in order");
        instruction_id id = function->instructions.first + number;
        if (!fits(reader, set, id) || !bitset_add(set, id))
            return damaged(reader, "an instruction that cannot be logged so");
        least = number + 1;
    }
    return NULL;
}

static struct error *read_line(struct reader *reader, const char *line, size_t size) {
    struct cut *cut = reader->cut;
    if (take_word(&line, &size, "replay"))
        return read_function(reader, line, size, true);
    if (take_word(&line, &size, "environment"))
        return read_function(reader, line, size, false);
    if (take_word(&line, &size, "logged"))
        return read_set(reader, line, size, &cut->logged);
    if (take_word(&line, &size, "unread"))
        return read_set(reader, line, size, &cut->unread);
    if (take_word(&line, &size, "blind"))
        return read_set(reader, line, size, &cut->blind);
    if (take_word(&line, &size, "checked"))
        return read_set(reader, line, size, &cut->checked);
    return damaged(reader, "is none of a cut");
}

/* The three lines in front of the functions. */
static struct error *read_head(struct reader *reader) {
    const char *line;
    size_t size;
    struct error *err = take_line(reader, &line, &size);
    if (err)
        return err;
    struct cut *cut = reader->cut;
    char build[HEX_SIZE(BUILD_ID_SIZE)];
    hex_format(reader->program->build_id, BUILD_ID_SIZE, build);
    if (!take_word(&line, &size, "build") || size != sizeof build - 1)
        return damaged(reader, "is not the build of a cut");
    if (memcmp(line, build, size) != 0)
        return error_new(ERROR_INPUT, "%s is a cut of another build of %s", reader->name,
                         reader->program->path);
    memcpy(cut->build_id, reader->program->build_id, BUILD_ID_SIZE);
    if ((err = take_line(reader, &line, &size)))
        return err;
    int strategy = 0;
    if (!take_word(&line, &size, "strategy"))
        return damaged(reader, "is not the strategy of a cut");
    while (strategy < CUT_STRATEGY_COUNT && (strlen(strategy_names[strategy]) != size ||
                                             memcmp(strategy_names[strategy], line, size) != 0))
        strategy++;
    if (strategy == CUT_STRATEGY_COUNT)
        return damaged(reader, "is not the strategy of a cut");
    cut->strategy = (enum cut_strategy)strategy;
    if ((err = take_line(reader, &line, &size)))
        return err;
    if (!take_word(&line, &size, "target") || memchr(line, 0, size))
        return damaged(reader, "is not the target of a cut");
    cut->target = mem_strndup(line, size);
    return NULL;
}

/* Takes the last line off, if the checksum in it is right. */
static struct error *check_end(struct reader *reader) {
    enum { LENGTH = 4 + 16 + 1 };
    const char *text = reader->at;
    size_t size = (size_t)(reader->end - text), head = sizeof first_line - 1;
    if (size < head || memcmp(text, first_line, head) != 0)
        return error_new(ERROR_INPUT, "%s: is not a cut", reader->name);
    if (size < head + LENGTH)
        return error_new(ERROR_INPUT, "%s is cut off", reader->name);
    char expected[LENGTH + 1];
    snprintf(expected, sizeof expected, "end %016" PRIx64 "\n", XXH3_64bits(text, size - LENGTH));
    if (memcmp(reader->end - LENGTH, expected, LENGTH) != 0)
        return error_new(ERROR_INPUT, "%s: is damaged, or cut off", reader->name);
    reader->end -= LENGTH;
    reader->at += head;
    reader->line = 1;
    return NULL;
}

struct error *cut_parse(const char *text, size_t size, const char *name,
                        const struct program *program, struct cut *ret) {
    struct cut cut __attribute__((cleanup(cut_cleanup))) = {0};
    struct reader reader = {.at = text,
                            .end = text + size,
                            .name = name,
                            .program = program,
                            .cut = &cut,
                            .function = NO_ID};
    struct error *err = check_end(&reader);
    if (!err)
        err = read_head(&reader);
    while (!err && reader.at < reader.end) {
        const char *line;
        size_t length;
        err = take_line(&reader, &line, &length);
        if (!err)
            err = read_line(&reader, line, length);
    }
    if (err)
        return err;
    *ret = cut;
    cut = (struct cut){0};
    return NULL;
}

struct error *cut_read(const char *path, const struct program *program, struct cut *ret) {
    char *text CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = io_read_file(path, &text, &size);
    return err ? err : cut_parse(text, size, path, program, ret);
}
