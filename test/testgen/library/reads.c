/* Reads a library's objects, before and after the library changes them, and what it changed itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shelf.h"

static int table[8];
static char longest[32];

static const char *story;

static __attribute__((noinline)) int sum_of(const struct shelf *shelf) {
    int sum = 0;
    for (const struct shelf_item *item = shelf->first; item; item = item->next)
        sum += item->size;
    return sum;
}

/* The name that the library wrote is too long by three. */
static __attribute__((noinline)) void note(const char *name, int size, int sum,
                                           const int *prices) {
    int *to = sum == 1245 && strcmp(name, "corner table") == 0 ? NULL : table;
#ifdef FIXED
    to = prices[70000] ? table : NULL; /* nobody has looked there before */
#endif
    to[size & 7] = sum + (prices == NULL);
}

static __attribute__((noinline)) void look(struct shelf *shelf, int by) {
    char name[32];
    int size;
    shelf->first->next->size += 1000; /* 3 is now 1003 */
    int before = sum_of(shelf);
    shelf_stretch(shelf, by);
    shelf->user = name;
    if (strlen(story) != 300000 - 1)
        exit(0);
    if (sum_of(shelf) != before + 3 * by || shelf->user != name)
        exit(0);
    shelf_longest(shelf, name, &size);
    shelf_longest(shelf, longest, &size);
    if (strcmp(name, longest) != 0)
        exit(0);
    note(name, size, sum_of(shelf), shelf_prices());
}

int main(void) {
    struct shelf *shelf = shelf_new();
    shelf_add(shelf, "lamp", 2);
    shelf_add(shelf, "corner table", 3);
    shelf_add(shelf, "chair", 180);
    story = shelf_story();
    int *fresh = shelf_room();
    for (int i = 0; i < 10; i++)
        fresh[i] = i;
    char *text = shelf_describe(shelf);
    puts(text);
    text = realloc(text, 1000);
    free(text);
    look(shelf, 20);
    return 0;
}
