/*
 * recut-models: compiles model files, while recut is built and for its tests.
 *
 *     recut-models table FILE...    C: the compiled table, __recut_models_builtin
 *     recut-models text FILE...     C: the files themselves, models_texts
 *     recut-models binary FILE...   the table as it is
 *     recut-models check FILE...    C that compiles if the headers agree
 *     recut-models names FILE...    one line for each function
 *
 * Writes to stdout.  Exit 0 done, 65 an error in a file, 2 usage.
 */
#include <stdio.h>
#include <string.h>

#include "base/io.h"
#include "base/mem.h"
#include "models/models.h"

static void put_table(const struct model_table *table) {
    printf("/* Compiled models, made by recut-models. */\n"
           "#include \"format/model_table.h\"\n\n"
           "const uint64_t __recut_models_builtin[] = {");
    for (size_t i = 0; i < table->size / 8; i++) {
        uint64_t word;
        memcpy(&word, (const char *)table + 8 * i, 8);
        printf("%s%#lxu,", i % 6 == 0 ? "\n    " : " ", word);
    }
    printf("\n};\n");
}

static void put_string(const char *text, size_t size) {
    printf("\"");
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n')
            printf("\\n\"\n     \"");
        else if (text[i] == '"' || text[i] == '\\')
            printf("\\%c", text[i]);
        else if (text[i] >= ' ' && text[i] < 0x7f)
            putchar(text[i]);
        else
            printf("\\%03o", (unsigned char)text[i]);
    }
    printf("\"");
}

static struct error *put_texts(char **paths) {
    int count = 0;
    printf("/* Models as text, made by recut-models. */\n"
           "#include \"models/builtin.h\"\n\n"
           "const struct models_text models_texts[] = {\n");
    for (; paths[count]; count++) {
        CLEANUP_FREE char *text = NULL;
        size_t size;
        struct error *err = io_read_file(paths[count], &text, &size);
        if (err)
            return err;
        const char *slash = strrchr(paths[count], '/');
        printf("    {\"%s\",\n     ", slash ? slash + 1 : paths[count]);
        put_string(text, size);
        printf(",\n     %zu},\n", size);
    }
    printf("};\nconst size_t models_text_count = %d;\n", count);
    return NULL;
}

static struct error *put(const char *what, char **paths) {
    if (strcmp(what, "text") == 0)
        return put_texts(paths);
    struct models *models = models_new();
    CLEANUP_FREE struct model_table *table = NULL;
    struct error *err = NULL;
    for (; *paths && !err; paths++)
        err = models_parse_file(models, *paths);
    if (!err)
        err = models_compile(models, &table);
    if (!err && strcmp(what, "table") == 0)
        put_table(table);
    if (!err && strcmp(what, "binary") == 0)
        fwrite(table, 1, table->size, stdout);
    if (!err && (strcmp(what, "check") == 0 || strcmp(what, "names") == 0)) {
        CLEANUP_FREE char *text =
            strcmp(what, "check") == 0 ? models_print_c(models) : models_print_names(models);
        fputs(text, stdout);
    }
    models_free(models);
    return err;
}

int main(int argc, char **argv) {
    static const char *const known[] = {"table", "text", "binary", "check", "names"};
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known && argc >= 3; i++)
        is_known |= strcmp(argv[1], known[i]) == 0;
    if (!is_known) {
        fprintf(stderr, "usage: recut-models table|text|binary|check|names FILE...\n");
        return ERROR_USAGE;
    }
    struct error *err = put(argv[1], argv + 2);
    if (!err && fflush(stdout) != 0)
        err = error_errno("recut-models");
    if (!err)
        return 0;
    fprintf(stderr, "%s\n", err->message);
    int code = (int)err->code;
    error_free(err);
    return code;
}
