/* What a constructor leaves in memory is what main() begins with. */
#include <stdio.h>
#include <stdlib.h>

static int limit;
static int unused;

static int find_limit(const char *text) {
    return text ? atoi(text) : 40;                         /* keep */
}

static __attribute__((constructor)) void begin(void) {
    const char *text = getenv("LIMIT");                    /* keep */
    unused = 7;                                            /* drop */
    limit = find_limit(text) + 2;                          /* keep */
}

int main(int argc, char **argv) {
    int other = argc + unused;                             /* drop */
    int answer = limit * 2;                                /* keep */
    printf("slice: %d\n", answer);                         /* slice: answer */
    printf("%d %s\n", other, argv[0]);                     /* drop */
    return 0;
}
