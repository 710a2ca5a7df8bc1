/* A program with a heap of its own, which libc uses too. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <errno.h>

static char arena[8 << 20] __attribute__((aligned(16)));
static size_t used, calls;

void *malloc(size_t size) {
    calls++;
    size = (size + 31) & ~(size_t)15;
    if (size > sizeof arena - used) {
        errno = ENOMEM;
        return NULL;
    }
    size_t *block = (size_t *)(arena + used);
    used += size;
    block[0] = size - 16;
    return block + 2;
}
void free(void *p) { (void)p; }
void *calloc(size_t n, size_t size) { void *p = malloc(n * size); return p ? memset(p, 0, n * size) : NULL; }
void *realloc(void *p, size_t size) {
    void *q = malloc(size);
    if (q && p)
        memcpy(q, p, ((size_t *)p)[-2] < size ? ((size_t *)p)[-2] : size);
    return q;
}
void *memalign(size_t align, size_t size) {
    char *p = malloc(size + align);
    return p ? p + (align - (size_t)p % align) % align : NULL;
}
void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }
int posix_memalign(void **r, size_t align, size_t size) { return (*r = memalign(align, size)) ? 0 : ENOMEM; }
size_t malloc_usable_size(void *p) { return ((size_t *)p)[-2]; }

static int is_mine(void *p) { return (char *)p >= arena && (char *)p < arena + sizeof arena; }

int main(void) {
    char *a = malloc(10), *b = strdup("text"), *c = NULL, *line = NULL;
    size_t size = 0;
    int n = asprintf(&c, "%d", 12345);
    FILE *f = fopen("/etc/passwd", "r");
    ssize_t got = f ? getline(&line, &size, f) : -1;
    if (f)
        fclose(f);
    printf("%d %d %d %d %d\n", is_mine(a), is_mine(b), is_mine(c), n, got > 0 && is_mine(line));
    b = realloc(b, 100);
    printf("%s %d\n", b, calls > 4);
    return 0;
}
