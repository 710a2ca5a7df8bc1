/* Numbers of less than a word, in registers and on the stack, wide vectors, and a frame whose size
 * only the run knows. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef float wide __attribute__((vector_size(32)));

struct small {
    unsigned short low, high;
};

__attribute__((noinline)) int inner(signed char a, short b, unsigned char c, bool d, int e,
                                    unsigned f, short g, signed char h, bool i, unsigned short j,
                                    struct small k, const int *volatile table) {
    int sum = a + b + c + d + e + (int)f + g + h + i + j + k.low + k.high;
#ifdef FIXED
    if (!table)
        return sum;
#endif
    return sum == 64928 ? table[sum] : sum;
}

__attribute__((noinline)) int outer(const wide *v, const wide *w, int n, short small,
                                    bool negative) {
    int sizes[n];
    wide sum = *v * *w + *v;
    memset(sizes, negative ? -1 : 1, sizeof sizes);
    float total = 0;
    for (int i = 0; i < 8; i++)
        total += sum[i];
    printf("%d\n", sizes[n - 1]);
    return inner(-1, small, 200, negative, -70000, 70000, -300, -2, !negative, 65535,
                 (struct small){3, (unsigned short)total}, NULL);
}

int main(int argc, char **argv) {
    (void)argv;
    wide v = {1, 2, 3, 4, 5, 6, 7, 8}, w = {0, 1, 0, 1, 0, 1, 0, (float)argc};
    printf("%d\n", outer(&v, &w, argc + 4, -564, argc == 1));
    return 0;
}
