/* A linked list, with names and functions in its members: nothing of a name is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_NUT, KIND_BOLT = 5 };
struct item {
    struct item *next;
    char *name;
    int count;
    enum kind kind;
    double price;
    void (*print)(const struct item *);
};
static struct {
    struct item *first;
    char title[16];
} shop = {.title = "corner"};

static void print(const struct item *item) { printf("%s %d\n", item->name, item->count); }

static __attribute__((noinline)) struct item *find(const char *name) {
    struct item *item = shop.first;
    while (item && strcmp(item->name, name) != 0)
        item = item->next;
    return item;
}

static __attribute__((noinline)) int sell(const char *name, int count) {
    struct item *item = find(name);
#ifdef FIXED
    if (!item)
        return 0;
#endif
    item->print(item);
    item->count -= count;
    return item->count;
}

static __attribute__((noinline)) void add(const char *name, int count) {
    struct item *item = malloc(sizeof *item);
    *item = (struct item){shop.first,  strdup(name), count, count > 3 ? KIND_BOLT : KIND_NUT,
                          count * 1.5, print};
    shop.first = item;
}

int main(void) {
    char line[100], name[32];
    int count;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "add %31s %d", name, &count) == 2)
            add(name, count);
        else if (sscanf(line, "sell %31s %d", name, &count) == 2)
            printf("%d left\n", sell(name, count));
    }
    return 0;
}
