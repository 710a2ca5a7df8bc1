/* Threads that use the same streams at the same time, in every way there is. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

enum { workers = 3, lines = 600 };

static FILE *input, *output, *wide;
static unsigned long owned; /* by who has the output */
static unsigned missed;

static unsigned long take(unsigned round) {
    char text[32], *line = NULL;
    size_t room = 0;
    unsigned number = 0;
    switch (round % 5) {
    case 0:
        return fgets(text, sizeof text, input) ? strtoul(text, NULL, 10) : 0;
    case 1:
        return fscanf(input, "%u\n", &number) == 1 ? number : 0;
    case 2:
        number = getline(&line, &room, input) > 0 ? (unsigned)strtoul(line, NULL, 10) : 0;
        free(line);
        return number;
    case 3:
        return fread(text, 1, 4, input) + (unsigned long)(unsigned char)text[0];
    default: {
        flockfile(input);
        int byte = getc_unlocked(input);
        if (byte != EOF)
            ungetc(byte, input);
        funlockfile(input);
        return (unsigned)byte + !!feof(input) + !!ferror(input);
    }
    }
}

static void *work(void *argument) {
    unsigned me = (unsigned)(unsigned long)argument;
    unsigned long sum = 0;
    for (unsigned round = 0; round < lines; round++) {
        sum = sum * 31 + take(round + me);
        fprintf(output, "%u: %lx\n", me, sum);
        if (round % 50 == 0)
            fflush(output);
        if (round % 7 == 0)
            fwprintf(wide, L"%u %u\n", me, round);
        if (ftrylockfile(output) == 0) {
            owned = owned * 7 + me;
            putc_unlocked('a' + (int)me, output);
            putc_unlocked('\n', output);
            funlockfile(output);
        } else {
            flockfile(output);
            missed++;
            owned = owned * 11 + me;
            fputs("missed\n", output);
            funlockfile(output);
        }
        if (round % 100 == 0)
            fseek(input, (long)(sum % 2000), SEEK_SET);
    }
    printf("%u: %lx\n", me, sum);
    return NULL;
}

int main(void) {
    input = tmpfile(), output = tmpfile(), wide = tmpfile();
    if (!input || !output || !wide)
        return 1;
    for (unsigned i = 0; i < 2 * lines; i++)
        fprintf(input, "%u\n", i * 7919 % 10007);
    rewind(input);
    pthread_t all[workers];
    for (unsigned long i = 0; i < workers; i++)
        if (pthread_create(&all[i], NULL, work, (void *)i) != 0)
            return 1;
    for (unsigned i = 0; i < workers; i++)
        pthread_join(all[i], NULL);
    unsigned long sum = 0;
    rewind(output);
    for (int byte; (byte = getc(output)) != EOF;)
        sum = sum * 31 + (unsigned)byte;
    printf("owned %lx, missed %u, written %lx, wide %ld\n", owned, missed, sum, ftell(wide));
    return 0;
}
