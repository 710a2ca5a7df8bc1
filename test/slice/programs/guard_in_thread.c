/* The thread writes only under a condition: what the condition is made from is in. */
#include <pthread.h>
#include <stdio.h>

struct settings {
    int limit;
    int value;
    int volume;
};

static int outcome;
static int loudness;

static void *apply(void *argument) {
    struct settings *settings = argument;                  /* keep */
    int limit = settings->limit;                           /* keep */
    int volume = settings->volume;                         /* drop */
    if (limit > 2)                                         /* keep */
        outcome = settings->value;                         /* keep */
    if (volume > 2)                                        /* drop */
        loudness = settings->value;                        /* drop */
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    struct settings settings;
    settings.limit = argc + 3;                             /* keep */
    settings.value = argc + 12;                            /* keep */
    settings.volume = argc + 4;                            /* drop */
    outcome = argc;                                        /* keep */
    loudness = argc;                                       /* drop */
    pthread_create(&thread, NULL, apply, &settings);       /* keep */
    pthread_join(thread, NULL);
    printf("slice: %d\n", outcome);                        /* slice: outcome */
    printf("%d\n", loudness);                              /* drop */
    return 0;
}
