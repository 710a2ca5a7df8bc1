/* strchr returns a pointer into the text: what is read there comes from the text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    char text[32];
    char other[32];
    int value = argc + 41;                             /* keep */
    int noise = argc + 51;                             /* drop */
    snprintf(text, sizeof text, "key=%d", value);      /* keep */
    snprintf(other, sizeof other, "noise=%d", noise);  /* drop */
    char *sign = strchr(text, '=');                    /* keep */
    char *other_sign = strchr(other, '=');             /* drop */
    int x = argc;                                      /* keep */
    if (sign != NULL)                                  /* keep */
        x = atoi(sign + 1);                            /* keep */
    if (other_sign != NULL)                            /* drop */
        printf("%s\n", other_sign);                    /* drop */
    printf("slice: %d\n", x);                          /* slice: x */
    return 0;
}
