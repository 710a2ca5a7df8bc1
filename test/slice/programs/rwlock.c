/* A thread writes under a read-write lock what main reads under it. */
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int price;
static int version;

static void *update(void *argument) {
    int change = *(int *)argument;                         /* keep */
    pthread_rwlock_wrlock(&lock);
    price = change + 8;                                    /* keep */
    version = change + 1;                                  /* drop */
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t updater;
    int change = argc + 1;                                 /* keep */
    price = argc + 9;                                      /* keep */
    version = argc;                                        /* drop */
    pthread_create(&updater, NULL, update, &change);       /* keep */
    pthread_rwlock_rdlock(&lock);
    int quoted = price;                                    /* keep */
    pthread_rwlock_unlock(&lock);
    pthread_join(updater, NULL);
    price = argc + 70;                                     /* drop */
    printf("slice: %d\n", quoted);                         /* slice: quoted */
    printf("%d %d\n", price, version > 0);                 /* drop */
    return 0;
}
