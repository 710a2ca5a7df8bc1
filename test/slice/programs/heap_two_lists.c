/* Two lists of one type from two allocation sites are apart. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(int argc, char **argv) {
    (void)argv;
    struct node *wanted = NULL;                                  /* keep */
    struct node *unwanted = NULL;                                /* drop */
    for (int i = 0; i < 3; i++) {                                /* keep */
        struct node *one = malloc(sizeof *one);                  /* keep */
        one->value = argc + i;                                   /* keep */
        one->next = wanted;                                      /* keep */
        wanted = one;                                            /* keep */
        struct node *two = malloc(sizeof *two);                  /* drop */
        two->value = argc * i;                                   /* drop */
        two->next = unwanted;                                    /* drop */
        unwanted = two;                                          /* drop */
    }
    int total = argc;                                            /* keep */
    for (struct node *at = wanted; at != NULL; at = at->next)    /* keep */
        total = total + at->value;                               /* keep */
    int other = argc;                                            /* drop */
    for (struct node *at = unwanted; at != NULL; at = at->next)  /* drop */
        other = other + at->value;                               /* drop */
    printf("%d\n", other);                                       /* drop */
    printf("slice: %d\n", total);                                /* slice: total */
    return 0;
}
