/* Sorting and searching: order, stability, the shape of trees, tables, tokens. */
#define _GNU_SOURCE
#include <argz.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct large {
    int key, place;
    char rest[60];
};

static unsigned calls, trace_sum;

static int by_key(const void *a, const void *b) {
    const struct large *x = a, *y = b;
    calls++;
    trace_sum = trace_sum * 31 + (unsigned)(x->key * 3 + y->key);
    return x->key - y->key;
}
static int by_int(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    calls++;
    trace_sum = trace_sum * 31 + (unsigned)(x * 3 + y);
    return (x > y) - (x < y);
}
static int by_tens(const void *a, const void *b, void *argument) {
    ++*(int *)argument;
    return *(const int *)a / 10 - *(const int *)b / 10;
}

static unsigned seed = 42;
static int next_random(void) { return (int)((seed = seed * 1103515245u + 12345u) >> 16 & 0x7fff); }

static void sorting(int n) {
    int *numbers = malloc((size_t)n * sizeof *numbers);
    struct large *large = calloc((size_t)n, sizeof *large);
    for (int i = 0; i < n; i++) {
        numbers[i] = next_random() % 1000;
        large[i].key = next_random() % (n / 2 + 1);
        large[i].place = i;
        snprintf(large[i].rest, sizeof large[i].rest, "%d was here", i);
    }
    calls = trace_sum = 0;
    qsort(numbers, (size_t)n, sizeof *numbers, by_int);
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 17 + (unsigned)numbers[i];
    printf("%d numbers: %u after %u calls, %u\n", n, sum, calls, trace_sum);
    calls = trace_sum = 0;
    qsort(large, (size_t)n, sizeof *large, by_key);
    sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 17 + (unsigned)(large[i].place + large[i].rest[0]);
    printf("%d structures: %u after %u calls, %u\n", n, sum, calls, trace_sum);
    int count = 0;
    qsort_r(numbers, (size_t)n, sizeof *numbers, by_tens, &count);
    printf("by tens: %d calls\n", count);
    free(numbers);
    free(large);
}

static int depths[32];
static void visit(const void *node, VISIT when, int level) {
    if (when == preorder || when == leaf)
        printf("%d@%d ", **(int *const *)node, level);
    depths[level % 32]++;
}
static void visit_r(const void *node, VISIT when, void *argument) {
    if (when == postorder || when == leaf)
        *(int *)argument += **(int *const *)node;
}

static void trees(void) {
    void *root = NULL;
    static int keys[200];
    for (int i = 0; i < 200; i++) {
        keys[i] = next_random() % 150;
        int **found = tsearch(&keys[i], &root, by_int);
        if (*found != &keys[i])
            printf("again %d\n", **found);
    }
    twalk(root, visit);
    puts("");
    for (int i = 0; i < 60; i++) {
        int key = next_random() % 150;
        printf("%s", tfind(&key, &root, by_int) ? "+" : "-");
        printf("%s ", tdelete(&key, &root, by_int) ? "+" : "-");
    }
    puts("");
    twalk(root, visit);
    int sum = 0;
    twalk_r(root, visit_r, &sum);
    printf("\nsum %d\n", sum);
    for (int i = 0; i < 32; i++)
        printf("%d ", depths[i]);
    puts("");
    tdestroy(root, (void (*)(void *))puts == NULL ? free : (void (*)(void *))abs);
}

static void tables(void) {
    char names[40][8];
    printf("hcreate %d\n", hcreate(50));
    printf("again %d\n", hcreate(50));
    for (int i = 0; i < 40; i++) {
        snprintf(names[i], sizeof names[i], "n%d", i);
        ENTRY *made = hsearch((ENTRY){names[i], (void *)(long)(i * i)}, ENTER);
        if (!made)
            printf("no room for %d\n", i);
    }
    for (int i = 30; i < 50; i++) {
        char name[8];
        snprintf(name, sizeof name, "n%d", i);
        ENTRY *found = hsearch((ENTRY){name, NULL}, FIND);
        printf("%s %ld\n", name, found ? (long)found->data : -1);
    }
    hdestroy();
    struct hsearch_data table = {0};
    ENTRY *found;
    printf("hcreate_r %d\n", hcreate_r(2, &table));
    for (int i = 0; i < 6; i++)
        printf("%d ", hsearch_r((ENTRY){names[i], names[i]}, ENTER, &found, &table));
    printf("of %u, %u filled\n", table.size, table.filled);
    hdestroy_r(&table);
    int list[10] = {1, 2, 3};
    size_t n = 3;
    for (int i = 0; i < 5; i++)
        lsearch(&(int){i * 2}, list, &n, sizeof *list, by_int);
    printf("%zu in the list, %d\n", n, lfind(&(int){8}, list, &n, sizeof *list, by_int) != NULL);
    printf("%d\n", *(int *)bsearch(&(int){3}, list, 3, sizeof *list, by_int));
}

static void vectors(const char *text) {
    char *argz = NULL, *words[] = {"some", "", "words", NULL}, *entry = NULL;
    size_t length = 99;
    int result = argz_create_sep(text, ',', &argz, &length);
    printf("%d %zu:", result, length);
    while ((entry = argz_next(argz, length, entry)))
        printf(" <%s>", entry);
    free(argz);
    argz_create(words, &argz, &length);
    argz_stringify(argz, length, '+');
    printf(" %zu %s\n", length, argz);
    free(argz);
}

int main(void) {
    for (int n = 0; n < 5; n++)
        sorting(n);
    sorting(100);
    sorting(3000);
    trees();
    tables();
    char text[] = ",one,,two;three,";
    for (char *token = strtok(text, ",;"); token; token = strtok(NULL, ",;"))
        printf("<%s>", token);
    puts("");
    vectors(",,one,two,,three,");
    vectors("a,b");
    vectors(",,");
    vectors("");
    return 0;
}
