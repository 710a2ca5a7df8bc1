/* Goes on when its recording has ended, with what it began before: jumps, handlers, threads, things
 * to clean up, streams. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <unistd.h>

static jmp_buf before, after;
static sigjmp_buf in_handler;
static pthread_barrier_t barrier;

static void clean(void *what) { printf("clean %s\n", (const char *)what); }

static void *work(void *argument) {
    jmp_buf own;
    pthread_cleanup_push(clean, "outer");
    if (setjmp(own) == 0) {
        pthread_barrier_wait(&barrier); /* the recording ends ... */
        pthread_barrier_wait(&barrier); /* ... here */
        longjmp(own, 1);
    }
    pthread_cleanup_push(clean, "inner");
    pthread_exit(argument);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

static void handle(int number) { siglongjmp(in_handler, number); }

int main(void) {
    pthread_t thread;
    FILE *file = tmpfile();
    void *result = NULL;
    char line[20] = "";
    fprintf(file, "before\n");
    signal(SIGUSR1, handle);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, work, &thread);
    pthread_barrier_wait(&barrier);
    if (setjmp(before) == 0) {
        ptrace(PTRACE_PEEKDATA, 1, 0, 0);
        longjmp(before, 1);
    }
    puts("back from before");
    if (setjmp(after) == 0)
        longjmp(after, 1);
    puts("back from after");
    if (sigsetjmp(in_handler, 1) == 0)
        raise(SIGUSR1);
    puts("back from a handler");
    pthread_barrier_wait(&barrier);
    pthread_join(thread, &result);
    printf("joined %d\n", result == &thread);
    fprintf(file, "after\n");
    rewind(file);
    while (fgets(line, sizeof line, file))
        fputs(line, stdout);
    pthread_create(&thread, NULL, (void *(*)(void *))pthread_exit, &file);
    pthread_join(thread, &result);
    printf("joined %d\n", result == &file);
    return 0;
}
