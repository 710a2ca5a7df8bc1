/* Which functions failed before?  See second_chance.h. */
#include "cmd/second_chance.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "program/embedded.h"

static const char title[] = "recut second chance 1";

static void print_id(char *ret, const uint8_t *build_id) {
    for (int i = 0; i < BUILD_ID_SIZE; i++)
        snprintf(ret + 2 * i, 3, "%02x", build_id[i]);
}

/* The directory exists afterwards. */
static struct error *own_path(const struct second_chance *list, char **ret) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool is_given = state && *state == '/';
    char *directory CLEANUP_FREE =
        is_given ? mem_printf("%s/recut/second-chance", state)
                 : mem_printf("%s/.local/state/recut/second-chance", home && *home ? home : "");
    struct error *err = io_make_dirs(directory);
    if (err)
        return err;
    char id[2 * BUILD_ID_SIZE + 1];
    print_id(id, list->build_id);
    *ret = mem_printf("%s/%s", directory, id);
    return NULL;
}

void second_chance_add(struct second_chance *list, const char *function) {
    size_t at = 0;
    while (at < list->functions.count && strcmp(list->functions.data[at], function) < 0)
        at++;
    if (at < list->functions.count && strcmp(list->functions.data[at], function) == 0)
        return;
    VEC_PUSH(&list->functions, NULL);
    memmove(list->functions.data + at + 1, list->functions.data + at,
            (list->functions.count - 1 - at) * sizeof *list->functions.data);
    list->functions.data[at] = mem_strdup(function);
}

static struct error *read_lines(struct second_chance *list, const char *path, char *text) {
    char id[2 * BUILD_ID_SIZE + 1], *rest = text, *line = strsep(&rest, "\n");
    print_id(id, list->build_id);
    if (strcmp(line, title) != 0)
        return error_new(ERROR_INPUT, "%s: is no list of `recut monitor --export`", path);
    while ((line = strsep(&rest, "\n"))) {
        if (strncmp(line, "build ", 6) == 0 && strcmp(line + 6, id) != 0)
            return error_new(ERROR_INPUT, "%s: is of another build of the program", path);
        if (strncmp(line, "function ", 9) == 0 && line[9] && !strpbrk(line + 9, " \t\r"))
            second_chance_add(list, line + 9);
        else if (*line && strncmp(line, "build ", 6) != 0)
            return error_new(ERROR_INPUT, "%s: is damaged", path);
    }
    return NULL;
}

struct error *second_chance_import(struct second_chance *list, const char *path) {
    char *text CLEANUP_FREE = NULL;
    size_t size;
    struct error *err = io_read_file(path, &text, &size);
    if (!err && strlen(text) != size)
        err = error_new(ERROR_INPUT, "%s: is damaged", path);
    return err ? err : read_lines(list, path, text);
}

struct error *second_chance_load(const char *program, struct second_chance *ret) {
    *ret = (struct second_chance){0};
    char *path CLEANUP_FREE = NULL;
    struct error *err = embedded_build_id(program, ret->build_id);
    if (!err)
        err = own_path(ret, &path);
    if (!err && access(path, F_OK) == 0)
        err = second_chance_import(ret, path);
    return err;
}

struct error *second_chance_export(const struct second_chance *list, const char *path) {
    char id[2 * BUILD_ID_SIZE + 1], *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    print_id(id, list->build_id);
    fprintf(out, "%s\nbuild %s\n", title, id);
    for (size_t i = 0; i < list->functions.count; i++)
        fprintf(out, "function %s\n", list->functions.data[i]);
    fclose(out);
    struct error *err = io_write_file(path, text, size);
    free(text);
    return err;
}

struct error *second_chance_save(const struct second_chance *list) {
    char *path CLEANUP_FREE = NULL;
    struct error *err = own_path(list, &path);
    return err ? err : second_chance_export(list, path);
}

void second_chance_deinit(struct second_chance *list) {
    for (size_t i = 0; i < list->functions.count; i++)
        free(list->functions.data[i]);
    VEC_DEINIT(&list->functions);
}
