/* A struct that comes in two registers, behind a parameter that nobody needs and the compiler
 * drops. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct key {
    const char *text;
    unsigned length;
};
struct entry {
    const char *text;
    int value;
};
static struct entry entries[] = {{"one", 1}, {"two", 2}, {NULL, 0}};

static __attribute__((noinline)) int find(struct entry *all, int verbose, struct key key,
                                          long from) {
    for (struct entry *one = all + from;; one++) {
#ifdef FIXED
        if (!one->text)
            return -1;
#endif
        if (strlen(one->text) == key.length && memcmp(one->text, key.text, key.length) == 0)
            return one->value;
    }
}

static __attribute__((noinline)) int look(const char *text, int verbose) {
    struct key key = {text, (unsigned)strlen(text)};
    int first = find(entries, verbose, key, 1);
    return first + find(entries, verbose + 1, (struct key){text + 1, key.length - 1}, verbose & 1);
}

int main(int argc, char **argv) {
    printf("%d\n", look("two", argc));
    return argv[0] == NULL;
}
