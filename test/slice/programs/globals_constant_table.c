/* A value is looked up in a constant table; a second table beside it does not matter. */
#include <stdio.h>

static const int weights[4] = {31, 41, 59, 26};  /* keep */
static const int prices[4] = {27, 18, 28, 18};   /* drop */

static int weight_of(int kind) {
    return weights[kind % 4];                    /* keep */
}

static int price_of(int kind) {
    return prices[kind % 4];                     /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int kind = argc + 2;                         /* keep */
    int price = price_of(kind);                  /* drop */
    int weight = weight_of(kind);                /* keep */
    price = price + weight;                      /* drop */
    int x = weight * 2;                          /* keep */
    printf("%d\n", price);                       /* drop */
    printf("slice: %d\n", x);                    /* slice: x */
    return 0;
}
