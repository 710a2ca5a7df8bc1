/* Which races were found, and which of them are the same?  See race_list.h. */
#include "cmd/race_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- reading ------------------------------------------------------------------------------ */

/* Addresses to calls, without the runtime's own. */
static void read_stack(const char *text, struct source *source, struct race_stack *stack) {
    char *end;
    for (uint64_t address; (address = strtoull(text, &end, 16)) != 0 && end != text; text = end) {
        const struct source_frame *frames;
        size_t count = source_call(source, address, &frames);
        if (frames[0].function && strncmp(frames[0].function, "__recut_", 8) == 0)
            continue;
        for (size_t i = 0; i < count; i++)
            VEC_PUSH(&stack->frames, frames[i]);
    }
}

static bool read_side(const char *line, struct source *source, struct race_side *side) {
    char what;
    int length;
    if (sscanf(line, "by %" SCNu32 " %c %u%n", &side->thread, &what, &side->size, &length) != 3)
        return false;
    side->is_write = what == 'w' || what == 'W';
    side->is_atomic = what == 'R' || what == 'W';
    read_stack(line + length, source, &side->stack);
    return true;
}

static bool read_place(const char *line, struct source *source, struct race *race) {
    int length = 0;
    char where[16];
    if (sscanf(line, "race %" SCNx64 " %15s%n", &race->address, where, &length) != 2)
        return false;
    const char *rest = line + length;
    race->where = strcmp(where, "heap") == 0    ? race_heap
                  : strcmp(where, "stack") == 0 ? race_local
                                                : race_static;
    if (race->where == race_static)
        return true;
    int64_t owner;
    if (sscanf(rest, "%" SCNd64 " %" SCNx64 " %" SCNu64 "%n", &owner, &race->start, &race->size,
               &length) != 3)
        return false;
    race->owner = owner > 0 ? (uint32_t)owner : 0;
    read_stack(rest + length, source, &race->origin);
    return true;
}

static char *read_all(int fd) {
    struct stat now;
    size_t size = fstat(fd, &now) == 0 ? (size_t)now.st_size : 0;
    char *text = mem_alloc(size + 1);
    ssize_t got = pread(fd, text, size, 0);
    text[got > 0 ? got : 0] = '\0';
    return text;
}

static void race_deinit(struct race *race) {
    VEC_DEINIT(&race->origin.frames);
    VEC_DEINIT(&race->sides[0].stack.frames);
    VEC_DEINIT(&race->sides[1].stack.frames);
}

/* --- order -------------------------------------------------------------------------------- */

static int compare_text(const char *a, const char *b) {
    return !a || !b ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

static int compare_frames(const struct source_frame *a, const struct source_frame *b) {
    int order = compare_text(a->file, b->file);
    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    return order ? order : compare_text(a->function, b->function);
}

static int compare_places(const struct race_side *a, const struct race_side *b) {
    bool has_a = a->stack.frames.count, has_b = b->stack.frames.count;
    return has_a && has_b ? compare_frames(&a->stack.frames.data[0], &b->stack.frames.data[0])
                          : has_a - has_b;
}

/* Sides at the same place: what is worse comes first. */
static int compare_sides(const struct race_side *a, const struct race_side *b) {
    int order = b->is_write - a->is_write;
    if (order == 0)
        order = a->is_atomic - b->is_atomic;
    if (order == 0)
        order = (a->thread > b->thread) - (a->thread < b->thread);
    for (size_t i = 0; order == 0 && i < a->stack.frames.count && i < b->stack.frames.count; i++)
        order = compare_frames(&a->stack.frames.data[i], &b->stack.frames.data[i]);
    return order;
}

static int compare_pairs(const struct race *a, const struct race *b) {
    int order = compare_places(&a->sides[0], &b->sides[0]);
    return order ? order : compare_places(&a->sides[1], &b->sides[1]);
}

static int compare_races(const void *a, const void *b) {
    const struct race *x = a, *y = b;
    int order = compare_pairs(x, y);
    for (int i = 0; i < 2 && order == 0; i++)
        order = compare_sides(&x->sides[i], &y->sides[i]);
    return order ? order : (x->address > y->address) - (x->address < y->address);
}

/* Which of the two came first says nothing. */
static void sort_sides(struct race *race) {
    int order = compare_places(&race->sides[0], &race->sides[1]);
    if (order == 0)
        order = compare_sides(&race->sides[0], &race->sides[1]);
    if (order <= 0)
        return;
    struct race_side first = race->sides[1];
    race->sides[1] = race->sides[0];
    race->sides[0] = first;
}

static void sort(struct race_list *list) {
    size_t kept = 0;
    struct race *races = list->races.data;
    if (list->races.count)
        qsort(races, list->races.count, sizeof *races, compare_races);
    for (size_t i = 0; i < list->races.count; i++)
        if (kept && compare_pairs(&races[kept - 1], &races[i]) == 0)
            race_deinit(&races[i]);
        else
            races[kept++] = races[i];
    list->races.count = kept;
}

struct error *race_list_read(int fd, struct source *source, struct race_list *ret) {
    *ret = (struct race_list){.is_complete = true};
    char *text CLEANUP_FREE = read_all(fd), *rest = text, *line = strsep(&rest, "\n");
    if (strcmp(line, "races") != 0)
        return error_new(ERROR_FAILED, "the program could not be watched");
    while ((line = strsep(&rest, "\n")) && *line) {
        struct race race = {0};
        if (strcmp(line, "more") == 0) {
            ret->is_complete = false;
            continue;
        }
        char *first = strsep(&rest, "\n"), *second = strsep(&rest, "\n");
        bool is_whole = read_place(line, source, &race) && first && second &&
                        read_side(first, source, &race.sides[0]) &&
                        read_side(second, source, &race.sides[1]);
        if (!is_whole) { /* the program died while it wrote */
            race_deinit(&race);
            ret->is_complete = false;
            break;
        }
        sort_sides(&race);
        VEC_PUSH(&ret->races, race);
    }
    sort(ret);
    return NULL;
}

void race_list_deinit(struct race_list *list) {
    for (size_t i = 0; i < list->races.count; i++)
        race_deinit(&list->races.data[i]);
    VEC_DEINIT(&list->races);
}
