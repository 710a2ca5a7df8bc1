/* cnd_wait() with its predicate: what is handed over, the predicate and the signal are in. */
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static cnd_t filled;
static int ready;
static int box;
static int label;

static int fill(void *argument) {
    int item = *(int *)argument + 3;                       /* keep */
    mtx_lock(&lock);
    box = item;                                            /* keep */
    label = item + 70;                                     /* drop */
    ready = 1;                                             /* keep */
    cnd_signal(&filled);                                   /* keep */
    mtx_unlock(&lock);
    return 0;
}

int main(int argc, char **argv) {
    (void)argv;
    thrd_t filler;
    int order = argc + 4;                                  /* keep */
    mtx_init(&lock, mtx_plain);
    cnd_init(&filled);
    thrd_create(&filler, fill, &order);                    /* keep */
    mtx_lock(&lock);
    while (!ready)                                         /* keep */
        cnd_wait(&filled, &lock);                          /* keep */
    int taken = box;                                       /* keep */
    int read_label = label;                                /* drop */
    mtx_unlock(&lock);
    thrd_join(filler, NULL);
    printf("slice: %d\n", taken);                          /* slice: taken */
    printf("%d\n", read_label);                            /* drop */
    return 0;
}
