/* A block that ends with two calls of destructors: both are named in what stays. */
#include <stdio.h>
static int noise;
static void first(double *at) { noise += (int)*at; }
static void second(char *at) { noise += *at; }
int main(int argc, char **argv) {
    (void)argv;
    int turns = 0;
again:
    if (turns < argc) {
        __attribute__((cleanup(second))) char letter = 'f';
        __attribute__((cleanup(first))) double number = 2.5;
        turns++;
        goto again;
    }
    printf("slice: %d\n", turns); /* slice */
    return noise;
}
