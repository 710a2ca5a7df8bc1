/* A program that is linked statically: streams, time, files, random numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char line[100];
    FILE *file = fopen("written", "w+");
    if (!file)
        return 1;
    for (int i = 0; i < 1000; i++)
        fprintf(file, "line %d of %s\n", i, argv[argc - 1]);
    rewind(file);
    int count = 0;
    while (fgets(line, sizeof line, file))
        count++;
    printf("%d lines, the last one is %s", count, line);
    fclose(file);
    struct stat status;
    printf("%d %ld\n", stat("written", &status), (long)status.st_size);
    while (fgets(line, sizeof line, stdin))
        printf("input %s", line);
    time_t now = time(NULL);
    struct tm *date = localtime(&now);
    strftime(line, sizeof line, "%Y-%m-%d %H:%M:%S", date);
    fprintf(stderr, "%s\n", line);
    unsigned char random[4];
    printf("%zd\n", getrandom(random, sizeof random, 0));
    fprintf(stderr, "%d %02x%02x\n", getpid(), random[0], random[1]);
    char *heap = malloc(100000);
    memset(heap, random[2], 100000);
    printf("%d\n", heap[99999] == (char)random[2]);
    free(heap);
    return 4;
}
