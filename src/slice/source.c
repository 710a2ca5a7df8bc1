/*
 * Writes slices as sources; source.h.
 *
 * Needs -O0: an optimiser moves code away from the statements that it was written in.
 */
#include "slice/source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/md5.h"
#include "slice/source_text.h"

typedef VEC(struct syntax_tree *) tree_list;

/* What can be cut at all. */

static bool ends_in(const char *name, const char *end) {
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

static struct error *check_file(const struct program *program, file_id file) {
    static const char *const foreign[] = {".cc", ".cpp", ".cxx", ".C", ".c++", ".m", ".s", ".S"};
    const char *name = program->files.data[file].name;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (ends_in(name, foreign[i]))
            return error_new(ERROR_FAILED, "%s is not C", name);
    if (program_is_optimised(program, file))
        return error_new(ERROR_FAILED,
                         "%s was optimised, and its code belongs to no statement; "
                         "build with -O0 -g",
                         name);
    return NULL;
}

static struct error *check_program(const struct program *program) {
    if (!program->has_debug_info)
        return error_new(ERROR_FAILED, "%s has no debug information; build with -O0 -g",
                         program->path);
    for (function_id f = 0; f < program->functions.count; f++) {
        const struct function *function = &program->functions.data[f];
        if (function->flags & FUNCTION_DEFINED && !(function->flags & FUNCTION_RUNTIME) &&
            function->file == NO_ID && function->scope == NO_ID)
            return error_new(ERROR_FAILED, "%s has no debug information; build all with -O0 -g",
                             function->source_name);
    }
    return NULL;
}

/* Flags. */

typedef VEC(char *) word_list;

/* The words of a recorded command; a backslash takes the next letter as it is. */
static void split(const char *command, word_list *ret) {
    while (*command) {
        while (*command == ' ')
            command++;
        if (!*command)
            return;
        char *word = mem_alloc(strlen(command) + 1);
        size_t length = 0;
        for (; *command && *command != ' '; command++) {
            if (*command == '\\' && command[1])
                command++;
            word[length++] = *command;
        }
        word[length] = 0;
        VEC_PUSH(ret, word);
    }
}

/* What of a command decides how a source is read; the word behind some of it, too. */
static void add_recorded(const word_list *words, struct syntax_request *request,
                         const char **flags) {
    static const char *const pairs[] = {"-I",      "-D",         "-U",       "-isystem",
                                        "-iquote", "-idirafter", "-include", "-imacros"};
    static const char *const single[] = {
        "-I", "-D", "-U", "-std=", "-ansi", "-f", "-m", "-pthread"};
    for (size_t i = 1; i < words->count; i++) {
        const char *word = words->data[i];
        bool is_pair = false, is_single = false;
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
            is_pair |= strcmp(word, pairs[k]) == 0;
        for (size_t k = 0; k < sizeof single / sizeof *single; k++)
            is_single |= strncmp(word, single[k], strlen(single[k])) == 0;
        if (is_pair && i + 1 < words->count) {
            flags[request->flag_count++] = word;
            flags[request->flag_count++] = words->data[++i];
        } else if (is_single) {
            flags[request->flag_count++] = word;
        }
    }
}

static struct error *parse_unit(const struct program *program, const struct compile_unit *unit,
                                const char *path, const struct source_options *options,
                                struct syntax_tree **ret) {
    word_list words = {0};
    split(unit->command, &words);
    const char **flags CLEANUP_FREE =
        mem_zalloc(words.count + (size_t)options->flag_count + 1, sizeof *flags);
    struct syntax_request request = {
        .path = path,
        .directory = program->files.data[unit->file].directory,
        .flags = flags,
    };
    add_recorded(&words, &request, flags);
    for (int i = 0; i < options->flag_count; i++)
        flags[request.flag_count++] = options->flags[i];
    struct error *err = syntax_parse(&request, ret);
    for (size_t i = 0; i < words.count; i++)
        free(words.data[i]);
    VEC_DEINIT(&words);
    return err;
}

/* A program knows what its sources were. */
static struct error *check_contents(const struct source_file *file,
                                    const struct syntax_tree *tree) {
    char now[MD5_TEXT_SIZE];
    md5_text(tree->text, tree->size, now);
    if (!file->checksum || strcmp(file->checksum, now) == 0)
        return NULL;
    return error_new(ERROR_FAILED, "%s has changed since the program was built", tree->path);
}

static struct error *parse_all(const struct program *program, const struct source_options *options,
                               tree_list *ret) {
    for (size_t u = 0; u < program->units.count; u++) {
        const struct compile_unit *unit = &program->units.data[u];
        char path[PATH_MAX];
        if (unit->file == NO_ID)
            continue;
        struct error *err = check_file(program, unit->file);
        if (err)
            return err;
        if (!realpath(program->files.data[unit->file].path, path))
            return error_new(ERROR_FAILED, "%s: the source is not there",
                             program->files.data[unit->file].path);
        bool is_known = false;
        for (size_t t = 0; t < ret->count; t++)
            is_known |= strcmp(ret->data[t]->path, path) == 0;
        struct syntax_tree *tree;
        if (is_known)
            continue;
        err = parse_unit(program, unit, path, options, &tree);
        if (err)
            return err;
        VEC_PUSH(ret, tree);
        err = check_contents(&program->files.data[unit->file], tree);
        if (err)
            return err;
    }
    return NULL;
}

/* Where files go. */

/* Cuts `root` to the folder that it has in common with a path. */
static void meet(char *root, const char *path) {
    size_t same = 0, i = 0;
    for (; root[i] && root[i] == path[i]; i++)
        if (root[i] == '/')
            same = i;
    if (!root[i] && (path[i] == '/' || !path[i]))
        same = i;
    root[same] = 0;
}

static bool is_below(const char *root, const char *path) {
    size_t length = strlen(root);
    return strncmp(root, path, length) == 0 && path[length] == '/';
}

/* The folder that names of files are relative to: the one that all was compiled in, or else
 * what all sources have in common.  The caller frees. */
static char *find_root(const struct program *program, const tree_list *trees) {
    char *root = NULL;
    char path[PATH_MAX];
    for (size_t u = 0; u < program->units.count; u++) {
        file_id file = program->units.data[u].file;
        if (file == NO_ID || !realpath(program->files.data[file].directory, path))
            continue;
        if (!root)
            root = mem_strdup(path);
        meet(root, path);
    }
    bool is_root = root && *root;
    for (size_t t = 0; is_root && t < trees->count; t++)
        is_root = is_below(root, trees->data[t]->path);
    if (is_root)
        return root;
    free(root);
    root = mem_strdup(trees->data[0]->path);
    *strrchr(root, '/') = 0;
    for (size_t t = 0; t < trees->count; t++)
        meet(root, trees->data[t]->path);
    return root;
}

/* Writes DIRECTORY/NAME, with the folders that it needs. */
static struct error *put(const char *directory, const char *name, const char *text, size_t size) {
    char *path CLEANUP_FREE = mem_printf("%s/%s", directory, name);
    char *folder CLEANUP_FREE = mem_strdup(path);
    *strrchr(folder, '/') = 0;
    struct error *err = io_make_dirs(folder);
    return err ? err : io_write_file(path, text, size);
}

static bool is_source(const tree_list *trees, const char *path) {
    for (size_t t = 0; t < trees->count; t++)
        if (strcmp(trees->data[t]->path, path) == 0)
            return true;
    return false;
}

/* Is a file that would be written one that is read? */
static bool overwrites(const tree_list *trees, const char *directory, const char *name) {
    char *path CLEANUP_FREE = mem_printf("%s/%s", directory, name);
    char real[PATH_MAX];
    if (!realpath(path, real))
        return false;
    for (size_t t = 0; t < trees->count; t++)
        for (size_t i = 0; i < trees->data[t]->included.count; i++)
            if (strcmp(trees->data[t]->included.data[i], real) == 0)
                return true;
    return is_source(trees, real);
}

static struct error *check_directory(const tree_list *trees, const char *root,
                                     const char *directory) {
    for (size_t t = 0; t < trees->count; t++) {
        const struct syntax_tree *tree = trees->data[t];
        bool is_bad = overwrites(trees, directory, tree->path + strlen(root) + 1);
        for (size_t i = 0; !is_bad && i < tree->included.count; i++)
            is_bad = is_below(root, tree->included.data[i]) &&
                     overwrites(trees, directory, tree->included.data[i] + strlen(root) + 1);
        if (is_bad)
            return error_new(ERROR_USAGE, "--source %s: the program's own sources are there",
                             directory);
    }
    return NULL;
}

static struct error *copy_included(const tree_list *trees, const struct syntax_tree *tree,
                                   const char *root, const char *directory) {
    struct error *err = NULL;
    for (size_t i = 0; !err && i < tree->included.count; i++) {
        const char *path = tree->included.data[i];
        if (!is_below(root, path) || is_source(trees, path))
            continue;
        char *text CLEANUP_FREE = NULL;
        size_t size;
        err = io_read_file(path, &text, &size);
        if (!err)
            err = put(directory, path + strlen(root) + 1, text, size);
    }
    return err;
}

/* On the first line, so that the others keep their numbers. */
static char *make_comment(const char *name, const char *criterion) {
    char *comment = mem_printf("/* slice of %s, for %s, by recut */ ", name, criterion);
    for (char *end = comment + 2; (end = strstr(end, "*/")) && end[3];)
        *end = ' ';
    return comment;
}

static struct error *write_tree(const struct syntax_tree *tree, const char *text, const char *root,
                                const struct source_options *options) {
    const char *name = tree->path + strlen(root) + 1;
    char *comment CLEANUP_FREE = make_comment(name, options->criterion);
    char *whole CLEANUP_FREE = mem_printf("%s%s", comment, text);
    return put(options->directory, name, whole, strlen(whole));
}

static struct error *write_all(const struct sdg *sdg, const struct statements *statements,
                               const tree_list *trees, const struct source_options *options,
                               struct source_counts *ret) {
    char *root CLEANUP_FREE = find_root(sdg->program, trees);
    struct source_counts counts = {0};
    struct error *err = check_directory(trees, root, options->directory);
    for (uint32_t t = 0; !err && t < trees->count; t++) {
        char *text CLEANUP_FREE = source_cut(statements, trees->data, t, &counts);
        err = write_tree(trees->data[t], text, root, options);
        if (!err)
            err = copy_included(trees, trees->data[t], root, options->directory);
    }
    if (!err)
        *ret = counts;
    return err;
}

struct error *source_write(const struct sdg *sdg, const node_vec *criteria,
                           const struct source_options *options, struct source_counts *ret) {
    tree_list trees = {0};
    struct statements *statements = NULL;
    struct error *err = check_program(sdg->program);
    if (!err)
        err = parse_all(sdg->program, options, &trees);
    if (!err && !trees.count)
        err = error_new(ERROR_FAILED, "%s names no source file", sdg->program->path);
    if (!err)
        err = statements_new(sdg, trees.data, trees.count, &statements);
    if (!err) {
        struct executable executable;
        executable_find(sdg, criteria,
                        &(struct executable_options){.order = options->order,
                                                     .complete = statements_complete,
                                                     .data = statements},
                        &executable);
        executable_deinit(&executable);
    }
    if (!err)
        err = write_all(sdg, statements, &trees, options, ret);
    statements_free(statements);
    for (size_t t = 0; t < trees.count; t++)
        syntax_free(trees.data[t]);
    VEC_DEINIT(&trees);
    return err;
}
