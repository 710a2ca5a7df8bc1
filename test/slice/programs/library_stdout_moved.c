/* What is printed is a state once stdout is a pipe that the program reads. */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argv;
    int fds[2], number = 0;
    int noise = argc * 3;                          /* drop */
    if (pipe(fds))                                 /* keep */
        return 1;                                  /* keep */
    int screen = dup(1);                           /* keep */
    dup2(fds[1], 1);                               /* keep */
    printf("%d\n", argc + 41);                     /* keep */
    fflush(stdout);                                /* keep */
    dup2(screen, 1);                               /* keep */
    char text[16] = "";
    if (read(fds[0], text, sizeof text - 1) > 0)   /* keep */
        sscanf(text, "%d", &number);               /* keep */
    fprintf(stderr, "%d\n", noise);
    printf("slice: %d\n", number);                 /* slice: number */
    return 0;
}
