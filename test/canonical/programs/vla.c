/* Arrays of variable length and alloca: in loops, with goto and break out of
 * their scope, two-dimensional, over-aligned, large, in recursion, as
 * parameters, of size zero or one. */
#include <alloca.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static long sum(int n, int m, int a[n][m]) {
    long s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j];
    return s;
}

static long square(int n) {
    int a[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = i * j;
    return sum(n, n, a);
}

/* Would use up any stack if the array were not given back in each round. */
static long many_rounds(int rounds, int n) {
    long s = 0;
    for (int i = 0; i < rounds; i++) {
        char a[n];
        memset(a, i, (size_t)n);
        s += a[n / 2];
    }
    return s;
}

static long out_by_goto(int rounds, int n) {
    long s = 0;
    int i = 0;
again:;
    {
        int a[n];
        for (int k = 0; k < n; k++)
            a[k] = i + k;
        s += a[n - 1];
        if (++i < rounds)
            goto again;
        if (s < 0)
            goto out;
    }
    for (;;) {
        short b[n + i % 3];
        b[0] = 5;
        s += b[0];
        if (++i > rounds + 10)
            break;
        if (i & 1)
            continue;
        long c[n];
        c[n - 1] = i;
        s += c[n - 1];
    }
out:
    return s;
}

static int recursive(int n) {
    char a[n + 1];
    memset(a, n, (size_t)n + 1);
    int below = n ? recursive(n - 1) : 0;
    for (int i = 0; i <= n; i++)
        if (a[i] != (char)n)
            return -1000000;
    return below + n;
}

struct list { struct list *next; int value; };
static int list_on_stack(int n) {
    struct list *head = NULL;
    for (int i = 0; i < n; i++) {
        struct list *e = alloca(sizeof *e);
        *e = (struct list){head, i};
        head = e;
    }
    int s = 0;
    for (; head; head = head->next)
        s += head->value;
    return s;
}

static int aligned(int n) {
    _Alignas(64) char fixed[10];
    int bad = (uintptr_t)fixed % 64 != 0;
    for (int i = 1; i < n; i++) {
        _Alignas(128) char v[i];
        char *w = __builtin_alloca_with_align((size_t)i, 8 * 256);
        memset(v, 1, (size_t)i);
        memset(w, 2, (size_t)i);
        bad += (uintptr_t)v % 128 != 0 || (uintptr_t)w % 256 != 0 || v[i - 1] != 1;
        bad += (uintptr_t)alloca((size_t)i) % 16 != 0;
    }
    return bad;
}

static size_t sizes(int n) {
    int a[n];
    size_t s = sizeof a;
    typedef char row[n + 1];
    row r;
    r[n] = 1;
    return s + sizeof r + sizeof(row[2]) + (size_t)r[n];
}

static int large(size_t n) {
    char a[n];
    a[0] = 1, a[n - 1] = 2, a[n / 2] = 3;
    return a[0] + a[n - 1] + a[n / 2];
}

int main(void) {
    printf("%ld %ld\n", square(1), square(60));
    printf("%ld\n", many_rounds(100000, 5000));
    printf("%ld\n", out_by_goto(20000, 1000));
    printf("%d\n", recursive(400));
    printf("%d\n", list_on_stack(5000));
    printf("%d\n", aligned(200));
    printf("%zu\n", sizes(17));
    printf("%d\n", large(3000000));
    return 0;
}
