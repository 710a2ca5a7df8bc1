/* Two bit fields in one unit: writing the second keeps the first; the plain field after them is apart. */
#include <stdio.h>

struct flags {
    unsigned int low : 4;
    unsigned int high : 4;
    int plain;
};

int main(int argc, char **argv) {
    (void)argv;
    struct flags flags;
    flags.low = 0;
    flags.high = 0;
    unsigned int start = (unsigned int)argc + 4u;  /* keep */
    unsigned int other = (unsigned int)argc + 6u;
    flags.low = start & 15u;                       /* keep */
    flags.plain = argc + 99;                       /* drop */
    flags.high = other & 15u;
    unsigned int result = flags.low;               /* keep */
    printf("%d\n", flags.plain);                   /* drop */
    printf("slice: %u\n", result);                 /* slice: result */
    return 0;
}
