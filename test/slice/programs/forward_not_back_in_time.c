/* Forward from a write in the thread: reads before the creation, or after main has overwritten it again, do not see it. */
/* options: --forward */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int level;
static int reread;
static int before;

static void *change(void *argument) {
    int fresh = *(int *)argument;                          /* drop */
    before = level;                                        /* drop */
    level = fresh;                                         /* slice */
    reread = level;                                        /* keep */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    int fresh = argc * 5;                                  /* drop */
    level = argc + 4;                                      /* drop */
    int early = level;                                     /* drop */
    pthread_create(&thread, NULL, change, &fresh);         /* drop */
    int during = level;                                    /* keep */
    pthread_join(thread, NULL);
    int after = level;                                     /* keep */
    level = argc + 30;                                     /* drop */
    int reset = level;                                     /* drop */
    printf("slice: %d\n", during);                         /* keep */
    printf("%d\n", after + reread);                        /* keep */
    printf("%d\n", early);                                 /* drop */
    printf("%d\n", before + reset);                        /* drop */
    return 0;
}
