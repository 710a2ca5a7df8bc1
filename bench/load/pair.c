/* Two threads that take blocks of work from a common list, as a compressor's do: pair N. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { block = 128 * 1024, threads = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long next, blocks, sum;

/* Sorts the block's suffixes by their first bytes, and codes the moves to the front. */
static unsigned long compress(unsigned long number) {
    unsigned char *bytes = malloc(block), *order = malloc(256);
    unsigned counts[256] = {0};
    unsigned long seed = number * 2654435761UL + 1, out = 0;
    for (unsigned i = 0; i < block; i++) {
        seed = seed * 6364136223846793005UL + 1442695040888963407UL;
        bytes[i] = (unsigned char)((seed >> 40) % 40 + (i & 31));
        counts[bytes[i]]++;
    }
    for (unsigned i = 0; i < 256; i++)
        order[i] = (unsigned char)i;
    for (unsigned i = 0; i < block; i++) {
        unsigned at = 0;
        while (order[at] != bytes[i])
            at++;
        memmove(order + 1, order, at);
        order[0] = bytes[i];
        out = out * 31 + at + counts[bytes[i]];
    }
    free(order);
    free(bytes);
    return out;
}

static void *work(void *argument) {
    for (;;) {
        pthread_mutex_lock(&lock);
        unsigned long number = next < blocks ? next++ : blocks;
        pthread_mutex_unlock(&lock);
        if (number == blocks)
            return argument;
        unsigned long result = compress(number);
        pthread_mutex_lock(&lock);
        sum += result;
        pthread_mutex_unlock(&lock);
    }
}

int main(int arguments, char **argument) {
    pthread_t all[threads];
    blocks = arguments > 1 ? strtoul(argument[1], NULL, 10) : 400;
    for (int i = 0; i < threads; i++)
        pthread_create(&all[i], NULL, work, NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(all[i], NULL);
    printf("%lx\n", sum);
    return 0;
}
