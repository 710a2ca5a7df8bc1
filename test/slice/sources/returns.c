/* Values that do not matter, of functions that do. */
#include <stdio.h>
static int noise;
static int f(int *p) {
    *p += 3;
    if (*p > 4)
        return(
            noise + 1);
    if (*p > 3) return-1;
    return(noise);
}
static double g(int *p) { *p += 1; return
#ifdef X
 1.0
#else
 2.0
#endif
 ; }
int main(int argc, char **argv) {
    int x = argc;
    noise += f(&x);
    noise += (int)g(&x);
    f(&x);
    printf("slice: %d\n", x); /* slice */
    return(noise);
}
