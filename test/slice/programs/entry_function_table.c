/* The thread's function comes out of a table: each function in the table may run, the one of the other pointer may not. */
#include <pthread.h>
#include <stdio.h>

static int result;
static int aside;

static void *add_one(void *argument) {
    result = *(int *)argument + 1;                         /* keep */
    return NULL;
}

static void *add_ten(void *argument) {
    result = *(int *)argument + 10;                        /* keep */
    return NULL;
}

static void *note(void *argument) {
    aside = *(int *)argument + 100;                        /* drop */
    return NULL;
}

static void *(*const entries[])(void *) = { add_one, add_ten };
static void *(*const noting)(void *) = note;

int main(int argc, char **argv) {
    (void)argv;
    pthread_t chosen, unrelated;
    int which = argc % 2;                                  /* keep */
    int value = argc + 5;                                  /* keep */
    pthread_create(&chosen, NULL, entries[which], &value); /* keep */
    pthread_create(&unrelated, NULL, noting, &value);      /* drop */
    pthread_join(chosen, NULL);
    pthread_join(unrelated, NULL);                         /* drop */
    printf("slice: %d\n", result);                         /* slice: result */
    printf("%d\n", aside);                                 /* drop */
    return 0;
}
