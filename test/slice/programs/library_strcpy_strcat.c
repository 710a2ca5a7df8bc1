/* A text is put together with strcpy and strcat: both parts decide its length. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    char text[32];
    char label[32];
    const char *first = argc > 1 ? "several" : "one";      /* keep */
    const char *second = argc > 2 ? " things" : " thing";  /* keep */
    const char *third = argc > 3 ? "many" : "few";         /* drop */
    strcpy(text, first);                                   /* keep */
    strcpy(label, third);                                  /* drop */
    strcat(text, second);                                  /* keep */
    strcat(label, text);                                   /* drop */
    int x = (int)strlen(text);                             /* keep */
    int y = (int)strlen(label);                            /* drop */
    printf("%d\n", y);                                     /* drop */
    printf("slice: %d\n", x);                              /* slice: x */
    return 0;
}
