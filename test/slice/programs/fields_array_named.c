/* An array that is a field: what goes by its name, wherever that happens, leaves the other fields alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    int id;
    char name[16];
    int level;
    short map[8];
    long total;
};

static struct record first;

static void fill(short *map, int with) {
    for (int i = 0; i < 8; i++)
        map[i] = with;                                   /* drop */
}

static void put(char *to, const char *from) {
    while ((*to++ = *from++))                            /* drop */
        ;
}

static void backwards(char *from, char *to) {
    while (to > from)
        *--to = 'x';                                     /* drop */
}

int main(int argc, char **argv) {
    struct record *record = malloc(sizeof *record), local;
    record->id = argc + 10;                              /* keep */
    record->level = argc + 11;                           /* drop */
    record->total = argc + 12;                           /* keep */
    strcpy(record->name, argv[0]);                       /* drop */
    put(record->name, argv[0]);                          /* drop */
    fill(record->map, argc);                             /* drop */
    local.id = argc + 20;                                /* keep */
    local.level = argc + 21;                             /* drop */
    snprintf(local.name, sizeof local.name, "%d", argc); /* drop */
    backwards(local.name, local.name + 16);              /* drop */
    first.id = argc + 30;                                /* keep */
    put(first.name, "one");                              /* drop */
    memset(first.map, argc, sizeof first.map);           /* drop */
    long sum = record->id + record->total + local.id + first.id; /* keep */
    printf("slice: %ld\n", sum);                         /* slice: sum */
    printf("%d %s %d\n", record->level, local.name, first.map[0] + record->map[1]); /* drop */
    return 0;
}
