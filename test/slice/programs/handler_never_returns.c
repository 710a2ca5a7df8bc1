/* What a handler leaves behind that ends the program, the code that it interrupted never sees. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int level, lost;

static void give_up(int number) {
    fprintf(stderr, "signal %d at level %d\n", number, level); /* drop */
    exit(1);
}

static void handler(int number) {
    level = number * 2;                                    /* drop */
    lost = 1;                                              /* drop */
    give_up(number);
}

int main(int argc, char **argv) {
    (void)argv;
    signal(SIGTERM, handler);                              /* drop */
    level = argc + 4;                                      /* keep */
    lost += argc;                                          /* drop */
    printf("slice: %d\n", level);                          /* slice: level */
    return lost != argc;
}
