/* A walk over the bytes of a struct reads all its fields. */
#include <stdio.h>
#include <stddef.h>

struct pair {
    unsigned int first;
    unsigned int second;
};

int main(int argc, char **argv) {
    (void)argv;
    struct pair seen;
    struct pair unseen;
    seen.first = (unsigned int)argc + 258u;                    /* keep */
    seen.second = (unsigned int)argc + 3u;                     /* keep */
    unseen.first = (unsigned int)argc + 4u;                    /* drop */
    unseen.second = seen.first;                                /* drop */
    const unsigned char *byte = (const unsigned char *)&seen;  /* keep */
    unsigned int sum = 0;                                      /* keep */
    for (size_t i = 0; i < sizeof seen; i++) {                 /* keep */
        sum = sum * 2u + *byte;                                /* keep */
        byte = byte + 1;                                       /* keep */
    }
    printf("%u %u\n", unseen.first, unseen.second);            /* drop */
    printf("slice: %u\n", sum);                                /* slice: sum */
    return 0;
}
