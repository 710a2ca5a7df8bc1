/* Streams: positions, buffers, words, processes, and what is opened again. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[300];

static void positions(void) {
    FILE *file = fopen("input", "r");
    char line[100];
    fpos_t place;
    printf("%s", fgets(line, sizeof line, file));
    printf("at %ld, fd %d\n", ftell(file), fileno(file) > 2);
    fgetpos(file, &place);
    int first = getc(file), word = getw(file), next = getc(file);
    printf("%c %x %c\n", first, word, next);
    fsetpos(file, &place);
    printf("again %c, at %ld\n", getc(file), (long)ftello(file));
    while (fgets(line, sizeof line, file))
        printf("- %s", line);
    printf("end %d\n", feof(file));
    clearerr(file);
    printf("end %d\n", feof(file));
    fseek(file, -3, SEEK_END);
    ungetc('U', file);
    while ((next = getc(file)) != EOF)
        printf("<%c>", next);
    printf("closed %d\n", fclose(file));
    file = fopen("nothing", "r");
    printf("%d %s\n", file != NULL, strerror(errno));
    for (int i = 0; i < 5; i++) { /* the same memory, most likely */
        file = fopen(i % 2 ? "second" : "input", "r");
        printf("%c%c ", getc(file), getc(file));
        if (i != 3)
            fclose(file);
    }
    puts("");
}

static void output(void) {
    FILE *file = tmpfile();
    setbuffer(file, buffer, sizeof buffer);
    for (int i = 0; i < 100; i++)
        fprintf(file, "line %d\n", i);
    putw(0x31323334, file);
    printf("pending %zu of %zu, %d %d\n", __fpending(file), __fbufsize(file), __fwritable(file),
           __freadable(file));
    rewind(file);
    int last = 0, c;
    while ((c = getc(file)) != EOF)
        last = last * 3 + c;
    printf("sum %d\n", last);
    fclose(file);
    flockfile(stdout);
    putchar('l');
    printf("ocked %d\n", ftrylockfile(stdout));
    funlockfile(stdout);
    funlockfile(stdout);
    printf("this is lost");
    __fpurge(stdout);
    printf("this is not\n");
    putw(0x0a6b6f20, stdout);
}

static void processes(void) {
    char line[100];
    fflush(stdout);
    FILE *pipe = popen("echo from; echo a child; exit 3", "r");
    while (fgets(line, sizeof line, pipe))
        printf("got %s", line);
    printf("status %x\n", (unsigned)pclose(pipe));
    pipe = popen("exit $(wc -l)", "w");
    fprintf(pipe, "one\ntwo\n");
    printf("status %x\n", (unsigned)pclose(pipe));
}

int main(void) {
    positions();
    output();
    processes();
    printf("to the screen\n");
    fprintf(stderr, "errors to the screen\n");
    fflush(stdout);
    if (!freopen("written", "w", stdout))
        return 1;
    printf("to a file\n");
    fflush(stdout);
    FILE *file = fopen("written", "r");
    char line[100] = "";
    fgets(line, sizeof line, file);
    fprintf(stderr, "read back: %s", line);
    fclose(stdout);
    FILE *reused = fopen("written", "a");
    fprintf(reused, "more\n");
    fprintf(stderr, "descriptor %d\n", fileno(reused));
    fclose(reused);
    fprintf(stderr, "errors still go to the screen\n");
    return 4;
}
