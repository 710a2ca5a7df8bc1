/* Two lists that are gone through by one variable. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(int argc, char **argv) {
    (void)argv;
    struct node *a = NULL, *b = NULL, *n;
    int x = 0, y = 0;
    for (int i = 0; i < argc; i++) {
        n = malloc(sizeof *n);        /* keep */
        n->next = a;                  /* keep */
        n->value = i;                 /* keep */
        a = n;                        /* keep */
    }
    for (int i = 0; i < argc; i++) {
        n = malloc(sizeof *n);        /* drop */
        n->next = b;                  /* drop */
        n->value = 2 * i;             /* drop */
        b = n;                        /* drop */
    }
    for (n = b; n; n = n->next) {     /* drop */
        y += n->value;                /* drop */
        n->value = 7;                 /* drop */
    }
    for (n = a; n; n = n->next)       /* keep */
        x += n->value;                /* keep */
    printf("slice: %d\n", x);         /* slice: x */
    printf("%d\n", y);                /* drop */
    return 0;
}
