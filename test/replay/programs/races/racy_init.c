/* The flag of a lazy beginning is looked at without its lock, and is not atomic. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_ready, table[4];

static int *get_table(void) {
    if (!is_ready) { /* race */
        pthread_mutex_lock(&lock);
        if (!is_ready) {
            table[0] = 42;
            is_ready = 1; /* race */
        }
        pthread_mutex_unlock(&lock);
    }
    return table;
}

static void *use(void *argument) {
    *(int *)argument = get_table()[0];
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int got[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, use, &got[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", got[0], got[1]);
    return 0;
}
