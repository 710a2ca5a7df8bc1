/* Variables with destructors: what runs at the end of a scope is named by an attribute alone. */
#include <stdio.h>

#define OWNED(release) __attribute__((cleanup(release)))

static int released, spare;

static void release(const int *number) {
    released = released * 10 + *number;
}

static void forget(const int *number) {
    spare += *number;
}

static int borrow(int n) {
    OWNED(release) int first = n;
    if (n > 4)
        return first;
    {
        __attribute__((cleanup(release))) int second = n + 1;
        OWNED(forget) int third = second;
        if (n == 2)
            goto out;
        second++;
        spare = third;
    }
    first = 7;
out:
    return first;
}

int main(int argc, char **argv) {
    (void)argv;
    int unused = borrow(argc + 5);
    unused += borrow(argc) + borrow(argc + 1);
    printf("%d %d\n", unused, spare);
    printf("slice: %d\n", released); /* slice */
    return 0;
}
