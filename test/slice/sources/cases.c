/* Cases with nothing of the slice in them keep values away from the others. */
#include <stdio.h>

static int noise;

int main(int argc, char **argv) {
    int x = argc;
    (void)argv;
    for (int i = 0; i < 6; i++)
        switch (i) {
        case 1:
        case 4:
            noise++;
            break;
        case 2: {
            noise--;
            break;
        }
        case 3:
            if (argc > 100)
                break;
            else
                break;
        default:
            x += 5;
        }
    switch (argc) {
    case 1:
        noise++;
        break;
    default:
        noise--;
    }
    printf("slice: %d\n", x); /* slice */
    printf("%d\n", noise);
    return 0;
}
