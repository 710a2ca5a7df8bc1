/* Recursion as deep as the stack limit allows: a hundred thousand frames with
 * small buffers, and a few with large ones.  (ulimit: 512 MiB) */
#include <stdio.h>
#include <string.h>

static int buffers(int n) {
    char a[512];
    memset(a, n, sizeof a);
    int below = n ? buffers(n - 1) : 0;
    return a[511] == (char)n ? below + 1 : -1000000;
}

static long plain(long n) { return n ? n + plain(n - 1) - 1 : 0; }
static long (*volatile through)(long) = plain;
static int even(int n);
static int odd(int n) { volatile int m = n; return m ? even(m - 1) : 0; }
static int even(int n) { volatile int m = n; return m ? odd(m - 1) : 1; }

static int megabytes(int n) {
    char a[1 << 20];
    a[0] = (char)n, a[sizeof a - 1] = 1;
    int below = n ? megabytes(n - 1) : 0;
    return a[0] == (char)n ? below + a[sizeof a - 1] : -1000000;
}

static int huge_frame(int n) {
    char a[3 << 20], b[5 << 20];
    memset(a, n, sizeof a);
    b[n] = a[n];
    memset(b + n, 5, 1000);
    return a[sizeof a - 1] + b[n + 999];
}

int main(void) {
    printf("%d\n", buffers(120000));
    printf("%ld\n", through(1000000));
    printf("%d\n", even(200001));
    printf("%d\n", megabytes(60));
    printf("%d\n", huge_frame(7));
    return 0;
}
