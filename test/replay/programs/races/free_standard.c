/* The same with what C11 has: locks, conditions, once and threads. */
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static int counter, turns, table[4];

static void make_table(void) { table[1] = 5; }

static int count(void *argument) {
    call_once(&flag, make_table);
    for (int i = 0; i < 100; i++) {
        mtx_lock(&lock);
        counter += table[1];
        mtx_unlock(&lock);
    }
    mtx_lock(&lock);
    turns++;
    cnd_broadcast(&changed);
    while (turns < 3)
        cnd_wait(&changed, &lock);
    *(int *)argument = counter;
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t threads[3];
    int got[3];
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    for (int i = 0; i < 3; i++)
        thrd_create(&threads[i], count, &got[i]);
    for (int i = 0; i < 3; i++)
        thrd_join(threads[i], NULL);
    printf("%d %d %d\n", got[0], got[1], got[2]);
    return 0;
}
