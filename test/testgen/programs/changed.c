/* What the function was given has changed when it fails (ReCrash, section 2.2.1). */
#include <stdio.h>
#include <stdlib.h>

struct job {
    int *data;
    int left;
    int sum;
};
volatile int divisor;

static __attribute__((noinline)) int work(struct job *job) {
    if (job->left < 3)
        return 0;
    for (; job->left > 0; job->left--)
        job->sum += job->data[job->left - 1];
    job->data = NULL;
#ifdef FIXED
    if (!divisor)
        return -1;
#endif
    return job->sum / divisor;
}

static __attribute__((noinline)) int prepare(struct job *job, int more) {
    job->left += more;
    return work(job) + job->left;
}

int main(void) {
    int data[5] = {1, 2, 3, 4, 5};
    struct job job = {data, 2, 0};
    printf("%d\n", prepare(&job, 3));
    return 0;
}
