/* A loop without an end is left by what ends the program in a function that it calls. */
#include <stdio.h>
#include <stdlib.h>
static int total, noise;
static void step(int k) {
    noise++;
    total += k;
    if (total > 10)
        exit(0);
}
int main(int argc, char **argv) {
    (void)argv;
    int i = 0;
    for (;;) {
        i += argc;
        noise += i;
        printf("slice: %d\n", i); /* slice */
        step(i);
    }
}
