/* Threads that are cancelled, in every kind of call, and what cleans up after them. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t semaphore, ready;
static int ends[2];
static int cleaned; /* under lock */
static volatile long worked;
static pthread_key_t key;
static pthread_t sleeper;

static void unlock(void *mutex) {
    cleaned++;
    pthread_mutex_unlock(mutex);
}
static void note(void *text) {
    pthread_mutex_lock(&lock);
    cleaned++;
    pthread_mutex_unlock(&lock);
    printf("cleaning up %s\n", (const char *)text);
}
static void forget(void *block) {
    printf("destructor %s\n", (char *)block);
    free(block);
}

static void *in_read(void *text) {
    char buffer[8];
    pthread_setspecific(key, strdup("of read"));
    pthread_cleanup_push(note, text);
    pthread_cleanup_push(note, "inner");
    sem_post(&ready);
    printf("read %zd\n", read(ends[0], buffer, sizeof buffer));
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(1);
    return "read came back";
}
static void *in_wait(void *text) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    sem_post(&ready);
    for (;;)
        pthread_cond_wait(&changed, &lock);
    pthread_cleanup_pop(1);
    return text;
}
static void *in_semaphore(void *text) {
    pthread_cleanup_push(note, text);
    sem_post(&ready);
    sem_wait(&semaphore);
    pthread_cleanup_pop(0);
    return "semaphore came";
}
static void *in_sleep(void *text) {
    sem_post(&ready);
    struct timespec a_while = {100, 0};
    nanosleep(&a_while, NULL);
    return text;
}
static void *in_join(void *text) {
    pthread_cleanup_push(note, text);
    sem_post(&ready);
    pthread_join(sleeper, NULL);
    pthread_cleanup_pop(0);
    return "joined";
}
static void *in_test(void *text) {
    pthread_cleanup_push(note, text);
    sem_post(&ready);
    for (;;) {
        worked++;
        pthread_testcancel();
    }
    pthread_cleanup_pop(0);
    return NULL;
}
static void *disabled(void *text) {
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    sem_post(&ready);
    usleep(20000);
    printf("not yet, %s\n", (char *)text);
    fflush(stdout);
    pthread_setcancelstate(old, NULL);
    pthread_testcancel();
    return "never";
}
static void *deep(void *depth) {
    pthread_cleanup_push(note, "a level");
    if ((intptr_t)depth)
        deep((void *)((intptr_t)depth - 1));
    else
        in_sleep(NULL);
    pthread_cleanup_pop(0);
    return NULL;
}
static void *in_line(void *text) {
    char line[100];
    FILE *stream = text;
    sem_post(&ready);
    return fgets(line, sizeof line, stream) ? "a line" : "none";
}
static void *itself(void *text) {
    pthread_cleanup_push(note, text);
    pthread_cancel(pthread_self());
    puts("still here");
    sem_post(&ready);
    usleep(1);
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return "never";
}

/* Ends wherever it is; its type is seen by others only if somebody cancels it. */
static void *anywhere(void *spins) {
    int old = -1;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    printf("was %s\n", old == PTHREAD_CANCEL_DEFERRED ? "deferred" : "asynchronous");
    pthread_setcanceltype(99, NULL); /* is no type, and changes nothing */
    sem_post(&ready);
    for (volatile int i = 0; spins; i++)
        ;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
    printf("was %s\n", old == PTHREAD_CANCEL_DEFERRED ? "deferred" : "asynchronous");
    return NULL;
}

static int stops; /* recording, while a thread waits to be cancelled */

static void end(const char *name, void *(*entry)(void *), void *argument, int wait) {
    pthread_t thread;
    void *result;
    if (pthread_create(&thread, NULL, entry, argument))
        exit(2);
    sem_wait(&ready);
    if (stops && entry == deep) {
        pthread_t spinning;
        usleep(20000);
        pthread_create(&spinning, NULL, anywhere, &spinning);
        sem_wait(&ready);
        pthread_cancel(spinning);
        pthread_join(spinning, NULL);
    }
    if (wait)
        usleep(3000);
    int failed = entry == itself ? 0 : pthread_cancel(thread);
    pthread_join(thread, &result);
    pthread_mutex_lock(&lock);
    printf("%s: %d, %s, %d cleaned up\n", name, failed,
           result == PTHREAD_CANCELED ? "cancelled" : (char *)result, cleaned);
    pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv) {
    int line[2];
    (void)argv;
    stops = argc > 1;
    sem_init(&semaphore, 0, 0);
    sem_init(&ready, 0, 0);
    pthread_key_create(&key, forget);
    if (pipe(ends) || pipe(line))
        return 2;
    for (int wait = 0; wait < 2; wait++) {
        end("read", in_read, "outer", wait);
        end("wait", in_wait, "wait", wait);
        end("semaphore", in_semaphore, "semaphore", wait);
        end("sleep", in_sleep, "sleep", wait);
        pthread_create(&sleeper, NULL, in_sleep, NULL);
        sem_wait(&ready);
        end("join", in_join, "join", wait);
        pthread_cancel(sleeper);
        pthread_join(sleeper, NULL);
        end("test", in_test, "test", wait);
        end("disabled", disabled, "disabled", wait);
        end("deep", deep, (void *)5, wait);
        end("itself", itself, "itself", wait);
    }
    pthread_t asynchronous;
    pthread_create(&asynchronous, NULL, anywhere, NULL);
    sem_wait(&ready);
    pthread_join(asynchronous, NULL);
    FILE *stream = fdopen(line[0], "r");
    end("line", in_line, stream, 1);
    if (write(line[1], "late\n", 5) != 5)
        return 2;
    char text[100];
    printf("worked: %d, then: %s", worked > 0,
           fgets(text, sizeof text, stream) ? text : "nothing\n");
    pthread_t several[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&several[i], NULL, i % 2 ? in_wait : in_read, "many");
    for (int i = 0; i < 6; i++)
        sem_wait(&ready);
    for (int i = 5; i >= 0; i--)
        pthread_cancel(several[i]);
    for (int i = 0; i < 6; i++) {
        void *result;
        pthread_join(several[i], &result);
        printf("%d %d\n", i, result == PTHREAD_CANCELED);
    }
    printf("%d cleaned up, %ld times\n", cleaned, worked % 10);
    return 0;
}
