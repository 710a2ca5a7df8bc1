/* A crash in a second thread, which has the slot of one that ended: its thread-locals, a lock, a file. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    int id;
    char *name;
    struct job *next;
};
static __thread int level = 3;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int begun;

static __attribute__((noinline)) int work(struct job *job, int more) {
    char text[32];
    level += more;
    pthread_mutex_lock(&lock);
    begun++;
    pthread_mutex_unlock(&lock);
    snprintf(text, sizeof text, "job %d", job->id);
#ifdef FIXED
    if (!job->next)
        return level;
#endif
    return job->next->id + level + (int)strlen(text);
}

static __attribute__((noinline)) int handle(struct job *job) { return work(job, level) + 1; }

static void *begin(void *argument) {
    struct job *job = argument;
    FILE *file = fopen("/proc/self/comm", "r");
    job->name = calloc(1, 100);
    if (!file || !fgets(job->name, 100, file) || strncmp(job->name, "thread", 6) != 0)
        return NULL;
    fclose(file);
    return (void *)(long)handle(job);
}

int main(void) {
    struct job *second = calloc(1, sizeof *second), *first = calloc(1, sizeof *first);
    *first = (struct job){.id = 1, .next = second};
    second->id = 2;
    for (struct job *job = first; job; job = job->next) {
        pthread_t thread;
        pthread_create(&thread, NULL, begin, job);
        pthread_join(thread, NULL);
    }
    printf("%d\n", begun);
    return 0;
}
