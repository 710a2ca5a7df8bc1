/* A queue on the heap: its length is kept up to date but never asked for. */
#include <stdio.h>
#include <stdlib.h>

struct item {
    int value;
    struct item *next;
};

static struct item *head;
static struct item *tail;
static int length;

static void push(int value) {
    struct item *fresh = malloc(sizeof *fresh);  /* keep */
    fresh->value = value;                        /* keep */
    fresh->next = NULL;                          /* keep */
    if (tail != NULL)                            /* keep */
        tail->next = fresh;                      /* keep */
    else
        head = fresh;                            /* keep */
    tail = fresh;                                /* keep */
    length = length + 1;                         /* drop */
}

static int pop(void) {
    struct item *first = head;                   /* keep */
    if (first == NULL)                           /* keep */
        return -1;                               /* keep */
    int value = first->value;                    /* keep */
    head = first->next;                          /* keep */
    if (head == NULL)                            /* keep */
        tail = NULL;                             /* keep */
    length = length - 1;                         /* drop */
    return value;                                /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    for (int i = 0; i < argc + 1; i++)           /* keep */
        push(argc + i);                          /* keep */
    for (int i = 0; i < argc * 2 - 1; i++)       /* keep */
        pop();                                   /* keep */
    push(argc + 9);                              /* keep */
    int x = pop();                               /* keep */
    printf("%d\n", length);                      /* drop */
    printf("slice: %d\n", x);                    /* slice: x */
    return 0;
}
