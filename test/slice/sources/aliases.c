/* Functions that only other names stand for. */
#include <stdio.h>
static int n, noise;
void unneeded(void) { noise++; }
void second(void) __attribute__((alias("unneeded")));
static void third(void) { noise += 2; }
__attribute__((weak, alias("third"))) void fourth(void);
int main(int argc, char **argv) {
    second();
    n = argc;
    fourth();
    printf("slice: %d\n", n); /* slice */
    return noise;
}
