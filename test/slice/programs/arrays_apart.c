/* Two arrays filled in one loop are apart. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int wanted[4];
    int unwanted[4];
    int a = argc + 3;                           /* keep */
    int b = argc + 4;                           /* drop */
    for (int i = 0; i < 4; i++) {               /* keep */
        wanted[i] = a * i;                      /* keep */
        unwanted[i] = b * i;                    /* drop */
        unwanted[i] = unwanted[i] + wanted[i];  /* drop */
    }
    int x = wanted[argc];                       /* keep */
    int y = unwanted[argc];                     /* drop */
    printf("%d\n", y);                          /* drop */
    printf("slice: %d\n", x);                   /* slice: x */
    return 0;
}
