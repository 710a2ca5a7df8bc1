/* A static local keeps its value between calls: each earlier call matters, the other counter does not. */
#include <stdio.h>

static int next_ticket(int step) {
    static int ticket;
    ticket = ticket + step;                     /* keep */
    return ticket;                              /* keep */
}

static int next_badge(void) {
    static int badge;
    badge = badge + 10;                         /* drop */
    return badge;                               /* drop */
}

int main(int argc, char **argv) {
    (void)argv;
    int step = argc + 1;                        /* keep */
    int first = next_ticket(step);              /* keep */
    int badge = next_badge();                   /* drop */
    int second = next_ticket(argc);             /* keep */
    int third = next_ticket(argc);              /* drop */
    printf("%d %d %d\n", first, badge, third);  /* drop */
    printf("slice: %d\n", second);              /* slice: second */
    return 0;
}
