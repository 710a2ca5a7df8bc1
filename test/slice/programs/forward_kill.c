/* The influence ends where the variable gets another value. */
/* options: --forward */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int other = argc + 5;                /* drop */
    int a = argc + 1;                    /* slice */
    int first_use = a * 2;               /* keep */
    a = other;                           /* drop */
    int second_use = a * 3;              /* drop */
    first_use = first_use + second_use;  /* keep */
    second_use = second_use + 1;         /* drop */
    printf("%d\n", second_use);          /* drop */
    printf("slice: %d\n", first_use);    /* keep */
    first_use = other;                   /* drop */
    printf("%d\n", first_use);           /* drop */
    return 0;
}
