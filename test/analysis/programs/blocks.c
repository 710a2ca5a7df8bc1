/* Blocks that functions hand out: where a parameter points, behind a header, both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int a, b, c, d, e, f, g, h, k, l, m, n, o;

/* int f(size_t, void *storep), and one on top of it. */
__attribute__((noinline)) static int os_malloc(size_t size, void *storep) {
    void *p = malloc(size);
    if (!p)
        return 1;
    *(void **)storep = p;
    return 0;
}
__attribute__((noinline)) static int os_calloc(size_t size, void *storep) {
    int failed = os_malloc(size, storep);
    if (failed)
        return failed;
    memset(*(void **)storep, 0, size);
    return 0;
}
struct cell {
    int *value;
};
int *from_malloc; /* expect from_malloc: a */
int *from_calloc; /* expect from_calloc: b */
int *from_second; /* expect from_second: c */

static void test_stored(void) {
    struct cell *first, *second, *third;
    if (os_malloc(sizeof *first, &first) || os_calloc(sizeof *second, &second) ||
        os_calloc(sizeof *third, &third))
        return;
    first->value = &a;
    second->value = &b;
    third->value = &c;
    from_malloc = first->value;
    from_calloc = second->value;
    from_second = third->value;
}

/* A size in front of each block, as zmalloc() has it, and one on top of it. */
__attribute__((noinline)) static void *with_size(size_t size) {
    size_t *p = malloc(size + 2 * sizeof *p);
    if (!p)
        return NULL;
    *p = size;
    return (char *)p + 2 * sizeof *p;
}
__attribute__((noinline)) static struct cell *new_cell(void) {
    return with_size(sizeof(struct cell));
}
__attribute__((noinline)) static size_t size_of(void *p) { return *((size_t *)p - 2); }
__attribute__((noinline)) static void *resize(void *p, size_t size) {
    size_t *real = realloc((size_t *)p - 2, size + 2 * sizeof *real);
    if (!real)
        return NULL;
    *real = size;
    return real + 2;
}
int *behind_header;  /* expect behind_header: d */
int *behind_header2; /* expect behind_header2: e */
int *resized;        /* expect-at-least resized: f */
int *header;         /* expect header: g */

static void test_moved(void) {
    struct cell *first = new_cell(), *second = new_cell(), *third = with_size(sizeof *third);
    if (!first || !second || !third || !size_of(first))
        return;
    first->value = &d;
    second->value = &e;
    behind_header = first->value;
    behind_header2 = second->value;
    third->value = &f;
    third = resize(third, 64);
    resized = third->value;
    int **begin = (int **)((char *)with_size(8) - 2 * sizeof(size_t));
    *begin = &g;
    header = *begin;
}

/* Libraries that do the same. */
__attribute__((noinline)) static int aligned(void **ret, size_t size) {
    return posix_memalign(ret, 64, size);
}
int *from_aligned;  /* expect from_aligned: h */
int *from_aligned2; /* expect from_aligned2: k */

static void test_aligned(void) {
    void *first, *second;
    if (aligned(&first, sizeof(int *)) || aligned(&second, sizeof(int *)))
        return;
    *(int **)first = &h;
    *(int **)second = &k;
    from_aligned = *(int **)first;
    from_aligned2 = *(int **)second;
}

/* In and out: a block that is there already stays what it is. */
__attribute__((noinline)) static void safe_resize(void *at, size_t size) {
    void **p = at;
    void *block = *p ? realloc(*p, size) : malloc(size);
    if (!block)
        abort();
    *p = block;
}
int *grown;  /* expect grown: l */
int *grown2; /* expect grown2: m */

static void test_grown(void) {
    int **first = NULL, **second = NULL;
    safe_resize(&first, sizeof *first);
    safe_resize(&second, sizeof *second);
    *first = &l;
    *second = &m;
    safe_resize(&first, 2 * sizeof *first);
    safe_resize(&second, 2 * sizeof *second);
    grown = *first;
    grown2 = *second;
}

/* One that is called back has no call to name its block; and what is kept inside is all of them. */
static struct cell *kept;
static int *seen;   /* expect seen: n o */
int *seen_by_other; /* expect seen_by_other: n */
__attribute__((noinline)) static int make(struct cell **ret) {
    struct cell *cell = malloc(sizeof *cell);
    if (!cell)
        return 1;
    kept = cell;
    *ret = cell;
    return 0;
}

static void test_kept(void) {
    struct cell *first, *second;
    if (make(&first) || make(&second))
        return;
    first->value = &n;
    second->value = &o;
    seen = kept->value;
    seen_by_other = first->value;
}

int main(void) {
    test_stored();
    test_moved();
    test_aligned();
    test_grown();
    test_kept();
    printf("%d\n", *from_malloc + *from_calloc + *from_second + *behind_header + *behind_header2 +
                       *resized + *header + *from_aligned + *from_aligned2 + *grown + *grown2 +
                       *seen + *seen_by_other);
    return 0;
}
