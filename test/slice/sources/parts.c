/* A statement that stays runs as a whole: what only the rest of it needs must be there, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    struct list *next;
    int value;
};

struct input {
    char *line;
    size_t size;
};

static int noise;

/* A function that cannot be cut out. */
#define PEEK(name)                                                                                 \
    static int name(const struct list *list) { return list->next->value; }
PEEK(peek)

static int put(int *where, int value) {
    *where = value * 2;
    return value;
}

static int length(const struct list *list, const char *name) {
    int n = 0;
    for (; list; list = list->next)
        n++, noise += (int)strlen(name);
    return n;
}

int main(int argc, char **argv) {
    (void)argv;
    int *unused = malloc(sizeof *unused);
    struct list *list = NULL;
    for (int i = 0; i < 4; i++) {
        struct list *more = malloc(sizeof *more);
        more->next = list;
        more->value = i;
        list = more;
    }
    char *name = malloc(20);
    strcpy(name, "some name");
    int x = (*unused = 4, argc);
    int y = length(list, name), z = (int)strlen(name);
    x += put(unused, 3) + (noise += list->next->value, 0);
    struct list *last = list;
    while (last->next)
        last = last->next, noise += *unused;
    printf("%s\n", name), x++;
    struct input *input = malloc(sizeof *input);
    input->line = NULL;
    input->size = 0;
    getline(&input->line, &input->size, stdin), x++;
    struct list *first = malloc(sizeof *first);
    first->next = malloc(sizeof *first);
    first->next->value = 3;
    peek(first), x++;
    printf("slice: %d %d\n", x, y); /* slice */
    printf("%d %d\n", noise, z);
    return 0;
}
