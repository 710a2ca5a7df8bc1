/* Functions that never return, though none of them says so, end what calls them. */
#include <stdio.h>
#include <stdlib.h>
static int noise;
static void leave(int code) {
    noise++;
    exit(code);
}
static void give_up(const char *why) {
    noise += *why;
    leave(0);
}
int main(int argc, char **argv) {
    (void)argv;
    for (int i = 0; i < 12; i++) {
        printf("slice: %d\n", i); /* slice */
        if (i < 4)
            noise += i;
        else if (i >= 6 + argc)
            give_up("enough");
    }
    return noise;
}
