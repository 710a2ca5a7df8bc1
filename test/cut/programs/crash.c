/* A list with a bad pointer, which one function makes and another one follows. */
#include <stdio.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};
static struct item *items;

__attribute__((noinline)) void push(int value) {
    struct item *item = malloc(sizeof *item);
    item->value = value;
    item->next = value == 3 ? (struct item *)8 : items;
    items = item;
}

__attribute__((noinline)) int total(void) {
    int sum = 0;
    for (struct item *i = items; i; i = i->next)
        sum += i->value;
    return sum;
}

__attribute__((noinline)) void unrelated(void) { puts("nothing to do with it"); }

int main(void) {
    unrelated();
    for (int i = 0; i < 5; i++)
        push(i);
    return total();
}
