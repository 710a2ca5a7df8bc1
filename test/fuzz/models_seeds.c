/* models_seeds DIRECTORY FILE...: writes the corpus of models_fuzz: each item of
 * the model files as a text, and tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "models/models.h"

static const char *directory;
static unsigned serial;

static void put(unsigned char how, const void *data, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/seed-%04u", directory, serial++);
    FILE *file = fopen(path, "wb");
    if (!file || fputc(how, file) == EOF || fwrite(data, 1, size, file) != size ||
        fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

static void put_table(const char *text) {
    struct models *models = models_new();
    struct model_table *table;
    struct error *err = models_parse(models, "seed", text, strlen(text));
    if (!err)
        err = models_compile(models, &table);
    if (err) {
        fprintf(stderr, "%s\n", err->message);
        exit(1);
    }
    size_t size = table->size;
    put(2, table, size);
    put(2, table, size / 2);
    for (size_t at = 0; at < size; at += 4) { /* each number damaged */
        uint8_t *byte = (uint8_t *)table + at;
        byte[0] ^= 1;
        put(3, table, size);
        byte[0] ^= 1;
        byte[3] ^= 0x80;
        put(3, table, size);
        byte[3] ^= 0x80;
    }
    free(table);
    models_free(models);
}

/* Types first, so that most items are right by themselves. */
static void put_items(const char *path) {
    static const char types[] = "typedef unsigned long size_t;typedef long ssize_t;"
                                "typedef struct f FILE:handle;type struct stat 144;";
    char *text;
    size_t size;
    struct error *err = io_read_file(path, &text, &size);
    if (err) {
        fprintf(stderr, "%s\n", err->message);
        exit(1);
    }
    char *item = text, *end;
    for (unsigned n = 0; (end = strstr(item, ";\n")); item = end + 2, n++) {
        if (n % 7 != 0) /* a sample of them */
            continue;
        char *seed;
        int length = asprintf(&seed, "%s%.*s", types, (int)(end + 1 - item), item);
        put(0, seed, (size_t)length);
        free(seed);
    }
    free(text);
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    directory = argv[1];
    put(0, "", 0);
    put(2, "", 0);
    for (int i = 2; i < argc; i++)
        put_items(argv[i]);
    put_table("");
    put_table("type struct list 24 { name 0 string; data 8 bytes[size 20]; next 8 struct list; };"
              "type struct box 16 sized by length 2 { list 8 struct list; };"
              "struct box *a(int n, char *s: out[n * 4 max n + 8]) returns static;"
              "int b(struct list **list: out pointer, struct box *b: out object);"
              "char *c(char *s: inout string, int (*f)(int), char **e: out)"
              " returns in s, calls f with s and e, stores s in e;"
              "double d(double x, double *y: out) forms f l;"
              "refused int e(int fd, ..., long a) closes, because \"no\" also g, h;");
    return 0;
}
