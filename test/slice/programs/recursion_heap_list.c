/* A recursive function sums a list on the heap: the weights of the nodes do not matter. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    int weight;
    struct node *next;
};

static int sum(const struct node *node) {
    if (node == NULL)                                /* keep */
        return 0;                                    /* keep */
    return node->value + sum(node->next);            /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    struct node *head = NULL;                        /* keep */
    for (int i = 0; i < argc + 3; i++) {             /* keep */
        struct node *fresh = malloc(sizeof *fresh);  /* keep */
        fresh->value = argc + i;                     /* keep */
        fresh->weight = argc * i;                    /* drop */
        fresh->next = head;                          /* keep */
        head = fresh;                                /* keep */
    }
    int total = sum(head);                           /* keep */
    int weight = head->weight;                       /* drop */
    printf("%d\n", weight);                          /* drop */
    printf("slice: %d\n", total);                    /* slice: total */
    return 0;
}
