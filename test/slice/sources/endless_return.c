/* Loops without an end of their own are left by jumps alone. */
#include <stdio.h>
static int noise, n;
static void spin(int k) {
    for (;;) {
        noise++;
        if (k-- < 0)
            return;
    }
}
static int spin2(int k) {
    while (1) {
        noise++;
        if (k-- < 0)
            return 5;
        do {
            if (noise == 3) break;
            if (noise > 1000) return 6;
            noise++;
        } while (0);
    }
}
static void jump(int k) {
    if (k) goto in;
    for (;;) {
        noise += 3;
in:
        noise++;
        if (noise > 50) break;
    }
    n++;
}
int main(int argc, char **argv) {
    spin(3);
    spin2(4);
    n = argc;
    spin(2);
    jump(1);
    jump(0);
    spin2(2);
    printf("slice: %d\n", n); /* slice */
    return noise & 1;
}
