/*
 * qsort and qsort_r.
 *
 * glibc's qsort() asks how much memory the machine has before it chooses an
 * algorithm.  This is the one that it chooses where there is enough: merge sort
 * of the halves, by copies of the elements or, when these are large, of pointers
 * to them.  The comparisons are the same ones in the same order, and nothing is
 * left in the log.  n log n comparisons; memory for one copy, which the program
 * never gets to see.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/raw.h"

enum { small_sort = 1024, large_element = 32 };

struct sort {
    size_t size; /* of an element */
    int (*compare)(const void *, const void *, void *);
    void *argument;
    bool is_indirect; /* elements are pointers to what is compared */
    char *spare;
};

/* --- memory -------------------------------------------------------------------------- */

/* The last one stays for the next sort: programs sort often. */
struct spare {
    void *memory;
    size_t size;
};
static struct spare kept;
static int kept_lock;

static struct spare take_spare(size_t size) {
    struct spare spare = {NULL, 0};
    if (!__atomic_exchange_n(&kept_lock, 1, __ATOMIC_ACQUIRE)) {
        spare = kept;
        kept = (struct spare){NULL, 0};
        __atomic_store_n(&kept_lock, 0, __ATOMIC_RELEASE);
    }
    if (spare.size >= size)
        return spare;
    if (spare.memory)
        raw_syscall3(SYS_munmap, (long)spare.memory, (long)spare.size, 0);
    size = (size + 65535) / 65536 * 65536;
    long at = raw_syscall6(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at < 0 && at > -4096 ? (struct spare){NULL, 0} : (struct spare){(void *)at, size};
}

static void give_spare(struct spare spare) {
    if (!__atomic_exchange_n(&kept_lock, 1, __ATOMIC_ACQUIRE)) {
        struct spare old = kept;
        kept = spare;
        spare = old;
        __atomic_store_n(&kept_lock, 0, __ATOMIC_RELEASE);
    }
    if (spare.memory)
        raw_syscall3(SYS_munmap, (long)spare.memory, (long)spare.size, 0);
}

/* --- sorting --------------------------------------------------------------------------- */

static int compare(const struct sort *sort, const char *a, const char *b) {
    if (sort->is_indirect)
        return sort->compare(*(void *const *)(const void *)a, *(void *const *)(const void *)b,
                             sort->argument);
    return sort->compare(a, b, sort->argument);
}

/* Most elements are numbers or pointers. */
static inline void copy_one(char *to, const char *from, size_t size) {
    if (size == 8)
        memcpy(to, from, 8);
    else if (size == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, size);
}

static void merge_sort(const struct sort *sort, char *base, size_t n) {
    if (n <= 1)
        return;
    size_t size = sort->is_indirect ? sizeof(void *) : sort->size;
    size_t left = n / 2, right = n - left;
    char *a = base, *b = base + left * size, *to = sort->spare;
    merge_sort(sort, a, left);
    merge_sort(sort, b, right);
    while (left && right) {
        bool first = compare(sort, a, b) <= 0;
        char **from = first ? &a : &b;
        copy_one(to, *from, size);
        *from += size;
        to += size;
        first ? left-- : right--;
    }
    memcpy(to, a, left * size);
    memcpy(base, sort->spare, (n - right) * size);
}

/* Puts each element where the order of the pointers says, along the cycles of
 * the permutation. */
static void permute(char *base, size_t n, size_t size, char **order, char *one) {
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        if (order[i] == base + i * size)
            continue;
        memcpy(one, base + i * size, size);
        for (;;) {
            size_t from = (size_t)(order[at] - base) / size;
            order[at] = base + at * size;
            if (from == i)
                break;
            memcpy(base + at * size, base + from * size, size);
            at = from;
        }
        memcpy(base + at * size, one, size);
    }
}

static void sort_all(struct sort *sort, char *base, size_t n) {
    sort->is_indirect = sort->size > large_element;
    size_t bytes = sort->is_indirect ? 2 * n * sizeof(void *) + sort->size : n * sort->size;
    _Alignas(16) char small[small_sort];
    struct spare spare = {NULL, 0};
    if (bytes > sizeof small && !(spare = take_spare(bytes)).memory)
        return; /* an array that there is memory for once, but not twice */
    char *memory = spare.memory ? spare.memory : small;
    if (sort->is_indirect) {
        char **order = (char **)(void *)memory;
        sort->spare = memory + n * sizeof *order;
        for (size_t i = 0; i < n; i++)
            order[i] = base + i * sort->size;
        merge_sort(sort, memory, n);
        permute(base, n, sort->size, order, memory + 2 * n * sizeof *order);
    } else {
        sort->spare = memory;
        merge_sort(sort, base, n);
    }
    if (spare.memory)
        give_spare(spare);
}

typedef int plain_compare(const void *, const void *);
void __recut_special_qsort(void *, size_t, size_t, plain_compare *);
void __recut_special_qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *),
                             void *);

/* A function of two arguments does not look at the third. */
void __recut_special_qsort(void *base, size_t n, size_t size, plain_compare *function) {
    union {
        plain_compare *plain;
        int (*with_argument)(const void *, const void *, void *);
    } either = {.plain = function};
    __recut_special_qsort_r(base, n, size, either.with_argument, NULL);
}

void __recut_special_qsort_r(void *base, size_t n, size_t size,
                             int (*function)(const void *, const void *, void *), void *argument) {
    struct sort sort = {.size = size, .compare = function, .argument = argument};
    if (n > 1 && size)
        sort_all(&sort, base, n);
}
