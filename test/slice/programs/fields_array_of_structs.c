/* In an array of structs the fields are apart, the elements are not. */
#include <stdio.h>

struct cell {
    int key;
    int mark;
};

int main(int argc, char **argv) {
    (void)argv;
    struct cell cells[4];
    for (int i = 0; i < 4; i++) {        /* keep */
        cells[i].key = argc + i;         /* keep */
        cells[i].mark = argc * i;        /* drop */
    }
    int first = argc % 4;                /* keep */
    int second = (argc * 2) % 4;         /* keep */
    int third = (argc + 2) % 4;          /* drop */
    cells[first].key = argc + 50;        /* keep */
    cells[third].mark = argc + 60;       /* drop */
    int result = cells[second].key;      /* keep */
    printf("%d\n", cells[second].mark);  /* drop */
    printf("slice: %d\n", result);       /* slice: result */
    return 0;
}
