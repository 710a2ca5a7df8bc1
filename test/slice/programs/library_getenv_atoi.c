/* A setting comes from the environment when it is there, else from a default. */
#include <stdio.h>
#include <stdlib.h>

static int setting(const char *name, int fallback) {
    const char *text = getenv(name);                                 /* keep */
    if (text == NULL)                                                /* keep */
        return fallback;                                             /* keep */
    return atoi(text);                                               /* keep */
}

int main(int argc, char **argv) {
    (void)argv;
    int fallback = argc + 12;                                        /* keep */
    int other_fallback = argc + 13;                                  /* drop */
    int x = setting("NAME_THAT_NOBODY_SETS", fallback);              /* keep */
    int y = setting("OTHER_NAME_THAT_NOBODY_SETS", other_fallback);  /* drop */
    x = x * 2;                                                       /* keep */
    printf("%d\n", y);                                               /* drop */
    printf("slice: %d\n", x);                                        /* slice: x */
    return 0;
}
