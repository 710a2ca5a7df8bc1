#include <stdio.h>
#include <stdlib.h>
/* Streams that are read character by character, and otherwise, and go back. */
static unsigned sum;
static __attribute__((noinline)) void mix(FILE *f, FILE *g) {
    char line[100];
    int c, n = 0;
    while ((c = getc(f)) != EOF) {
        sum = sum * 31 + (unsigned)c;
        if (++n % 97 == 0)
            ungetc(c, f);
        if (n % 301 == 0 && fgets(line, 50, f))
            sum += (unsigned char)line[0];
        if (n % 5 == 0)
            sum = sum * 7 + (unsigned)fgetc(g);
        if (n % 1500 == 0) {
            ungetc('x', f);
            fseek(g, n % 7777, SEEK_SET);
        }
    }
}
static __attribute__((noinline)) void many(FILE **f, int count) {
    int c;
    do
        for (int i = 0; i < count; i++)
            sum = sum * 31 + (unsigned)(c = getc(f[i]));
    while (c != EOF);
}
static __attribute__((noinline)) void plain(FILE *f) {
    for (int c; (c = getc(f)) != EOF;)
        sum = sum * 31 + (unsigned)c;
}
int main(int argc, char **argv) {
    FILE *f[12];
    for (int i = 0; i < 12; i++)
        f[i] = fopen(argv[2], "r");
    switch (argv[1][0]) {
    case 'm':
        mix(f[0], f[1]);
        break;
    case 'o':
        many(f, 12);
        break;
    default:
        plain(f[0]);
    }
    return (int)(sum % 200) + 3;
}
