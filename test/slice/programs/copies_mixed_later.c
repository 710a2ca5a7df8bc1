/* Lists that one function makes are told apart until somebody appends one to the other. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *list, int value) {
    struct node *made = malloc(sizeof *made); /* keep */
    made->next = list;                        /* keep */
    made->value = value;                      /* keep */
    return made;                              /* keep */
}

static void append(struct node *list, struct node *more) {
    while (list->next)                        /* keep */
        list = list->next;                    /* keep */
    list->next = more;                        /* keep */
}

static int sum(const struct node *list) {
    int all = 0;                              /* keep */
    for (; list; list = list->next)           /* keep */
        all += list->value;                   /* keep */
    return all;                               /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    struct node *a = push(NULL, argc);        /* keep */
    struct node *b = push(NULL, argc + 1);    /* keep */
    struct node *c = push(NULL, argc + 2);    /* drop */
    append(a, b);                             /* keep */
    int x = sum(a);                           /* keep */
    int y = sum(c);                           /* drop */
    printf("slice: %d\n", x);                 /* slice: x */
    printf("%d\n", y);                        /* drop */
    return 0;
}
