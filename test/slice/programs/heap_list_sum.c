/* A list is built and summed: the labels of the nodes and the node count do not matter. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    int label;
    struct node *next;
};

static struct node *push(struct node *head, int value, int label) {
    struct node *fresh = malloc(sizeof *fresh);              /* keep */
    fresh->value = value;                                    /* keep */
    fresh->label = label;                                    /* drop */
    fresh->next = head;                                      /* keep */
    return fresh;                                            /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    struct node *head = NULL;                                /* keep */
    int length = argc - 1;                                   /* drop */
    for (int i = 0; i < 5; i++) {                            /* keep */
        head = push(head, argc + i, argc * i);               /* keep */
        length = length + 1;                                 /* drop */
    }
    int total = argc;                                        /* keep */
    for (struct node *at = head; at != NULL; at = at->next)  /* keep */
        total = total + at->value;                           /* keep */
    printf("%d %d\n", length, head->label);                  /* drop */
    printf("slice: %d\n", total);                            /* slice: total */
    return 0;
}
