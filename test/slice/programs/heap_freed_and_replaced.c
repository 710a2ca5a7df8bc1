/* The first piece of memory is freed and another one takes its place: only the second matters. */
#include <stdio.h>
#include <stdlib.h>

struct message {
    int length;
    int urgent;
};

int main(int argc, char **argv) {
    (void)argv;
    struct message *old = malloc(sizeof *old);      /* drop */
    old->length = argc + 1;                         /* drop */
    old->urgent = argc + 2;                         /* drop */
    printf("%d %d\n", old->length, old->urgent);    /* drop */
    free(old);                                      /* drop */
    struct message *fresh = malloc(sizeof *fresh);  /* keep */
    fresh->length = argc + 3;                       /* keep */
    fresh->urgent = argc + 4;                       /* drop */
    int x = fresh->length;                          /* keep */
    printf("%d\n", fresh->urgent);                  /* drop */
    printf("slice: %d\n", x);                       /* slice: x */
    free(fresh);                                    /* drop */
    return 0;
}
