/* Flexible arrays, arrays of arrays, bit fields, tables of strings, a large buffer. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet {
    unsigned version : 3, urgent : 1, length : 12;
    unsigned char body[];
};
struct board {
    char cell[3][3];
    const char *names[4];
    float scores[2][2];
};
static char big[100000];
static const char *const kinds[] = {"none", "text", "number"};

static __attribute__((noinline)) int check(const struct board *board, const struct packet *packet,
                                           const char *const *table, int kind) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += board->cell[i][i] == 'x';
    for (int i = 0; i < packet->length; i++)
        sum += packet->body[i] + big[1000 * i];
#ifndef FIXED
    assert(strcmp(table[kind], board->names[kind]) == 0 && sum == 4711);
#endif
    return sum;
}

static __attribute__((noinline)) int play(struct packet *packet, int kind) {
    struct board board = {.cell = {"x..", ".x.", "..x"},
                          .names = {"none", "text", "number", NULL},
                          .scores = {{1.5f, 2}, {3, 4}}};
    packet->urgent = 1;
    return check(&board, packet, kinds, kind);
}

int main(void) {
    struct packet *packet = malloc(sizeof *packet + 10);
    *packet = (struct packet){.version = 5, .length = 10};
    for (int i = 0; i < 10; i++) {
        packet->body[i] = (unsigned char)(i * i);
        big[1000 * i] = (char)i;
    }
    printf("%d\n", play(packet, 2));
    return 0;
}
