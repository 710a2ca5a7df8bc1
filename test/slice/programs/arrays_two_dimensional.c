/* A two-dimensional array: a write to some row and column can be what is read at others. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int grid[3][4];
    int row_names[3];
    for (int row = 0; row < 3; row++) {                    /* keep */
        row_names[row] = argc + row * 100;                 /* drop */
        for (int column = 0; column < 4; column++)         /* keep */
            grid[row][column] = row * 10 + column + argc;  /* keep */
    }
    int row = argc % 3;                                    /* keep */
    int column = (argc + 1) % 4;                           /* keep */
    grid[(argc * 2) % 3][(argc * 2) % 4] = argc + 500;     /* keep */
    int x = grid[row][column];                             /* keep */
    printf("%d\n", row_names[row]);                        /* drop */
    printf("slice: %d\n", x);                              /* slice: x */
    return 0;
}
