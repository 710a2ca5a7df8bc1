/* The value goes into one field of a struct through a pointer: the other field is not touched. */
/* options: --forward */
#include <stdio.h>

struct pair {
    int left;
    int right;
};

static void fill(struct pair *pair, int left, int right) {
    pair->left = left;         /* keep */
    pair->right = right;       /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    struct pair pair;
    int a = argc + 1;          /* slice */
    int b = argc + 2;          /* drop */
    fill(&pair, a, b);         /* keep */
    struct pair copy = pair;   /* keep */
    int x = copy.left;         /* keep */
    int y = copy.right;        /* drop */
    printf("%d\n", y);         /* drop */
    printf("slice: %d\n", x);  /* keep */
    return 0;
}
