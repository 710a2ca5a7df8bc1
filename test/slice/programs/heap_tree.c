/* A search tree is built and folded in order of its shape: the tags of the nodes do not matter. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    int tag;
    struct node *left;
    struct node *right;
};

static struct node *insert(struct node *root, int key) {
    if (root == NULL) {                                           /* keep */
        struct node *fresh = calloc(1, sizeof *fresh);            /* keep */
        fresh->key = key;                                         /* keep */
        fresh->tag = key * 7;                                     /* drop */
        return fresh;                                             /* keep */
    }
    if (key < root->key)                                          /* keep */
        root->left = insert(root->left, key);                     /* keep */
    else
        root->right = insert(root->right, key);                   /* keep */
    return root;                                                  /* keep */
}

static int fold(const struct node *root) {
    if (root == NULL)                                             /* keep */
        return 1;                                                 /* keep */
    return 3 * fold(root->left) + root->key + fold(root->right);  /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    struct node *root = NULL;                                     /* keep */
    for (int i = 0; i < 5; i++)                                   /* keep */
        root = insert(root, (i * 3 + argc) % 5);                  /* keep */
    int x = fold(root);                                           /* keep */
    int tag = root->tag;                                          /* drop */
    printf("%d\n", tag);                                          /* drop */
    printf("slice: %d\n", x);                                     /* slice: x */
    return 0;
}
