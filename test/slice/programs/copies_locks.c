/* Objects with a lock each, which one pair of functions takes and gives back: what a thread writes
 * on its way, and overwrites before it lets go, the other does not see. */
#include <pthread.h>
#include <stdio.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};

static struct counter first = {PTHREAD_MUTEX_INITIALIZER, 0};
static struct counter second = {PTHREAD_MUTEX_INITIALIZER, 0};

static void take(struct counter *c) {
    pthread_mutex_lock(&c->lock);
}

static void give(struct counter *c) {
    pthread_mutex_unlock(&c->lock);
}

static void *work(void *argument) {
    int *in = argument;             /* keep */
    int passing = *in + 1;          /* drop */
    int lasting = *in + 2;          /* keep */
    take(&first);
    first.value = passing;          /* drop */
    first.value = lasting;          /* keep */
    give(&first);
    take(&second);
    second.value = *in + 3;         /* drop */
    give(&second);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t thread;
    pthread_create(&thread, NULL, work, &argc); /* keep */
    take(&first);
    int x = first.value;            /* keep */
    give(&first);
    take(&second);
    int y = second.value;           /* drop */
    give(&second);
    pthread_join(thread, NULL);
    printf("slice: %d\n", x >= 0);  /* slice: x */
    printf("%d\n", y);              /* drop */
    return 0;
}
