/* C11 threads: create, join, detach, exit, tss, mutexes, call_once. */
/* flags: -pthread */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static mtx_t mutex;
static tss_t key;
static int total, destroyed;
static once_flag once = ONCE_FLAG_INIT;
static void initialise(void) { char a[20]; strcpy(a, "once"); puts(a); }
static void destroy(void *p) { char c = *(char *)p; mtx_lock(&mutex); destroyed += c == 'x'; mtx_unlock(&mutex); free(p); }
static thread_local int mine = 5;

static int work(void *argument) {
    int local[100], n = *(int *)argument;
    for (int i = 0; i < 100; i++)
        local[i] = n + i;
    call_once(&once, initialise);
    tss_set(key, strdup("x"));
    mine += n;
    mtx_lock(&mutex);
    for (int i = 0; i < 100; i++)
        total += local[i];
    mtx_unlock(&mutex);
    if (n % 2)
        thrd_exit(mine);
    return mine;
}

int main(void) {
    thrd_t t[40];
    int numbers[40], result, sum = 0;
    mtx_init(&mutex, mtx_plain);
    tss_create(&key, destroy);
    for (int i = 0; i < 40; i++) {
        numbers[i] = i;
        if (thrd_create(&t[i], work, &numbers[i]) != thrd_success)
            return 1;
    }
    for (int i = 0; i < 40; i++)
        thrd_join(t[i], &result), sum += result;
    printf("%d %d %d %d\n", total, sum, destroyed, mine);
    return 0;
}
