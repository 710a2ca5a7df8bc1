/* The heap: all its functions, odd sizes, failure, memory that libc gives and
 * takes back, and what a program may observe of it. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <limits.h>
#include <wchar.h>

static volatile size_t huge = SIZE_MAX / 2 + 100;
static unsigned next_random(unsigned *s) { return *s = *s * 1664525u + 1013904223u; }

static int stress(void) {
    enum { slots = 1000 };
    static unsigned char *block[slots];
    static size_t size[slots];
    unsigned seed = 1;
    for (int step = 0; step < 200000; step++) {
        unsigned i = next_random(&seed) >> 8, n = i % slots, want = (i >> 10) % (step % 100 ? 500 : 50000);
        for (size_t k = 0; k < size[n]; k += 37)
            if (block[n][k] != (unsigned char)n)
                return 1;
        if (i & 1) {
            block[n] = realloc(block[n], want + 1);
        } else {
            free(block[n]);
            block[n] = i & 2 ? calloc(want + 1, 1) : i & 4 ? memalign(64, want + 1) : malloc(want + 1);
        }
        size[n] = want + 1;
        memset(block[n], (int)n, size[n]);
        if ((uintptr_t)block[n] % 16)
            return 2;
    }
    for (int i = 0; i < slots; i++)
        free(block[i]);
    return 0;
}

int main(void) {
    printf("%d\n", stress());
    void *zero = malloc(0), *zero2 = malloc(0);
    printf("%d %d\n", zero != NULL, zero != zero2);
    free(zero), free(zero2), free(NULL);
    errno = 0;
    void *volatile impossible = malloc(huge);
    printf("%d %d\n", impossible == NULL, errno == ENOMEM);
    printf("%d\n", calloc(huge, 4) == NULL);
    char *p = malloc(10);
    strcpy(p, "kept");
    printf("%d %s\n", realloc(p, huge) == NULL, p);
    printf("%d\n", reallocarray(p, huge, 4) == NULL);
    p = realloc(p, 100000);
    printf("%s %d\n", p, malloc_usable_size(p) >= 100000);
    printf("%d\n", realloc(p, 0) == NULL);
    void *a = NULL;
    printf("%d %d\n", posix_memalign(&a, 4096, 100), (uintptr_t)a % 4096 == 0);
    free(a);
    printf("%d %d\n", posix_memalign(&a, 3, 100) == EINVAL, posix_memalign(&a, 2, 100) == EINVAL);
    a = aligned_alloc(1024, 2048);
    printf("%d\n", (uintptr_t)a % 1024 == 0);
    free(a);
    a = valloc(1);
    printf("%d\n", (uintptr_t)a % 4096 == 0);
    free(a);
    int zeroed = 1;
    for (int i = 0; i < 100; i++) {
        unsigned char *c = calloc(1000, 3);
        for (int k = 0; k < 3000; k++)
            zeroed &= c[k] == 0;
        memset(c, 1, 3000);
        free(c);
    }
    printf("%d\n", zeroed);

    char *s = strdup("duplicate"), *t = strndup("shortened", 5);
    wchar_t *w = wcsdup(L"wide");
    char *u = NULL;
    int n = asprintf(&u, "%s/%s/%d", s, t, 7);
    printf("%s %d %ls\n", u, n, w);
    u = realloc(u, 1000);
    strcat(u, "+more");
    puts(u);
    free(s), free(t), free(w), free(u);
    char *cwd = getcwd(NULL, 0), *current = get_current_dir_name(), fixed[PATH_MAX];
    printf("%d %d\n", strcmp(cwd, getcwd(fixed, sizeof fixed)), strcmp(cwd, current));
    free(cwd), free(current);
    cwd = getcwd(NULL, 4000);
    printf("%d\n", malloc_usable_size(cwd) >= 4000);
    free(cwd);
    char *real = realpath("/usr/../usr/bin", NULL), *canonical = canonicalize_file_name("/usr/./lib");
    printf("%s %s %s\n", real, canonical, realpath("/usr/..", fixed));
    free(real), free(canonical);
    printf("%d\n", realpath("/no/such", NULL) == NULL && errno == ENOENT);
    void *(*volatile allocate)(size_t) = malloc;
    void (*volatile release)(void *) = free;
    a = allocate(77);
    release(a);
    malloc_trim(0);
    struct mallinfo2 info = mallinfo2();
    printf("%d\n", info.arena + 1 > 0);
    return 0;
}
