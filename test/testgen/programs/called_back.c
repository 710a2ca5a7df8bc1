/* A comparison that qsort() calls, and a function whose second argument the compiler knows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    const char *key;
    int n;
};
static int calls;

static int compare(const void *a, const void *b) {
    const struct record *x = a, *y = b;
#ifdef FIXED
    if (!x->key || !y->key)
        return !!x->key - !!y->key;
#endif
    return strcmp(x->key, y->key);
}

static __attribute__((noinline)) void sort(struct record *records, size_t count) {
    calls++;
    qsort(records, count, sizeof *records, compare);
    calls--;
}

int main(void) {
    struct record records[] = {{"z", 1}, {"b", 2}, {"c", 3}, {NULL, 4}, {"a", 5}, {"q", 6}};
    sort(records, 6);
    struct record wanted = {"c", 0};
    struct record *found = bsearch(&wanted, records + 1, 5, sizeof wanted, compare);
    printf("%d\n", found ? found->n : -1);
    return 0;
}
