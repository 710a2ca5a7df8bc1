/* Two pointers to one variable: what is written through one is read through the other. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int shared;
    int apart;
    int *writer = &shared;            /* keep */
    int *reader = &shared;            /* keep */
    int *stranger = &apart;           /* drop */
    int a = argc + 8;                 /* keep */
    *writer = a;                      /* keep */
    *stranger = argc + 9;             /* drop */
    *writer = *reader + argc;         /* keep */
    *stranger = *stranger + *reader;  /* drop */
    int x = *reader;                  /* keep */
    printf("%d\n", apart);            /* drop */
    printf("slice: %d\n", x);         /* slice: x */
    return 0;
}
