#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
/* Environment sorts what the part reads; the comparator is of the part, and asks in its turn. */
int values[40], asked;
__attribute__((noinline)) int compare(const void *a, const void *b) {
    time_t t = 0;
    struct tm *tm = gmtime(&t);
    asked += tm ? tm->tm_mday : 1;
    return *(const int *)a - *(const int *)b;
}
__attribute__((noinline)) int total(void) {
    int sum = 0;
    for (int i = 0; i < 40; i++)
        sum = sum * 3 + values[i];
    return sum + asked;
}
static void *work(void *data) {
    for (int i = 0; i < 40; i++)
        values[i] = i * 7919 % 101;
    qsort(values, 40, sizeof *values, compare);
    return (void *)(size_t)((unsigned)total() % 200 + 3);
}
int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    return (int)(size_t)result;
}
