/* A large struct goes in by value and comes back as the result: only its width matters. */
#include <stdio.h>

struct box {
    long width;
    long height;
    long depth;
    long weight;
};

static struct box grown(struct box in, long by) {
    struct box out;
    out.width = in.width + by;                                         /* keep */
    out.height = in.height * by;                                       /* drop */
    out.depth = in.depth;                                              /* drop */
    out.weight = in.weight + in.height;                                /* drop */
    in.width = by * 100;                                               /* drop */
    return out;
}

int main(int argc, char **argv) {
    (void)argv;
    long by = argc + 6;                                                /* keep */
    struct box small;
    small.width = argc + 1;                                            /* keep */
    small.height = argc + 2;                                           /* drop */
    small.depth = argc + 3;                                            /* drop */
    small.weight = argc + 4;                                           /* drop */
    struct box large = grown(small, by);                               /* keep */
    long result = large.width;                                         /* keep */
    printf("%ld %ld %ld\n", large.height, large.depth, large.weight);  /* drop */
    printf("slice: %ld\n", result);                                    /* slice: result */
    return 0;
}
