/* A loop without an end of its own, which stays for the label in it alone. */
#include <stdio.h>

static int noise, n;

static void jump(void) {
    goto in;
    for (;;) {
        noise++;
    in:
        noise += 2;
        if (noise > 50)
            break;
    }
    n++;
}

int main(int argc, char **argv) {
    (void)argv;
    n = argc;
    jump();
    jump();
    printf("slice: %d\n", n); /* slice */
    printf("%d\n", noise);
    return 0;
}
