/* What a terminal of some kind understands, and what is written to it by a function of the
 * program's. */
#include <curses.h>
#include <stdio.h>
#include <string.h>
#include <term.h>

static int count;

static int put(int c) {
    count++;
    return putchar(c == 27 ? '^' : c);
}

static void show(const char *capability) {
    char *text = tigetstr((char *)capability);
    if (text == (char *)-1)
        printf("%s: none of text\n", capability);
    else if (!text)
        printf("%s: missing\n", capability);
    else
        printf("%s: %zu characters\n", capability, strlen(text));
}

int main(void) {
    int status = 7, unknown = 7;
    int first = setupterm("vt100", 1, &status);
    char *clear = tigetstr("clear"), *move = tigetstr("cup");
    printf("%d %d, %d columns, %d, %d\n", first, status, tigetnum("cols"), tigetflag("am"),
           tigetflag("clear"));
    show("clear"), show("cols"), show("nothing"), show("kcuu1");
    printf("%d %d\n", clear == tigetstr("clear"), clear == move);
    tputs(tparm(move, 3, 4), 1, put);
    char kept[64];
    strcpy(kept, tgoto(move, 5, 6));
    tputs(kept, 1, put);
    printf("\n%d characters\n", count);
    printf("%d", setupterm("no such terminal", 1, &unknown));
    printf(" %d\n", unknown);
    return 0;
}
