/* hsearch() finds what was entered in the table that hcreate() made. */
#include <search.h>
#include <stdio.h>

static char red[] = "red", blue[] = "blue";

int main(int argc, char **argv) {
    (void)argv;
    int reds = argc + 1;                            /* keep */
    int blues = argc + 2;
    int others = argc + 3;                          /* drop */
    hcreate(8);                                     /* keep */
    ENTRY entry = {.key = red, .data = &reds};      /* keep */
    hsearch(entry, ENTER);                          /* keep */
    entry.key = blue;
    entry.data = &blues;
    hsearch(entry, ENTER);
    reds += 4;                                      /* keep */
    others++;                                       /* drop */
    ENTRY wanted = {.key = red};                    /* keep */
    ENTRY *found = hsearch(wanted, FIND);           /* keep */
    *(int *)found->data += 10;                      /* keep */
    printf("%d %d\n", blues, others);               /* drop */
    printf("slice: %d\n", *(int *)found->data);     /* slice */
    return 0;
}
