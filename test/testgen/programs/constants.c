/* Objects that lead to constants without a name, which are elsewhere in the next build; most of
 * them are in the file of the test. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

struct tag {
    const char *label;
    const wchar_t *wide;
    const int *table;
    struct tag *next;
};

#ifdef FIXED
const char *const more[] = {"some", "more", "constants", "than before"};
const wchar_t *const wider[] = {L"some", L"more"};
#endif
static const char *const labels[] = {"red", "green", "blue"};
static const int *const table = (const int[]){7, 8, 9};

__attribute__((noinline)) static int total(const struct tag *list, const int *add) {
    int sum = 0;
    for (const struct tag *tag = list; tag; tag = tag->next) {
        if (!strchr("rgb", tag->label[0]) || wcscmp(tag->wide + 1, L"ot") || tag->table[2] != 9)
            abort();
        sum += (int)strlen(tag->label);
    }
#ifdef FIXED
    if (!add)
        return (int)(strlen(more[sum % 4]) + wcslen(wider[sum % 2]));
#endif
    return sum + *add;
}

int main(int argc, char **argv) {
    struct tag *list = NULL;
    (void)argv;
    for (int i = 0; i < 500; i++) {
        struct tag *tag = malloc(sizeof *tag);
        *tag = (struct tag){labels[i % 3], L"rot", table + i % 1, list};
        list = tag;
    }
    return total(list, argc > 3 ? &argc : NULL) == 0;
}
