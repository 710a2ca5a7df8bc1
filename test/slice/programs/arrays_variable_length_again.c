/* An array of variable length that is made again and again: its slice must give the memory back. */
#include <stdio.h>

static char *volatile last;

int main(int argc, char **argv) {
    (void)argv;
    int n = 0;                             /* keep */
    int noise = 0;                         /* drop */
again:;
    {
        char room[n % 1000 + 1];           /* keep */
        room[n % 1000] = 2;
        noise = noise + room[n % 1000];    /* drop */
        last = room;                       /* keep */
        n = n + argc;                      /* keep */
    }
    if (n < 400000)                        /* keep */
        goto again;                        /* keep */
    printf("%d\n", noise);                 /* drop */
    printf("slice: %d %d\n", n, last != 0); /* slice */
    return 0;
}
