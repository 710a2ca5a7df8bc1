/* What comes through the pipe does not matter, but that something comes: who writes decides whether main() goes on. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];
static int box;
static int other;

static void *fill(void *argument) {
    int n = *(int *)argument;                              /* keep */
    box = 3;                                               /* keep */
    other = n + 1;                                         /* drop */
    if (n > 1)                                             /* keep */
        write(ends[1], "x", 1);                            /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    char byte;
    int n = argc + 1;                                      /* keep */
    pipe(ends);                                            /* keep */
    pthread_create(&thread, NULL, fill, &n);               /* keep */
    read(ends[0], &byte, 1);                               /* keep */
    int taken = box;                                       /* keep */
    printf("slice: %d\n", taken);                          /* slice: taken */
    pthread_join(thread, NULL);
    printf("%d\n", other);                                 /* drop */
    return 0;
}
