/* See shelf.h.  Where its objects lie, and what it says of sizes, is different in every run. */
#include "shelf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct shelf *shelf_new(void) { return calloc(1, sizeof(struct shelf)); }

void shelf_add(struct shelf *shelf, const char *name, int size) {
    struct shelf_item *item = calloc(1, sizeof *item);
    snprintf(item->name, sizeof item->name, "%s", name);
    item->size = size;
    item->next = shelf->first;
    shelf->first = item;
    shelf->count++;
}

void shelf_stretch(struct shelf *shelf, int by) {
    for (struct shelf_item *item = shelf->first; item; item = item->next)
        item->size += by;
}

void shelf_longest(const struct shelf *shelf, char *name, int *ret_size) {
    *ret_size = 0;
    for (struct shelf_item *item = shelf->first; item; item = item->next)
        if ((int)strlen(item->name) > *ret_size) {
            *ret_size = (int)strlen(item->name);
            strcpy(name, item->name);
        }
}

void *shelf_room(void) { return (char *)malloc(100000) + 50000; }

const int *shelf_prices(void) {
    static int prices[100000];
    prices[70000] = 4;
    return prices;
}

const char *shelf_story(void) {
    char *text = malloc(300000);
    memset(text, 'a', 300000 - 1);
    text[300000 - 1] = 0;
    return text;
}

char *shelf_describe(const struct shelf *shelf) {
    char *text = malloc(100);
    snprintf(text, 100, "%d things of process %d", shelf->count, (int)getpid());
    return text;
}

int shelf_each(struct shelf *shelf, shelf_visit *visit, void *user) {
    int sum = 0;
    for (struct shelf_item *item = shelf->first; item; item = item->next)
        sum += visit(item, user);
    return sum;
}

int shelf_mode = 1;

int shelf_switch(void) { return ++shelf_mode; }
