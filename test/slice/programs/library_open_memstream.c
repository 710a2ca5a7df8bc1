/* What is printed into a stream in memory is read there; a stream on an array writes that. */
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    char *text = NULL, small[16] = "";
    size_t size = 0;
    int cats = argc + 1;                              /* keep */
    int dogs = argc + 2;                              /* drop */
    FILE *out = open_memstream(&text, &size);         /* keep */
    fprintf(out, "%d cats", cats);                    /* keep */
    fflush(out);                                      /* keep */
    FILE *array = fmemopen(small, sizeof small, "w"); /* keep */
    fprintf(array, "%zu", size);                      /* keep */
    fclose(array);                                    /* keep */
    printf("%d dogs\n", dogs);                        /* drop */
    printf("slice: %s %s\n", text, small);            /* slice */
    fclose(out);
    return 0;
}
