/* Frames and blocks begin with what was there before, which is not all the same in a replay; nobody
 * looks at that, but bits next to it are set, and structs are copied with their gaps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bits {
    unsigned first : 1, second : 3, third : 2;
    char letter;
    short number;
    int *to;
};

/* What is read here nobody looks at. */
__attribute__((noinline)) int leave(int fd) {
    char there[4096];
    char *block = malloc(64);
    int got = (int)read(fd, there, sizeof there) + (int)read(fd, block, 64);
    free(block);
    return got;
}

__attribute__((noinline)) void set(struct bits *bits, int n) {
    bits->first = n & 1;
    bits->third = (unsigned)n >> 1 & 3;
    bits->letter = (char)n;
}

__attribute__((noinline)) int look(const struct bits *bits) {
    return bits->first + 2 * bits->third + bits->letter;
}

__attribute__((noinline)) int part(int fd, int n) {
    struct bits bits[100], *more = malloc(sizeof *more), copy;
    int got = leave(fd), sum = 0;
    for (int i = 0; i < 100; i++)
        set(&bits[i], n + i);
    set(more, n);
    copy = *more;
    for (int i = 0; i < 100; i++)
        sum += look(&bits[i]);
    sum += look(more) + look(&copy);
    free(more);
    return sum + got;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += leave(0) + part(0, i) + leave(0);
    return sum & 63;
}
