/*
 * Children, as many as are asked for, of a program whose threads are always at some semaphore: a
 * fork() comes while one of them has its turn.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t posted[8];
static atomic_int stop;

static void *hammer(void *who) {
    unsigned long n = (unsigned long)who;
    while (!atomic_load(&stop))
        for (int i = 0; i < 100; i++) {
            n = n * 6364136223846793005UL + 1;
            sem_post(&posted[n >> 61]);
            sem_trywait(&posted[n >> 61]);
        }
    return NULL;
}

static void be_child(void) {
    int sum = 0;
    for (int i = 0; i < 40; i++) {
        sem_post(&posted[i % 8]);
        sum = sum * 2 + (sem_trywait(&posted[i % 8]) == 0);
    }
    printf("%d: %x\n", (int)getpid(), sum);
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    for (int i = 0; i < 8; i++)
        sem_init(&posted[i], 0, 0);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, hammer, (void *)(i + 1));
    for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 10); i++) {
        pid_t child = fork();
        if (child == 0)
            be_child();
        waitpid(child, NULL, 0);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
