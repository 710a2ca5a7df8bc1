/* A library's variable, which lies in the program: it decides on the way, before a function begins
 * and since. */
#include <stdio.h>

#include "shelf.h"

static char letters[] = "ab";

static __attribute__((noinline)) int look(const char *text, int index) {
#ifdef FIXED
    if (!text)
        return 0;
#endif
    return text[index];
}

static __attribute__((noinline)) int work(int index) {
    if (shelf_mode != 2)
        return 0;
    shelf_switch();
    return look(shelf_mode == 3 ? NULL : letters, index);
}

int main(void) {
    shelf_switch();
    printf("%d\n", work(1));
    return 0;
}
