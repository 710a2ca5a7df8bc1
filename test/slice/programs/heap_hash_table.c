/* A hash table with chains: every insertion can matter for a lookup, the statistics do not. */
#include <stdio.h>
#include <stdlib.h>

struct entry {
    int key;
    int value;
    struct entry *next;
};

static struct entry *buckets[4];
static int inserted;

static void put(int key, int value) {
    struct entry *fresh = malloc(sizeof *fresh);                          /* keep */
    int slot = key % 4;                                                   /* keep */
    fresh->key = key;                                                     /* keep */
    fresh->value = value;                                                 /* keep */
    fresh->next = buckets[slot];                                          /* keep */
    buckets[slot] = fresh;                                                /* keep */
    inserted = inserted + 1;                                              /* drop */
}

static int get(int key) {
    for (struct entry *at = buckets[key % 4]; at != NULL; at = at->next)  /* keep */
        if (at->key == key)                                               /* keep */
            return at->value;                                             /* keep */
    return -1;                                                            /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int key = argc + 1;                                                   /* keep */
    put(key, argc * 10);                                                  /* keep */
    put(argc * 2, argc * 20);                                             /* keep */
    int y = get(argc + 5);                                                /* drop */
    int x = get(key);                                                     /* keep */
    put(argc + 9, argc * 30);                                             /* drop */
    printf("%d %d\n", inserted, y);                                       /* drop */
    printf("slice: %d\n", x);                                             /* slice: x */
    return 0;
}
