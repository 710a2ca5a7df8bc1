/* A function that ends the program on each of its ways stays one. */
#include <stdio.h>
#include <stdlib.h>
static int *noise;
static void leave(void) __attribute__((noreturn));
static void leave(void) {
    if (!*noise)
        abort();
    exit(0);
}
static int count(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}
int main(int argc, char **argv) {
    (void)argv;
    int value = argc + 1;
    noise = &value;
    printf("slice: %d\n", count(argc + 4)); /* slice */
    value = 1;
    leave();
}
