/*
 * Children of a program whose threads run side by side: each says what it found, with its own
 * number in front.  Handlers of pthread_atfork() see to it that a child has the lock; beside it
 * there are an atomic variable, memory that one thread allocates and another frees, and
 * threads that a child makes.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long state = 1, rounds;
static char *notes[16]; /* by whoever has the lock: freed by another thread, mostly */
static atomic_ulong tickets, stop;
static sem_t posted;

static void say(const char *what, unsigned long number) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("%d: %s %lx at %ld\n", (int)getpid(), what, number, now.tv_nsec);
    fflush(stdout);
}

static void take_lock(void) { pthread_mutex_lock(&lock); }
static void give_lock(void) { pthread_mutex_unlock(&lock); }

static void step(unsigned long who) {
    pthread_mutex_lock(&lock);
    state = state * 6364136223846793005UL + who;
    unsigned at = (unsigned)(state >> 40) % 16;
    free(notes[at]);
    notes[at] = malloc(16 + (state >> 33) % 200);
    memcpy(notes[at], &state, sizeof state);
    rounds++;
    pthread_mutex_unlock(&lock);
    if (atomic_fetch_add(&tickets, who) % 7 == 0)
        sem_post(&posted);
    else
        sem_trywait(&posted);
}

static void *work(void *who) {
    while (!atomic_load(&stop))
        step((unsigned long)who);
    return NULL;
}

static void *work_a_little(void *who) {
    for (int i = 0; i < 20; i++)
        step((unsigned long)who);
    return NULL;
}

static unsigned long sum(void) {
    unsigned long all = 0;
    for (int i = 0; i < 16; i++)
        if (notes[i])
            all = all * 31 + *(unsigned long *)notes[i] + (unsigned long)notes[i];
    return all;
}

static void be_child(int number) {
    pthread_t threads[2];
    pthread_mutex_lock(&lock);
    say("state", state);
    say("rounds", rounds);
    say("notes", sum());
    pthread_mutex_unlock(&lock);
    say("tickets", atomic_load(&tickets));
    for (unsigned long i = 0; i < 40; i++)
        step(i);
    say("notes", sum());
    if (number % 2) {
        for (unsigned long i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, work_a_little, (void *)(i + 5));
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        say("notes", sum());
    }
    exit(10 + number);
}

static void *make_children(void *count) {
    for (int i = 0; i < (int)(long)count; i++) {
        pid_t child = fork();
        if (child == 0)
            be_child(i);
        int status = 0;
        waitpid(child, &status, 0);
        printf("%d: child %d ended: %x\n", (int)getpid(), (int)child, (unsigned)status);
        fflush(stdout);
    }
    return NULL;
}

int main(void) {
    pthread_t workers[3], maker;
    pthread_atfork(take_lock, give_lock, give_lock);
    sem_init(&posted, 0, 0);
    for (unsigned long i = 0; i < 3; i++)
        pthread_create(&workers[i], NULL, work, (void *)(i + 1));
    make_children((void *)2L);
    pthread_create(&maker, NULL, make_children, (void *)3L);
    pthread_join(maker, NULL);
    atomic_store(&stop, 1);
    for (int i = 0; i < 3; i++)
        pthread_join(workers[i], NULL);
    say("end", state);
    return 0;
}
