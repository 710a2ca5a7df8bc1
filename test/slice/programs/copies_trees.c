/* Two trees, by functions that call themselves. */
#include <stdio.h>
#include <stdlib.h>

struct tree {
    struct tree *left, *right;
    int key;
};

static struct tree *add(struct tree *t, int key) {
    if (!t) {                          /* keep */
        t = calloc(1, sizeof *t);      /* keep */
        t->key = key;                  /* keep */
    } else if (key < t->key)           /* keep */
        t->left = add(t->left, key);   /* keep */
    else
        t->right = add(t->right, key); /* keep */
    return t;                          /* keep */
}

static int sum(const struct tree *t) {
    if (!t)                            /* keep */
        return 0;                      /* keep */
    return sum(t->left) + t->key + sum(t->right); /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    struct tree *a = NULL, *b = NULL;
    for (int i = 0; i < argc; i++)     /* keep */
        a = add(a, i);                 /* keep */
    for (int i = argc; i > 0; i--)     /* drop */
        b = add(b, 2 * i);             /* drop */
    int x = sum(a);                    /* keep */
    int y = sum(b);                    /* drop */
    printf("slice: %d\n", x);          /* slice: x */
    printf("%d\n", y);                 /* drop */
    return 0;
}
