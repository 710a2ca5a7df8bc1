/* Programs that are wrong: what comes out of them depends on who is between whose steps. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { workers = 3, rounds = 20000 };

static void all(void *(*work)(void *)) {
    pthread_t threads[workers];
    for (unsigned long i = 0; i < workers; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
            exit(1);
    for (unsigned i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
}

/* --- a counter without a lock --------------------------------------------------------- */

static volatile unsigned counter;

static unsigned one_more(unsigned value) { return value + 1; }
static unsigned (*volatile more)(unsigned) = one_more;

static void *count(void *argument) {
    for (unsigned i = 0; i < rounds; i++) {
        unsigned seen = counter;
        counter = more(seen);
    }
    return argument;
}

/* --- double-checked initialisation ---------------------------------------------------- */

static struct thing {
    volatile unsigned long value;
} *volatile thing;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static unsigned made, early;

static struct thing *get(void) {
    struct thing *found = thing;
    if (found)
        return found;
    pthread_mutex_lock(&making);
    found = thing;
    if (!found) {
        found = calloc(1, sizeof *found);
        thing = found; /* too early */
        for (volatile unsigned i = 0; i < 300; i++)
            ;
        found->value = 17;
        made++;
    }
    pthread_mutex_unlock(&making);
    return found;
}

static void *use(void *argument) {
    unsigned mine = 0;
    for (unsigned i = 0; i < rounds / 10; i++) {
        mine += get()->value == 0;
        if (i % 64 == 63)
            thing = NULL;
    }
    __atomic_add_fetch(&early, mine, __ATOMIC_SEQ_CST);
    return argument;
}

/* --- a free list that takes a node for the one it was ---------------------------------- */

enum { nodes = 4 };
static struct node {
    struct node *volatile next;
    volatile unsigned users;
} pool[nodes];
static struct node *volatile head;
static unsigned twice, lost;

static struct node *pop(void) {
    for (;;) {
        struct node *first = head;
        if (!first)
            return NULL;
        struct node *next = first->next; /* may be another's by now */
        for (volatile unsigned i = 0; i < 3; i++)
            ;
        if (__sync_bool_compare_and_swap(&head, first, next))
            return first;
    }
}

static void push(struct node *node) {
    do
        node->next = head;
    while (!__sync_bool_compare_and_swap(&head, node->next, node));
}

static void *juggle(void *argument) {
    for (unsigned i = 0; i < rounds / 4; i++) {
        struct node *one = pop(), *other = pop();
        if (one && one->users++)
            __sync_add_and_fetch(&twice, 1);
        if (one) {
            one->users--;
            push(one);
        }
        if (other)
            push(other);
        else
            __sync_add_and_fetch(&lost, 1);
    }
    return argument;
}

int main(int count_of_arguments, char **arguments) {
    const char *which = count_of_arguments > 1 ? arguments[1] : "counter";
    if (strcmp(which, "counter") == 0) {
        all(count);
        printf("%u of %u\n", counter, workers * rounds);
    } else if (strcmp(which, "checked") == 0) {
        all(use);
        printf("made %u, early %u\n", made, early);
    } else {
        for (unsigned i = 0; i < nodes; i++)
            push(&pool[i]);
        all(juggle);
        unsigned left = 0;
        for (struct node *at = head; at && left < 100; at = at->next)
            left++;
        printf("twice %u, lost %u, left %u\n", twice, lost, left);
    }
    return 0;
}
