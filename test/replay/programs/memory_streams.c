/* Streams in memory: what is there after a flush, and after the end. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    fprintf(file, "one %d", 1);
    fflush(file);
    printf("%zu %s\n", size, text);
    for (int i = 0; i < 2000; i++)
        fprintf(file, " %d", i);
    fputs(" end", file);
    fflush(NULL);
    printf("%zu %s\n", size, text + size - 20);
    fseek(file, 0, SEEK_SET);
    fputs("ONE", file);
    fclose(file);
    printf("%zu %.20s\n", size, text);
    free(text);

    wchar_t *wide = NULL;
    file = open_wmemstream(&wide, &size);
    fwprintf(file, L"wide %d", 12);
    fputws(L" text", file);
    fclose(file);
    printf("%zu %ls\n", size, wide);
    free(wide);

    static char fixed[64] = "12 words in memory";
    char word[20];
    int number;
    file = fmemopen(fixed, strlen(fixed), "r");
    int n = fscanf(file, "%d %19s", &number, word);
    printf("%d: %d %s, then '%c'\n", n, number, word, getc(file));
    fclose(file);
    memset(fixed, '.', 63);
    file = fmemopen(fixed, sizeof fixed, "w");
    printf("begun: %d\n", fixed[0]);
    fprintf(file, "written %d", 7);
    fflush(file);
    printf("%s\n", fixed);
    fprintf(file, " and more");
    fseek(file, 2, SEEK_SET);
    printf("%s\n", fixed);
    fputs("I", file);
    fclose(file);
    printf("%s\n", fixed);
    file = fmemopen(NULL, 100, "w+");
    fputs("private", file);
    rewind(file);
    printf("%s\n", fgets(word, sizeof word, file));
    fclose(file);
    return 0;
}
