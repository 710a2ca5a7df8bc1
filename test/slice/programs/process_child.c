/* What a child leaves in a pipe, in shared memory and as its status, its parent may see. */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argv;
    int down[2], up[2], status = 0, answer = 0;
    int own = argc;                                          /* drop */
    int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,   /* keep */
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pipe(down) != 0 || pipe(up) != 0)                    /* keep */
        return 1;
    pid_t child = fork();                                    /* keep */
    if (child == 0) {                                        /* keep */
        int asked = 0;
        if (read(down[0], &asked, sizeof asked) < 0)         /* keep */
            _exit(9);                                        /* keep */
        shared[0] = asked + 1;                               /* keep */
        own = asked;                                         /* drop */
        asked *= 3;                                          /* keep */
        if (write(up[1], &asked, sizeof asked) < 0)          /* keep */
            _exit(8);                                        /* keep */
        _exit(asked & 7);                                    /* keep */
    }
    int question = argc + 4;                                 /* keep */
    if (write(down[1], &question, sizeof question) < 0)      /* keep */
        return 1;
    if (read(up[0], &answer, sizeof answer) < 0)             /* keep */
        return 1;
    waitpid(child, &status, 0);                              /* keep */
    printf("%d\n", own);                                     /* drop */
    printf("slice: %d %d %d\n", answer, shared[0], WEXITSTATUS(status)); /* slice */
    return 0;
}
