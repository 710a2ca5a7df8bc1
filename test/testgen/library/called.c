/* A library calls the program, which crashes there, and asks for other things in between. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shelf.h"

struct bill {
    int total;
    struct bill *next;
    time_t begun;
};

static __attribute__((noinline)) int charge(struct bill *bill, int amount) {
#ifdef FIXED
    if (!bill)
        return 0;
#endif
    bill->total += amount;
    return bill->total;
}

static int price(struct shelf_item *item, void *user) {
    struct bill *bill = user;
    if (time(NULL) < bill->begun)
        return 0;
    item->size *= 2;
    return charge(item->size == 360 ? bill->next : bill, item->size);
}

static int count(struct shelf_item *item, void *user) {
    ++*(int *)user;
    return strcmp(item->name, "lamp") == 0;
}

static __attribute__((noinline)) int pay(struct shelf *shelf) {
#ifdef FIXED
    char more[100] = "moves what is on the stack";
    puts(more);
#endif
    struct bill bill = {.total = 0, .begun = time(NULL) - 10};
    int seen = 0;
    if (shelf_each(shelf, count, &seen) != 1 || seen != 3)
        exit(0);
    return shelf_each(shelf, price, &bill);
}

int main(void) {
    struct shelf *shelf = shelf_new();
    shelf_add(shelf, "chair", 180);
    shelf_add(shelf, "lamp", 2);
    shelf_add(shelf, "table", 3);
    return pay(shelf) == 0;
}
