/* Threads that meet in atomic operations only: a spin lock, a counter, a list without
 * locks, flags that are waited for. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { threads = 3, rounds = 2000 };

static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_uint tickets, ready;
static _Atomic(struct node *) head;
static unsigned long trail; /* under `lock` */
static unsigned old_style;

struct node {
    struct node *next;
    unsigned long value;
};

static int by_hand;

static int add_by_hand(int *at, int number) {
    __asm__ volatile("lock; xaddl %0, (%1)" : "+r"(number) : "r"(at) : "memory");
    return number;
}

static int exchange_by_hand(int *at, int number) {
    __asm__ volatile("xchgl %0, %1" : "+r"(number), "+m"(*at));
    return number;
}

static void take(void) {
    for (unsigned spins = 0; atomic_flag_test_and_set_explicit(&lock, memory_order_acquire);)
        if (++spins % 64 == 0)
            sched_yield();
}

static void push(unsigned long value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load(&head);
    while (!atomic_compare_exchange_weak(&head, &node->next, node))
        ;
}

static void *run(void *argument) {
    unsigned long me = (unsigned long)argument, sum = 0;
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) < threads)
        sched_yield();
    for (unsigned i = 0; i < rounds; i++) {
        sum = sum * 31 + atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed);
        take();
        trail = trail * 31 + me;
        atomic_flag_clear_explicit(&lock, memory_order_release);
        if (i % 8 == 0)
            push(me * 10000 + i);
        sum += __sync_fetch_and_add(&old_style, 3);
        sum = sum * 7 + (unsigned)add_by_hand(&by_hand, (int)me);
        if (i % 32 == 0)
            sum += (unsigned)exchange_by_hand(&by_hand, (int)i);
        if (i % 16 == 0)
            sum ^= __atomic_exchange_n(&old_style, (unsigned)me, __ATOMIC_SEQ_CST);
    }
    return (void *)sum;
}

static int turn; /* 0: ping's, 1: pong's */
static unsigned long passed;

static void *pong(void *argument) {
    for (unsigned i = 0; i < 300; i++) {
        while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != 1)
            sched_yield();
        passed = passed * 17 + i;
        __atomic_store_n(&turn, 0, __ATOMIC_RELEASE);
    }
    return argument;
}

int main(void) {
    pthread_t all[threads], other;
    for (unsigned long i = 0; i < threads; i++)
        pthread_create(&all[i], NULL, run, (void *)(i + 1));
    for (unsigned i = 0; i < threads; i++) {
        void *result;
        pthread_join(all[i], &result);
        printf("%u: %lx\n", i, (unsigned long)result);
    }
    unsigned long list = 0;
    for (struct node *node = head; node; node = node->next)
        list = list * 31 + node->value + (unsigned long)node;
    printf("trail %lx, list %lx, %u %u\n", trail, list, tickets, old_style);
    pthread_create(&other, NULL, pong, NULL);
    for (unsigned i = 0; i < 300; i++) {
        passed = passed * 31 + i;
        __atomic_store_n(&turn, 1, __ATOMIC_RELEASE);
        while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != 0)
            sched_yield();
    }
    pthread_join(other, NULL);
    printf("passed %lx\n", passed);
    return 0;
}
