/* The members of a union share their bytes: writing one changes what the other reads. */
#include <stdio.h>

union word {
    unsigned int whole;
    unsigned char bytes[4];
};

int main(int argc, char **argv) {
    (void)argv;
    union word shared;
    union word apart;
    unsigned int start = (unsigned int)argc + 1000u;  /* keep */
    unsigned char patch = (unsigned char)(argc + 7);  /* keep */
    shared.whole = start;                             /* keep */
    apart.whole = start * 2u;                         /* drop */
    shared.bytes[argc % 4] = patch;                   /* keep */
    apart.bytes[argc % 4] = patch;                    /* drop */
    unsigned int result = shared.whole;               /* keep */
    printf("%u\n", apart.whole);                      /* drop */
    printf("slice: %u\n", result);                    /* slice: result */
    return 0;
}
