/* What begins in an array of a struct and leaves it: on the way to the struct, at the end of one that is
 * longer than it says, and over several fields at once. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct block {
    int used;
    char data[16];
    int end;
};

struct text {
    int length;
    char bytes[4];
};

struct table {
    int cells[2][4];
    int after;
};

static void use(char *data, int how) {
    struct block *block = (struct block *)(data - offsetof(struct block, data));
    block->used = how;                                                  /* keep */
}

static void flat(int *cells, int with) {
    for (int i = 0; i < 8; i++)
        cells[i] = with + i;                                            /* keep */
}

int main(int argc, char **argv) {
    struct block block = {0}, other = {0};
    use(block.data, argc + 1);                                          /* keep */
    struct text *text = malloc(sizeof *text + 60);
    for (int i = 0; i < 40; i++)
        text->bytes[i] = argc + i;                                      /* keep */
    struct table table = {0};
    flat(table.cells[0], argc);                                         /* keep */
    other.end = argc + 5;
    memset(other.data, argc, sizeof other - offsetof(struct block, data)); /* keep */
    struct block message = {0};
    int ends[2], got = pipe(ends);
    got += write(ends[1], argv[0], 1);
    got += read(ends[0], &message, 1);
    long room = argc > 100 ? 1 : sizeof message;                        /* keep */
    memcpy(message.data, &block, room - 4);                             /* keep */
    int sum = message.end + block.used + text->bytes[30] + table.cells[1][2] + (other.end & 1); /* keep */
    printf("slice: %d\n", sum);                                         /* slice: sum */
    return 0;
}
