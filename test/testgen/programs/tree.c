/* A tree whose nodes know their parents: structures in circles. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *parent, *left, *right;
    int key;
    union {
        long number;
        double real;
    } value;
};

static __attribute__((noinline)) struct node *insert(struct node *parent, struct node **at,
                                                     int key) {
    if (!*at) {
        *at = calloc(1, sizeof **at);
        (*at)->parent = parent;
        (*at)->key = key;
        (*at)->value.number = 10L * key;
        return *at;
    }
    return insert(*at, key < (*at)->key ? &(*at)->left : &(*at)->right, key);
}

static __attribute__((noinline)) long depth(const struct node *node) {
    long deep = 0;
    for (; node->parent; node = node->parent)
        deep++;
    return deep;
}

/* The next one in order; the last has none. */
static __attribute__((noinline)) struct node *next(struct node *node) {
    if (node->right) {
        for (node = node->right; node->left;)
            node = node->left;
        return node;
    }
#ifdef FIXED
    while (node->parent && node->parent->right == node)
#else
    while (node->parent->right == node)
#endif
        node = node->parent;
    return node->parent;
}

static __attribute__((noinline)) long walk(struct node *root) {
    long sum = 0;
    struct node *node = root;
    while (node->left)
        node = node->left;
    for (; node; node = next(node))
        sum += node->value.number + depth(node);
    return sum;
}

int main(void) {
    static const int keys[] = {50, 20, 70, 10, 30, 60, 80};
    struct node *root = NULL;
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        insert(NULL, &root, keys[i]);
    printf("%ld\n", walk(root));
    return 0;
}
