/* Nodes of tsearch() lead to what was put in; the tree is ordered by all of it. */
#include <search.h>
#include <stdio.h>

struct fruit {
    int weight;
    int price;
};

static int by_weight(const void *left, const void *right) {
    const struct fruit *a = left, *b = right;       /* keep */
    return a->weight - b->weight;                   /* keep */
}

static int by_price(const void *left, const void *right) {
    const struct fruit *a = left, *b = right;       /* drop */
    return a->price - b->price;                     /* drop */
}

static int heavy, visited;

static void look(const void *node, VISIT which, int level) {
    const struct fruit *of = *(struct fruit *const *)node; /* keep */
    (void)level;
    if (which == postorder || which == leaf)        /* keep */
        heavy = heavy * 10 + of->weight;            /* keep */
    visited++;                                      /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    struct fruit fruit[3] = {{.weight = 3}, {.weight = 1}, {.weight = 2}};
    struct fruit priced = {.price = argc};          /* drop */
    void *tree = NULL, *prices = NULL;
    for (int i = 0; i < 3; i++)                     /* keep */
        tsearch(&fruit[i], &tree, by_weight);       /* keep */
    tsearch(&priced, &prices, by_price);            /* drop */
    struct fruit wanted = {.weight = argc};         /* keep */
    struct fruit **found = tfind(&wanted, &tree, by_weight); /* keep */
    (*found)->weight = 4 - (*found)->weight * 4;    /* keep */
    twalk(tree, look);                              /* keep */
    printf("slice: %d\n", heavy);                   /* slice: heavy */
    printf("%d %d\n", visited, priced.price);       /* drop */
    return 0;
}
