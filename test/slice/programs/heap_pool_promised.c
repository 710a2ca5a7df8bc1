/*
 * A pool whose allocator is declared as malloc() is: what it writes into a block, in front of it, and
 * into freed ones, is read by others all the same.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECES = 4, SIZE = 4 };
struct piece {
    long size;
    int next;
    int data[SIZE];
};
static struct piece *pieces;
static int first_free = -1, used;

__attribute__((malloc, noinline)) static void *pool_allocate(int value) {
    if (pieces == NULL)                                  /* keep */
        pieces = calloc(PIECES, sizeof *pieces);         /* keep */
    int at = first_free;                                 /* keep */
    if (at >= 0)                                         /* keep */
        first_free = pieces[at].next;                    /* keep */
    else
        at = used++;                                     /* keep */
    struct piece *piece = &pieces[at % PIECES];          /* keep */
    piece->size = SIZE;                                  /* keep */
    for (int i = 0; i < SIZE; i++)                       /* keep */
        piece->data[i] = value;                          /* keep */
    return piece->data;                                  /* keep */
}

static struct piece *piece_of(void *block) {
    return (struct piece *)((char *)block - offsetof(struct piece, data)); /* keep */
}

static void pool_free(void *block) {
    struct piece *piece = piece_of(block);               /* keep */
    piece->next = first_free;                            /* keep */
    first_free = (int)(piece - pieces);                  /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int *first = pool_allocate(argc + 1);                /* keep */
    int *second = pool_allocate(argc + 2);               /* keep */
    first[0] += argc;
    pool_free(first);                                    /* keep */
    pool_free(second);                                   /* keep */
    int *third = pool_allocate(argc + 3);                /* keep */
    int *fourth = pool_allocate(argc + 4);               /* keep */
    third[1] += 5;                                       /* keep */
    long x = third[0] + third[1] + piece_of(fourth)->size + (third == second); /* keep */
    printf("slice: %ld\n", x);                           /* slice: x */
    return 0;
}
