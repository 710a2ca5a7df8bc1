/* Only data is followed: the assignments matter, the condition that guards one does not. */
/* options: --data */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    int a = argc + 1;               /* keep */
    int b = argc * 2;               /* keep */
    int wish = argc * 3;            /* drop */
    int unrelated = argc + 4;       /* drop */
    int x = a;                      /* keep */
    if (wish > 2)                   /* drop */
        x = b;                      /* keep */
    if (wish > 5)                   /* drop */
        unrelated = unrelated + 1;  /* drop */
    int result = x + argc;          /* keep */
    printf("%d\n", unrelated);      /* drop */
    printf("slice: %d\n", result);  /* slice: result */
    return 0;
}
