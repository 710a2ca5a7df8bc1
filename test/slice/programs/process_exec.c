/* What another program prints comes through the pipe that its output was made. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argv;
    int ends[2];
    char got[16] = "";
    char word[] = "a?";
    char other[] = "b?";                          /* drop */
    word[1] = (char)('0' + argc);                 /* keep */
    other[1] = word[1];                           /* drop */
    if (pipe(ends) != 0)                          /* keep */
        return 1;
    if (fork() == 0) {                            /* keep */
        dup2(ends[1], 1);                         /* keep */
        execlp("echo", "echo", word, (char *)0);  /* keep */
        _exit(1);
    }
    wait(NULL);                                   /* keep */
    if (read(ends[0], got, sizeof got - 1) < 2)   /* keep */
        return 1;
    puts(other);                                  /* drop */
    printf("slice: %s", got);                     /* slice */
    return 0;
}
