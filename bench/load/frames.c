/* A crash below twenty calls: what does it cost to make tests of it? */
#include <stdio.h>
#include <stdlib.h>

struct job {
    struct job *next;
    const char *name;
    int number, count[8];
};

static __attribute__((noinline)) int level_1(struct job *job, int depth) {
    job->count[0] += depth;
    while (job->next)
        job = job->next;
    return *job->next->name;
}

#define LEVEL(to, below)                                                                           \
    static __attribute__((noinline)) int level_##to(struct job *job, int depth) {                  \
        job->count[to % 8] += depth;                                                               \
        int result = level_##below(job, depth + 1);                                                \
        return result + job->number;                                                               \
    }
LEVEL(2, 1)
LEVEL(3, 2)
LEVEL(4, 3)
LEVEL(5, 4)
LEVEL(6, 5)
LEVEL(7, 6)
LEVEL(8, 7)
LEVEL(9, 8)
LEVEL(10, 9)
LEVEL(11, 10)
LEVEL(12, 11)
LEVEL(13, 12)
LEVEL(14, 13)
LEVEL(15, 14)
LEVEL(16, 15)
LEVEL(17, 16)
LEVEL(18, 17)
LEVEL(19, 18)
LEVEL(20, 19)

int main(void) {
    struct job *jobs = NULL;
    for (int i = 0; i < 1000; i++) {
        struct job *job = calloc(1, sizeof *job);
        *job = (struct job){.next = jobs, .name = "job", .number = i};
        jobs = job;
    }
    printf("%d\n", level_20(jobs, 1));
    return 0;
}
